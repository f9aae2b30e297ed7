package dev.sluice.cli.imports;

import dev.sluice.cli.imports.draft.EndpointDraft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Quote;
import java.util.List;
import java.util.stream.Stream;

/**
 * The path that all paths of the application begin with, which our patterns omit.
 *
 * @param path empty if there is none
 */
record ContextPath(String path) {

    /**
     * Our patterns for whole paths.
     *
     * @param written what the patterns were made from, and where, for a remark if none of the application's paths match
     */
    List<String> omittedFrom(List<String> patterns, EndpointDraft endpoint, FilePosition where, String written) {
        if (path.isEmpty()) {
            return patterns;
        }
        if (patterns.stream().anyMatch(this::isOutside)) {
            endpoint.remark(
                    Kind.STRICTER,
                    where,
                    "patterns here omit the context path " + Quote.of(path) + ", and " + Quote.of(written)
                            + " does not begin with it");
        }
        return patterns.stream().map(this::omittedFrom).toList();
    }

    private String omittedFrom(String pattern) {
        return matchesAll(pattern)
                ? "/**"
                : pattern.startsWith(path + "/") ? pattern.substring(path.length()) : pattern;
    }

    private boolean isOutside(String pattern) {
        return !matchesAll(pattern) && !pattern.startsWith(path + "/") && !pattern.startsWith("/**");
    }

    /** Whether it stands for all paths that begin like the context path, or like a part of it. */
    private boolean matchesAll(String pattern) {
        return Stream.of("*/**", "**")
                .anyMatch(end -> pattern.endsWith(end)
                        && (path + "/").startsWith(pattern.substring(0, pattern.length() - end.length())));
    }
}
