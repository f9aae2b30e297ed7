package dev.sluice.cli.imports.draft;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Our patterns for the paths of another notation: prefixes, and globs whose star stands for any characters, slashes too.
 * {@link RegexPaths} translates regular expressions.
 *
 * @param patterns which together match all of these paths; empty if none can
 * @param broader which other paths they match; empty if none
 * @param also further paths that hardly matter; empty if none
 * @param problem why there are no patterns; empty if there are some
 */
public record PathPatterns(List<String> patterns, String broader, String also, String problem) {

    private static final Pattern SPECIAL = Pattern.compile("[{}?*]");

    private static final PathPatterns INEXPRESSIBLE = none("no pattern can express this path; write one by hand");

    public PathPatterns {
        patterns = List.copyOf(patterns);
    }

    private static PathPatterns of(String pattern) {
        return new PathPatterns(List.of(pattern), "", "", "");
    }

    public static PathPatterns none(String why) {
        return new PathPatterns(List.of(), "", "", why);
    }

    /** All paths that begin with the prefix, which may end within a segment. */
    public static PathPatterns prefix(String prefix) {
        if (!prefix.startsWith("/") || SPECIAL.matcher(prefix).find()) {
            return INEXPRESSIBLE;
        }
        return of(prefix.endsWith("/") ? prefix + "**" : prefix + "*/**");
    }

    /** The path and all paths below it. */
    public static PathPatterns tree(String path) {
        return SPECIAL.matcher(path).find() || !path.startsWith("/")
                ? INEXPRESSIBLE
                : of(path.replaceFirst("/+$", "") + "/**");
    }

    /** A path whose {@code *} stands for any characters. */
    public static PathPatterns glob(String glob) {
        String path = glob.contains("?") ? glob.substring(0, glob.indexOf('?')) : glob;
        if (!path.startsWith("/") || path.contains("{") || path.contains("}")) {
            return INEXPRESSIBLE;
        }
        if (!path.contains("*")) {
            return of(path);
        }
        String[] segments = path.substring(1).split("/", -1);
        StringBuilder pattern = new StringBuilder();
        for (int i = 0; i < segments.length; i++) {
            boolean isLast = i == segments.length - 1;
            if (segments[i].equals("*")) {
                pattern.append("/**");
            } else if (isLast && segments[i].endsWith("*") && segments[i].indexOf('*') == segments[i].length() - 1) {
                pattern.append('/').append(segments[i]).append("/**");
            } else {
                pattern.append('/').append(segments[i]);
            }
        }
        boolean withinSegment = path.replaceAll("(?<=/)\\*(?=/|$)|\\*$", "").contains("*");
        return withinSegment
                ? none("its * also stands for slashes within a segment; write a pattern by hand")
                : of(pattern.toString().replaceAll("(/\\*\\*){2,}", "/**"));
    }
}
