package dev.sluice.cli.imports.path;

import java.util.List;

/**
 * Patterns that stand for what another notation matches.
 *
 * @param patterns all of them together; empty if there are none that do
 * @param broader what they match beyond it; empty if nothing
 * @param also paths that the patterns match beyond it by the way, of no weight; empty if there are none
 * @param trouble why there are none; empty if there are
 */
public record PathChoice(List<String> patterns, String broader, String also, String trouble) {

    public PathChoice {
        patterns = List.copyOf(patterns);
    }

    static PathChoice of(String pattern) {
        return new PathChoice(List.of(pattern), "", "", "");
    }

    public static PathChoice none(String why) {
        return new PathChoice(List.of(), "", "", why);
    }
}
