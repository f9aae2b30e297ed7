package dev.sluice.internal.http.request;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Checks whether a {@code ..} in a path leads above the root of the path. All servers split paths at slashes. Some also
 * split them at encoded slashes, backslashes or encoded backslashes.
 */
public final class PathTraversal {

    /** The character that replaces an encoded slash in a {@link #simplified} path. */
    private static final char ENCODED_SLASH = '\u0001';

    /** The character that replaces an encoded backslash in a {@link #simplified} path. */
    private static final char ENCODED_BACKSLASH = '\u0002';

    private PathTraversal() {}

    /** Whether any server might interpret the path as one that leaves its root. */
    public static boolean mayLeave(String path) {
        String simple = simplified(path);
        if (!simple.contains("..")) {
            return false;
        }
        for (int separators = 0; separators < 8; separators++) {
            String reading = (separators & 1) == 0 ? simple : simple.replace(ENCODED_SLASH, '/');
            reading = (separators & 2) == 0 ? reading : reading.replace('\\', '/');
            reading = (separators & 4) == 0 ? reading : reading.replace(ENCODED_BACKSLASH, '/');
            if (leaves(reading, false)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the path leaves its root for a server that splits paths only at slashes. */
    public static boolean leavesBySlashes(String path) {
        return leaves(simplified(path), false);
    }

    /** Whether the path leaves its root for a server that splits paths only at slashes and counts empty segments. */
    public static boolean leavesCountingEmpty(String path) {
        return leaves(simplified(path), true);
    }

    private static boolean leaves(String reading, boolean countEmpty) {
        int depth = 0;
        for (String segment : segments(reading)) {
            String name = withoutParameters(segment);
            depth += name.equals("..") ? -1 : isSkipped(name, countEmpty) ? 0 : 1;
            if (depth < 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the path after the context path, with every {@code ..} resolved. The context path can have any spelling.
     */
    public static String behind(String context, String path) {
        String reading =
                simplified(path).replace(ENCODED_SLASH, '/').replace('\\', '/').replace(ENCODED_BACKSLASH, '/');
        return behind(context, reading, false);
    }

    /**
     * Returns the path after the context path for a server that splits paths only at slashes and counts empty segments.
     */
    public static String behindCountingEmpty(String context, String path) {
        String reading = simplified(path).replace(Character.toString(ENCODED_SLASH), "%2f");
        return behind(context, reading.replace(Character.toString(ENCODED_BACKSLASH), "%5c"), true);
    }

    private static String behind(String context, String reading, boolean countEmpty) {
        List<String> segments = new ArrayList<>();
        for (String segment : segments(reading)) {
            String name = withoutParameters(segment);
            if (!name.equals("..") && !isSkipped(name, countEmpty)) {
                segments.add(segment);
            } else if (name.equals("..") && !segments.isEmpty()) {
                segments.remove(segments.size() - 1);
            }
        }
        int contextDepth = context.substring(1).split("/", -1).length;
        return "/" + String.join("/", segments.subList(Math.min(contextDepth, segments.size()), segments.size()));
    }

    private static List<String> segments(String path) {
        List<String> segments = Arrays.asList(path.split("/", -1));
        return path.startsWith("/") ? segments.subList(1, segments.size()) : segments;
    }

    private static boolean isSkipped(String name, boolean countEmpty) {
        return (name.isEmpty() && !countEmpty) || name.equals(".");
    }

    private static String withoutParameters(String segment) {
        int semicolon = segment.indexOf(';');
        return semicolon < 0 ? segment : segment.substring(0, semicolon);
    }

    /** Decodes the encoded dots and semicolons of a path, and marks its encoded slashes and backslashes. */
    private static String simplified(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        StringBuilder plain = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean pair = c == '%' && i + 2 < path.length();
            char meant = pair ? decoded(path.charAt(i + 1), path.charAt(i + 2)) : c;
            plain.append(meant);
            i += pair && meant != '%' ? 2 : 0;
        }
        return plain.toString();
    }

    private static char decoded(char high, char low) {
        return switch (Character.digit(high, 16) << 4 | Character.digit(low, 16)) {
            case '.' -> '.';
            case ';' -> ';';
            case '/' -> ENCODED_SLASH;
            case '\\' -> ENCODED_BACKSLASH;
            default -> '%';
        };
    }
}
