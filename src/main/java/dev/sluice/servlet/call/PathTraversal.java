package dev.sluice.servlet.call;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Whether {@code ..} in a path climbs over the path's beginning. Servers part segments at a slash, and some at an
 * encoded slash, at a backslash or at an encoded backslash as well.
 */
final class PathTraversal {

    /** They stand for the encoded ones in a path whose other oddities have been written plainly. */
    private static final char ENCODED_SLASH = '\u0001';

    private static final char ENCODED_BACKSLASH = '\u0002';

    private PathTraversal() {}

    /** Whether any server could read the path so that it leaves its root. */
    static boolean mayLeave(String path) {
        String plain = writtenPlainly(path);
        if (!plain.contains("..")) {
            return false;
        }
        for (int parting = 0; parting < 8; parting++) {
            String reading = (parting & 1) == 0 ? plain : plain.replace(ENCODED_SLASH, '/');
            reading = (parting & 2) == 0 ? reading : reading.replace('\\', '/');
            reading = (parting & 4) == 0 ? reading : reading.replace(ENCODED_BACKSLASH, '/');
            if (leaves(reading, false)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a server that parts segments at a slash only would read the path so that it leaves its root. */
    static boolean leavesBySlashes(String path) {
        return leaves(writtenPlainly(path), false);
    }

    /** The same for one that takes an empty segment for one like any other. */
    static boolean leavesCountingEmpty(String path) {
        return leaves(writtenPlainly(path), true);
    }

    private static boolean leaves(String reading, boolean countEmpty) {
        int depth = 0;
        for (String segment : segments(reading)) {
            String name = withoutParameters(segment);
            depth += name.equals("..") ? -1 : isNothing(name, countEmpty) ? 0 : 1;
            if (depth < 0) {
                return true;
            }
        }
        return false;
    }

    /** What is left of a path when all is resolved in it and then the context is taken off, however it was spelt. */
    static String behind(String context, String path) {
        String reading = writtenPlainly(path)
                .replace(ENCODED_SLASH, '/')
                .replace('\\', '/')
                .replace(ENCODED_BACKSLASH, '/');
        return behind(context, reading, false);
    }

    /** The same for a server that parts segments at a slash only, and takes an empty one for one like any other. */
    static String behindCountingEmpty(String context, String path) {
        String reading = writtenPlainly(path).replace(Character.toString(ENCODED_SLASH), "%2f");
        return behind(context, reading.replace(Character.toString(ENCODED_BACKSLASH), "%5c"), true);
    }

    private static String behind(String context, String reading, boolean countEmpty) {
        List<String> segments = new ArrayList<>();
        for (String segment : segments(reading)) {
            String name = withoutParameters(segment);
            if (!name.equals("..") && !isNothing(name, countEmpty)) {
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

    private static boolean isNothing(String name, boolean countEmpty) {
        return (name.isEmpty() && !countEmpty) || name.equals(".");
    }

    private static String withoutParameters(String segment) {
        int semicolon = segment.indexOf(';');
        return semicolon < 0 ? segment : segment.substring(0, semicolon);
    }

    private static String writtenPlainly(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        StringBuilder plain = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean pair = c == '%' && i + 2 < path.length();
            char meant = pair ? meantBy(path.charAt(i + 1), path.charAt(i + 2)) : c;
            plain.append(meant);
            i += pair && meant != '%' ? 2 : 0;
        }
        return plain.toString();
    }

    private static char meantBy(char high, char low) {
        return switch (Character.digit(high, 16) << 4 | Character.digit(low, 16)) {
            case '.' -> '.';
            case ';' -> ';';
            case '/' -> ENCODED_SLASH;
            case '\\' -> ENCODED_BACKSLASH;
            default -> '%';
        };
    }
}
