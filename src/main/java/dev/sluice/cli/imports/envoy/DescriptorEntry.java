package dev.sluice.cli.imports.envoy;

import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.match.text.Glob;
import java.util.Set;

/**
 * One level of a descriptor.
 *
 * @param value that the key must have, {@code *} for any characters; empty for all values that no other entry names
 * @param shared whether all values that match share a counter
 * @param others the values of sibling entries with the same key
 */
record DescriptorEntry(String key, String value, boolean shared, Set<String> others, FilePosition position) {

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
