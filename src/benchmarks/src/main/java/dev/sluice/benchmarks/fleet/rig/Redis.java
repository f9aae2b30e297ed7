package dev.sluice.benchmarks.fleet.rig;

import dev.sluice.internal.store.redis.server.RedisServer;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A redis-server process on a free loopback port, without persistence, and the statistics of that process. */
public final class Redis implements AutoCloseable {

    private static final Pattern CPU = Pattern.compile("used_cpu_(?:user|sys):([0-9.]+)");
    private static final Pattern SENT = Pattern.compile("total_net_output_bytes:(\\d+)");
    /** The commands for connecting and measuring, which are not counted. */
    private static final Set<String> NOT_COUNTED = Set.of("info", "hello", "client", "client|setinfo", "ping", "auth");

    private final RedisServer server = RedisServer.open();

    private Redis() {}

    public static Redis open() {
        return new Redis();
    }

    public String uri() {
        return server.uri();
    }

    /** The statistics so far, excluding commands for connecting and measuring. */
    public Usage usage() {
        return usage(server);
    }

    /** The statistics of a server so far. */
    public static Usage usage(RedisServer server) {
        Map<String, Long> runs = new TreeMap<>(server.commandCalls());
        runs.keySet().removeAll(NOT_COUNTED);
        double seconds = 0;
        Matcher time = CPU.matcher((String) server.call("INFO", "cpu"));
        while (time.find()) {
            seconds += Double.parseDouble(time.group(1));
        }
        Matcher sent = SENT.matcher((String) server.call("INFO", "stats"));
        return new Usage(runs, seconds, sent.find() ? Long.parseLong(sent.group(1)) : 0);
    }

    /** The memory used for data and connections, in bytes. */
    public long bytes() {
        Matcher used = Pattern.compile("used_memory:(\\d+)").matcher((String) server.call("INFO", "memory"));
        return used.find() ? Long.parseLong(used.group(1)) : 0;
    }

    String version() {
        Matcher version = Pattern.compile("redis_version:(\\S+)").matcher((String) server.call("INFO", "server"));
        return version.find() ? version.group(1) : "unknown";
    }

    @Override
    public void close() {
        server.close();
    }
}
