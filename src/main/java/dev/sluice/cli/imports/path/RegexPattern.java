package dev.sluice.cli.imports.path;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A pattern made of the parts of an expression.
 *
 * @param broader what it matches beyond the expression
 * @param also the paths that it matches beyond it only because {@code /x/**} matches {@code /x}
 */
record RegexPattern(String text, Set<String> broader, Set<String> also) {

    private static final char ANYTHING = '\u0001';

    static RegexPattern of(List<RegexPart> parts) throws UnsupportedRegex {
        Set<String> broader = new LinkedHashSet<>();
        Set<String> also = new LinkedHashSet<>();
        StringBuilder raw = new StringBuilder();
        for (RegexPart part : parts) {
            if (part instanceof RegexPart.Literal literal) {
                raw.append(literal.character());
            } else if (part instanceof RegexPart.WithinSegment some) {
                if (!some.exact()) {
                    broader.add("any text where \"" + some.written() + "\" stands");
                }
                raw.append(raw.toString().endsWith("*") ? "" : "*");
            } else {
                raw.append(raw.toString().endsWith(String.valueOf(ANYTHING)) ? "" : ANYTHING);
            }
        }
        return new RegexPattern(pattern(raw.toString(), also), broader, also);
    }

    private static String pattern(String raw, Set<String> also) throws UnsupportedRegex {
        String rooted = raw.isEmpty() || raw.charAt(0) == '/' ? raw : beginning(raw);
        if (rooted.matches("[^\u0001]*[{}?;%#][^\u0001]*") || rooted.isEmpty()) {
            throw new UnsupportedRegex("it matches no path that a pattern can say; write a pattern by hand");
        }
        StringBuilder pattern = new StringBuilder();
        String[] segments = rooted.substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            boolean isLast = i == segments.length - 1;
            pattern.append(segment(segments[i], isLast));
            if (isLast && segments[i].equals(String.valueOf(ANYTHING)) && i > 0) {
                also.add(pattern.substring(0, pattern.length() - 3));
            }
        }
        return pattern.toString().replaceAll("(/\\*\\*){2,}", "/**");
    }

    private static String beginning(String raw) throws UnsupportedRegex {
        if (raw.charAt(0) != ANYTHING) {
            throw new UnsupportedRegex("it does not begin with a slash, as paths do, so it matches none");
        }
        return "/" + raw;
    }

    private static String segment(String segment, boolean isLast) throws UnsupportedRegex {
        int any = segment.indexOf(ANYTHING);
        if (any < 0) {
            return "/" + segment;
        }
        if (segment.length() == 1) {
            return "/**";
        }
        String rest = segment.substring(1);
        if (any == 0 && rest.indexOf(ANYTHING) < 0) {
            return "/**/*" + (rest.startsWith("*") ? rest.substring(1) : rest); // anything that ends so
        }
        if (isLast && any == segment.length() - 1) {
            String start = segment.substring(0, any);
            return "/" + start + (start.endsWith("*") ? "" : "*") + "/**"; // anything that begins so
        }
        throw new UnsupportedRegex("its \".*\" stands for slashes too, within a segment; write a pattern by hand");
    }
}
