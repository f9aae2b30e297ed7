package dev.sluice.cli.imports.path;

import java.util.List;

/**
 * The patterns of ours that stand for the paths of another notation.
 *
 * @param patterns together they match all of these paths; empty if that is not possible
 * @param broader what else they match; empty if nothing
 * @param also minor paths that they match too; empty if none
 * @param problem why there are no patterns; empty if there are
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
