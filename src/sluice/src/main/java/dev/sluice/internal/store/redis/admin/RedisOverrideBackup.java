package dev.sluice.internal.store.redis.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A copy of the client overrides that this instance read from Redis most recently. If Redis loses overrides, the
 * instance restores them from this backup.
 *
 * @param version the version of the overrides
 * @param entries the content of the hash
 * @param readMillis when the overrides were read, by the Redis clock
 */
record RedisOverrideBackup(String version, Map<String, String> entries, long readMillis) {

    static final RedisOverrideBackup NONE = new RedisOverrideBackup("", Map.of(), 0);

    private static final long CLOCKS_DIFFER_MILLIS = 10_000;

    private static final int LONGEST_PART = 1000;

    RedisOverrideBackup {
        entries = Map.copyOf(entries);
    }

    /**
     * The arguments for the script calls that restore the overrides. Each call blocks Redis for at most a few
     * milliseconds.
     *
     * @param birth the random name of the new generation
     * @param most the maximum number of overrides
     */
    List<List<String>> toPutBack(String birth, int most) {
        List<Map.Entry<String, String>> all = List.copyOf(entries.entrySet());
        List<List<String>> scripts = new ArrayList<>();
        int from = 0;
        do {
            int to = Math.min(all.size(), from + LONGEST_PART);
            List<String> script = new ArrayList<>(List.of(
                    birth,
                    version,
                    String.valueOf(most),
                    to == all.size() ? "1" : "0",
                    String.valueOf(readMillis),
                    String.valueOf(CLOCKS_DIFFER_MILLIS)));
            all.subList(from, to).forEach(entry -> script.addAll(List.of(entry.getKey(), entry.getValue())));
            scripts.add(script);
            from = to;
        } while (from < all.size());
        return scripts;
    }
}
