package dev.sluice.cli.imports.path;

import java.util.regex.Pattern;

/** Translates prefixes of paths, and globs whose star stands for any characters, slashes too. */
public final class PathPrefixes {

    private static final Pattern SPECIAL = Pattern.compile("[{}?*]");

    private static final PathPatterns INEXPRESSIBLE =
            PathPatterns.none("no pattern can express this path; write one by hand");

    private PathPrefixes() {}

    /** All paths that begin with the prefix, which may end within a segment. */
    public static PathPatterns prefix(String prefix) {
        if (!prefix.startsWith("/") || SPECIAL.matcher(prefix).find()) {
            return INEXPRESSIBLE;
        }
        return PathPatterns.of(prefix.endsWith("/") ? prefix + "**" : prefix + "*/**");
    }

    /** The path and all paths below it. */
    public static PathPatterns tree(String path) {
        return SPECIAL.matcher(path).find() || !path.startsWith("/")
                ? INEXPRESSIBLE
                : PathPatterns.of(path.replaceFirst("/+$", "") + "/**");
    }

    /** A path whose {@code *} stands for any characters. */
    public static PathPatterns glob(String glob) {
        String path = glob.contains("?") ? glob.substring(0, glob.indexOf('?')) : glob;
        if (!path.startsWith("/") || path.contains("{") || path.contains("}")) {
            return INEXPRESSIBLE;
        }
        if (!path.contains("*")) {
            return PathPatterns.of(path);
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
                ? PathPatterns.none("its * also stands for slashes within a segment; write a pattern by hand")
                : PathPatterns.of(pattern.toString().replaceAll("(/\\*\\*){2,}", "/**"));
    }
}
