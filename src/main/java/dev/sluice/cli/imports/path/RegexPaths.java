package dev.sluice.cli.imports.path;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Regular expressions that have to match a whole path, as patterns. Those that people write for paths: literals,
 * alternatives, {@code .*} and classes that stay within a segment.
 */
public final class RegexPaths {

    private static final int MOST_ALTERNATIVES = 20;
    private static final int LONGEST = 1_000;

    private RegexPaths() {}

    public static PathPatterns of(String regex) {
        if (regex.length() > LONGEST) {
            return PathPatterns.none("the expression is too long to be read here; write patterns by hand");
        }
        try {
            RegexAlternatives alternatives = new RegexAlternatives(regex);
            Set<String> patterns = new LinkedHashSet<>();
            Set<String> broader = new LinkedHashSet<>();
            Set<String> also = new LinkedHashSet<>();
            for (List<RegexPart> parts : alternatives.expand()) {
                RegexPattern pattern = RegexPattern.of(parts);
                patterns.add(pattern.text());
                broader.addAll(pattern.broader());
                also.addAll(pattern.also());
            }
            if (patterns.size() > MOST_ALTERNATIVES) {
                return PathPatterns.none(
                        "it stands for more than " + MOST_ALTERNATIVES + " patterns; write them by hand");
            }
            also.removeAll(patterns);
            List<String> needed = new ArrayList<>(patterns);
            needed.removeIf(one -> patterns.stream().anyMatch(other -> covers(other, one)));
            return new PathPatterns(needed, String.join(", ", broader), String.join(", ", also), "");
        } catch (UnsupportedRegex e) {
            return PathPatterns.none(String.valueOf(e.getMessage()));
        }
    }

    /** Whether a pattern that ends in {@code /**} has all that another one has. */
    private static boolean covers(String all, String one) {
        if (all.equals(one) || !all.endsWith("/**")) {
            return false;
        }
        String start = all.substring(0, all.length() - 3);
        return !start.contains("*") && (one.equals(start) || one.startsWith(start + "/"));
    }
}
