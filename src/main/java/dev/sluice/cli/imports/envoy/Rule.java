package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.TierDraft;
import dev.sluice.config.yaml.FilePosition;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A descriptor with a limit, and how one gets to it.
 *
 * @param path its own entry last
 * @param requests how many in a unit; 0 refuses all
 * @param unlimited whether it has none
 * @param shadow whether it never refuses
 * @param quota whether it refuses only together with others
 * @param strange a setting that is not known here; empty if there is none
 */
record Rule(
        List<DescriptorEntry> path,
        long requests,
        Duration unit,
        boolean unlimited,
        boolean shadow,
        boolean quota,
        String name,
        List<String> replaces,
        String strange,
        FilePosition position) {

    Rule {
        path = List.copyOf(path);
        replaces = List.copyOf(replaces);
    }

    DescriptorEntry last() {
        return path.get(path.size() - 1);
    }

    TierDraft tier() {
        return TierDraft.fixedWindow(unit, requests);
    }

    boolean refusesAll() {
        return !unlimited && requests == 0;
    }

    /** Whether it is nothing but a limit, which can stand as another figure at the limit for all others. */
    boolean isPlain() {
        return !unlimited
                && requests > 0
                && !shadow
                && !quota
                && replaces.isEmpty()
                && strange.isEmpty()
                && !last().shared();
    }

    /** Whether it is the same but for the value of the last entry. */
    boolean isBeside(Rule other) {
        int depth = path.size() - 1;
        return other.path.size() == path.size()
                && last().key().equals(other.last().key())
                && path.subList(0, depth).equals(other.path.subList(0, depth));
    }

    /** What an id can be made of. */
    String title() {
        return path.stream()
                .map(entry -> entry.isAny() ? entry.key() : entry.value())
                .collect(Collectors.joining("-"));
    }
}
