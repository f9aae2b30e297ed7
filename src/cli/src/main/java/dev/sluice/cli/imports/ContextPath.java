package dev.sluice.cli.imports;

import dev.sluice.cli.imports.draft.EndpointDraft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Quote;
import java.util.List;
import java.util.stream.Stream;

/**
 * The application's context path. All of the application's paths begin with it, but our patterns omit it.
 *
 * @param path the context path; empty if there is none
 */
record ContextPath(String path) {

    /**
     * Returns the patterns without the context path.
     *
     * @param written the original text of the patterns. If a pattern matches no path of the application, a remark
     *     quotes this text
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

    /**
     * Whether the context path begins with the pattern's prefix, so that the pattern matches all of the application's
     * paths.
     */
    private boolean matchesAll(String pattern) {
        return Stream.of("*/**", "**")
                .anyMatch(end -> pattern.endsWith(end)
                        && (path + "/").startsWith(pattern.substring(0, pattern.length() - end.length())));
    }
}
