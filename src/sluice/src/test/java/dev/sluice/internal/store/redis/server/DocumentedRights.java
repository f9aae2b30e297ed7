package dev.sluice.internal.store.redis.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A user of Redis who may do what {@code docs/stores.md} says must be allowed, and nothing else. */
public final class DocumentedRights {

    private static final Pattern LINE = Pattern.compile("(?m)^ *(ACL SETUSER sluice on >secret .*)$");

    private DocumentedRights() {}

    /** Makes the user; what stands before the host in a uri, to be that user: nothing where Redis knows no users. */
    public static String entry(RedisServer redis) {
        if (!redis.hasUsers()) {
            return "";
        }
        redis.call(line().replace(">secret", ">p@ss/w#rd").split(" "));
        return "sluice:p%40ss%2Fw%23rd@";
    }

    /** The uri of such a user. */
    public static String uri(RedisServer redis) {
        return redis.patientUri().replace("://", "://" + entry(redis));
    }

    /** The same on each node of a cluster. */
    public static String uri(RedisCluster cluster) {
        List<String> entries =
                cluster.nodes().stream().map(DocumentedRights::entry).toList();
        return cluster.uri().replace("://", "://" + entries.get(0)) + "?timeout=5s";
    }

    /** The commands that the user may run. */
    public static List<String> commands() {
        return Stream.of(line().split(" "))
                .filter(word -> word.startsWith("+"))
                .map(word -> word.substring(1))
                .toList();
    }

    /** The only such line of the page. */
    private static String line() {
        try {
            return LINE.matcher(Files.readString(Path.of("docs/stores.md")))
                    .results()
                    .map(found -> found.group(1))
                    .reduce((one, other) -> {
                        throw new IllegalStateException("two lines");
                    })
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
