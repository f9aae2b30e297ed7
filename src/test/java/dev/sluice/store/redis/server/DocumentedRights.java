package dev.sluice.store.redis.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A user of Redis who may do what {@code docs/stores.md} says must be allowed, and nothing else. */
public final class DocumentedRights {

    private static final Pattern PARAGRAPH = Pattern.compile("\\* \\*\\*Rights\\*\\* .*?\n\\* ", Pattern.DOTALL);
    private static final Pattern RIGHT = Pattern.compile("(\\+[a-z]+|[~&]sluice:\\*)");

    private DocumentedRights() {}

    /** Makes the user; what stands before the host in a uri, to be that user: nothing where Redis knows no users. */
    public static String entry(RedisServer redis) {
        if (!redis.hasUsers()) {
            return "";
        }
        List<String> user = new ArrayList<>(List.of("ACL", "SETUSER", "sluice", "on", ">p@ss/w#rd", "resetchannels"));
        user.addAll(all());
        redis.call(user.toArray(String[]::new));
        return "sluice:p%40ss%2Fw%23rd@";
    }

    /** The uri of such a user. */
    public static String uri(RedisServer redis) {
        return redis.patientUri().replace("://", "://" + entry(redis));
    }

    private static List<String> all() {
        try {
            String paragraph = PARAGRAPH
                    .matcher(Files.readString(Path.of("docs/stores.md")))
                    .results()
                    .findFirst()
                    .orElseThrow()
                    .group();
            return RIGHT.matcher(paragraph).results().map(MatchResult::group).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
