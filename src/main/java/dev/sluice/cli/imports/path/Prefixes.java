package dev.sluice.cli.imports.path;

import java.util.regex.Pattern;

/** Paths by their beginnings, and globs in which a star stands for any characters, slashes too. */
public final class Prefixes {

    private static final Pattern SPECIAL = Pattern.compile("[{}?*]");

    private Prefixes() {}

    /** All paths that begin so, within a segment too. */
    public static PathChoice prefix(String prefix) {
        if (!prefix.startsWith("/") || SPECIAL.matcher(prefix).find()) {
            return PathChoice.none("a pattern cannot say this path; write one by hand");
        }
        return PathChoice.of(prefix.endsWith("/") ? prefix + "**" : prefix + "*/**");
    }

    /** The path and all below it. */
    public static PathChoice tree(String path) {
        return SPECIAL.matcher(path).find() || !path.startsWith("/")
                ? PathChoice.none("a pattern cannot say this path; write one by hand")
                : PathChoice.of(path.replaceFirst("/+$", "") + "/**");
    }

    /** This path, in which {@code *} stands for any characters. */
    public static PathChoice glob(String glob) {
        String path = glob.contains("?") ? glob.substring(0, glob.indexOf('?')) : glob;
        if (!path.startsWith("/") || path.contains("{") || path.contains("}")) {
            return PathChoice.none("a pattern cannot say this path; write one by hand");
        }
        if (!path.contains("*")) {
            return PathChoice.of(path);
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
                ? PathChoice.none("its * stands for slashes too, within a segment; write a pattern by hand")
                : PathChoice.of(pattern.toString().replaceAll("(/\\*\\*){2,}", "/**"));
    }
}
