package dev.sluice.cli.imports.path;

import java.util.List;

/**
 * Our patterns for the paths of another notation.
 *
 * @param patterns which together match all of these paths; empty if none can
 * @param broader which other paths they match; empty if none
 * @param also further paths that hardly matter; empty if none
 * @param problem why there are no patterns; empty if there are some
 */
public record PathPatterns(List<String> patterns, String broader, String also, String problem) {

    public PathPatterns {
        patterns = List.copyOf(patterns);
    }

    static PathPatterns of(String pattern) {
        return new PathPatterns(List.of(pattern), "", "", "");
    }

    public static PathPatterns none(String why) {
        return new PathPatterns(List.of(), "", "", why);
    }
}
