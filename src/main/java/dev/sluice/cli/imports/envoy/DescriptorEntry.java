package dev.sluice.cli.imports.envoy;

import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.match.text.Glob;
import java.util.Set;

/**
 * One level of a descriptor.
 *
 * @param value what the key has to be, {@code *} for any characters; empty for anything that no other entry names
 * @param shared whether all that fit the value share a counter
 * @param others the values of entries beside it that have the same key
 */
record DescriptorEntry(String key, String value, boolean shared, Set<String> others, FilePosition position) {

    boolean isAny() {
        return value.isEmpty();
    }

    boolean isWildcard() {
        return value.contains("*");
    }

    /** Whether the service takes this entry for a value of which it is known what it is. */
    boolean takes(String known) {
        return isAny()
                ? others.stream().noneMatch(other -> Glob.isLike(known, other))
                : Glob.isLike(known, value) && (!isWildcard() || !others.contains(known));
    }
}
