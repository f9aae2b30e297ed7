package dev.sluice.cli.imports.draft;

import static dev.sluice.cli.imports.draft.RegexAlternatives.ANYTHING;

import dev.sluice.cli.imports.draft.RegexAlternatives.Unsupported;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Translates regular expressions for whole paths into patterns, as far as people write them for paths: literals,
 * alternatives, {@code .*} and classes that stay within a segment.
 */
public final class RegexPaths {

    private static final int MOST_ALTERNATIVES = 20;
    private static final int LONGEST = 1_000;

    private RegexPaths() {}

    public static PathPatterns of(String regex) {
        if (regex.length() > LONGEST) {
            return PathPatterns.none("the expression is too long; write patterns by hand");
        }
        try {
            RegexAlternatives alternatives = new RegexAlternatives(regex);
            Set<String> patterns = new LinkedHashSet<>();
            Set<String> also = new LinkedHashSet<>();
            for (String alternative : alternatives.expand()) {
                patterns.add(pattern(alternative, also));
            }
            if (patterns.size() > MOST_ALTERNATIVES) {
                return PathPatterns.none(
                        "it would need more than " + MOST_ALTERNATIVES + " patterns; write them by hand");
            }
            also.removeAll(patterns);
            List<String> needed = new ArrayList<>(patterns);
            needed.removeIf(one -> patterns.stream().anyMatch(other -> covers(other, one)));
            return new PathPatterns(needed, String.join(", ", alternatives.broader()), String.join(", ", also), "");
        } catch (Unsupported e) {
            return PathPatterns.none(String.valueOf(e.getMessage()));
        }
    }

    /** Adds to {@code also} the paths that the pattern matches only because {@code /x/**} matches {@code /x}. */
    private static String pattern(String alternative, Set<String> also) throws Unsupported {
        String raw = alternative.replaceAll("\\*{2,}", "*").replaceAll("\u0001{2,}", "\u0001");
        String rooted = raw.isEmpty() || raw.charAt(0) == '/' ? raw : beginning(raw);
        if (rooted.matches("(?s).*[{}?;%#].*") || rooted.isEmpty()) {
            throw new Unsupported("no pattern can match the same paths; write one by hand");
        }
        StringBuilder pattern = new StringBuilder();
        String[] segments = rooted.substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            boolean isLast = i == segments.length - 1;
            if (isLast && segments[i].equals(String.valueOf(ANYTHING)) && i > 0) {
                also.add(pattern.toString());
            }
            pattern.append(segment(segments[i], isLast));
        }
        return pattern.toString().replaceAll("(/\\*\\*){2,}", "/**");
    }

    private static String beginning(String raw) throws Unsupported {
        if (raw.charAt(0) != ANYTHING) {
            throw new Unsupported("it does not begin with a slash, as paths do, so it never matched");
        }
        return "/" + raw;
    }

    private static String segment(String segment, boolean isLast) throws Unsupported {
        int any = segment.indexOf(ANYTHING);
        if (any < 0) {
            return "/" + segment;
        }
        if (segment.length() == 1) {
            return "/**";
        }
        String rest = segment.substring(1);
        if (any == 0 && rest.indexOf(ANYTHING) < 0) {
            return "/**/*" + (rest.startsWith("*") ? rest.substring(1) : rest); // any path that ends like this
        }
        if (isLast && any == segment.length() - 1) {
            String start = segment.substring(0, any);
            return "/" + start + (start.endsWith("*") ? "" : "*") + "/**"; // any path that begins like this
        }
        throw new Unsupported("its \".*\" also stands for slashes within a segment; write a pattern by hand");
    }

    /** Whether a pattern that ends in {@code /**} matches all that another one matches. */
    private static boolean covers(String all, String one) {
        if (all.equals(one) || !all.endsWith("/**")) {
            return false;
        }
        String start = all.substring(0, all.length() - 3);
        return !start.contains("*") && (one.equals(start) || one.startsWith(start + "/"));
    }
}
