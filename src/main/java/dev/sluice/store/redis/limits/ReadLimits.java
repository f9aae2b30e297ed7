package dev.sluice.store.redis.limits;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Limits of clients as they were read from Redis, which can be put back there.
 *
 * @param version as it was then
 * @param entries what stood in the hash
 */
record ReadLimits(String version, Map<String, String> entries) {

    static final ReadLimits NONE = new ReadLimits("", Map.of());

    private static final int LONGEST_PART = 1000;

    ReadLimits {
        entries = Map.copyOf(entries);
    }

    /**
     * The arguments of the scripts that put them back, each of which holds up Redis for some milliseconds at most.
     *
     * @param birth the name of the birth that this begins
     * @param most so many limits there may be
     */
    List<List<String>> toPutBack(String birth, int most) {
        List<List<String>> scripts = new ArrayList<>();
        List<String> script = new ArrayList<>();
        int left = entries.size();
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            if (script.isEmpty()) {
                script.addAll(List.of(birth, version, String.valueOf(most), left <= LONGEST_PART ? "1" : "0"));
            }
            script.add(entry.getKey());
            script.add(entry.getValue());
            left--;
            if (left % LONGEST_PART == 0) {
                scripts.add(List.copyOf(script));
                script.clear();
            }
        }
        return scripts;
    }
}
