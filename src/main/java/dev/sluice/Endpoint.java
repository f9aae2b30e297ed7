package dev.sluice;

import java.util.List;
import java.util.Set;

/**
 * One definition of {@code rate-limits.yml}: which calls it speaks of, who is counted, and how much is allowed.
 *
 * @param id unique in the file
 * @param methods the methods it speaks of, each with a counter of its own; empty for all, which then share one
 * @param pathPattern the paths it speaks of
 * @param per the subjects that tell callers apart; empty for all callers together
 * @param mode what becomes of a call over the limit
 * @param tiers at least one
 */
public record Endpoint(
        String id, Set<String> methods, String pathPattern, List<String> per, Mode mode, List<Tier> tiers) {

    public Endpoint {
        methods = Set.copyOf(methods);
        per = List.copyOf(per);
        tiers = List.copyOf(tiers);
        if (tiers.isEmpty()) {
            throw new IllegalArgumentException("endpoint " + id + " has no tiers");
        }
    }
}
