package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.TierDraft;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.match.text.Glob;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A limit in the configuration of Envoy's service, and the descriptor that finds it. An unlimited descriptor is none.
 *
 * @param path the entries of the descriptor, from the root of the tree
 * @param requests how many a unit allows; 0 refuses all
 * @param shadow whether it only reports refusals
 * @param quota whether it refuses only if others refuse too
 * @param unknownSetting a setting that import does not know; empty if there is none
 */
record DescriptorLimit(
        List<Entry> path,
        long requests,
        Duration unit,
        boolean shadow,
        boolean quota,
        String name,
        List<String> replaces,
        String unknownSetting,
        FilePosition position) {

    /**
     * One level of a descriptor.
     *
     * @param value that the key must have, {@code *} for any characters; empty for all values that no other entry names
     * @param shared whether all values that match share a counter
     * @param others the values of sibling entries with the same key
     */
    record Entry(String key, String value, boolean shared, Set<String> others, FilePosition position) {

        boolean isAny() {
            return value.isEmpty();
        }

        boolean isWildcard() {
            return value.contains("*");
        }

        /** Whether the service uses this entry for a value. */
        boolean takes(String known) {
            return isAny()
                    ? others.stream().noneMatch(other -> Glob.isLike(known, other))
                    : Glob.isLike(known, value) && (!isWildcard() || !others.contains(known));
        }
    }

    Entry last() {
        return path.get(path.size() - 1);
    }

    TierDraft tier() {
        return TierDraft.fixedWindow(unit, requests);
    }

    boolean refusesAll() {
        return requests == 0;
    }

    /** Whether it can become a client's own tier at the endpoint for all other values. */
    boolean isPlain() {
        return requests > 0 && !shadow && !quota && replaces.isEmpty() && unknownSetting.isEmpty() && !last().shared();
    }

    /** Whether the two differ in the value of the last entry only. */
    boolean isSiblingOf(DescriptorLimit other) {
        int depth = path.size() - 1;
        return other.path.size() == path.size()
                && last().key().equals(other.last().key())
                && path.subList(0, depth).equals(other.path.subList(0, depth));
    }

    /** The text from which an id is made. */
    String title() {
        return path.stream()
                .map(entry -> entry.isAny() ? entry.key() : entry.value())
                .collect(Collectors.joining("-"));
    }
}
