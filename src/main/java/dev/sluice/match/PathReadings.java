package dev.sluice.match;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The ways in which servers and frameworks read a path as it was sent.
 *
 * <p>They disagree: {@code /a%2fb} is two segments to one and a single one to the next; one resolves {@code /x/%2e%2e/login}
 * before it looks for a servlet, while a framework above it may look at the segments as sent. A limiter that takes one
 * side can be walked past on the other. So an odd path is read in every way, and a definition speaks of the call if any
 * reading matches. A plain path, which is nearly every path, has one reading: itself.
 *
 * <p>In a reading, segments are separated by a slash; a slash or backslash that belongs to a segment stands as
 * {@link #INNER_SLASH}.
 */
final class PathReadings {

    static final char INNER_SLASH = '\u0000';

    /** Where a character of the first 256 ends a look at a segment: at a slash, or at what needs a closer look. */
    private static final boolean[] STOPS = new boolean[256];

    static {
        for (char c : new char[] {'/', INNER_SLASH, '%', ';', '\\'}) {
            STOPS[c] = true;
        }
    }

    private PathReadings() {}

    /** Whether the path can be read in one way only. */
    static boolean isPlain(String raw) {
        return raw.startsWith("/") && isPlain(raw, 1);
    }

    /** Whether the rest of a path, from the beginning of a segment on, can be read in one way only. */
    static boolean isPlain(String raw, int from) {
        int start = from;
        while (start < raw.length()) {
            int end = endOfPlain(raw, start);
            if (end < 0) {
                return false;
            }
            start = end + 1;
        }
        return true;
    }

    /**
     * Where the segment that begins there ends, if it is not empty, does not begin with a dot and has nothing odd in it; otherwise
     * -1.
     */
    static int endOfPlain(String raw, int from) {
        char first = raw.charAt(from);
        if (first == '/' || first == '.') {
            return -1;
        }
        int length = raw.length();
        for (int i = from; i < length; i++) {
            char c = raw.charAt(i);
            if (STOPS[c & 255] && c < 256) {
                return c == '/' ? i : -1;
            }
        }
        return length;
    }

    static List<String> of(String raw) {
        if (isPlain(raw)) {
            return List.of(raw);
        }
        Set<String> readings = new LinkedHashSet<>();
        for (Parting parting : Parting.values()) {
            List<String> asSent = new ArrayList<>();
            List<String> resolved = new ArrayList<>();
            for (String rawSegment : split(raw)) {
                for (String piece : parting.part(decode(withoutParameters(rawSegment)))) {
                    asSent.add(inner(piece));
                    resolve(resolved, inner(piece));
                }
            }
            asSent.removeIf(String::isEmpty);
            readings.add(join(resolved));
            readings.add(join(asSent));
        }
        return List.copyOf(readings);
    }

    /** What a server may take for a separator in a segment that it has decoded. */
    private enum Parting {
        AT_NOTHING,
        AT_SLASHES,
        AT_BACKSLASHES,
        AT_BOTH;

        List<String> part(String decoded) {
            String parted = switch (this) {
                case AT_NOTHING -> inner(decoded);
                case AT_SLASHES -> decoded.replace('\\', INNER_SLASH);
                case AT_BACKSLASHES -> decoded.replace('/', INNER_SLASH).replace('\\', '/');
                case AT_BOTH -> decoded.replace('\\', '/');
            };
            List<String> pieces = new ArrayList<>();
            for (String piece : parted.split("/", -1)) {
                pieces.add(this == AT_NOTHING ? piece : withoutParameters(piece));
            }
            return pieces;
        }
    }

    /** The segments of a path; doubled slashes and those at the ends make none. */
    static List<String> split(String path) {
        List<String> segments = new ArrayList<>();
        int from = 0;
        while (from <= path.length()) {
            int slash = path.indexOf('/', from);
            int to = slash < 0 ? path.length() : slash;
            if (to > from) {
                segments.add(path.substring(from, to));
            }
            from = to + 1;
        }
        return segments;
    }

    /** A segment of a reading as people write it. */
    static String display(String segment) {
        return segment.replace(INNER_SLASH, '/');
    }

    private static void resolve(List<String> segments, String segment) {
        if (segment.equals("..")) {
            if (!segments.isEmpty()) {
                segments.remove(segments.size() - 1);
            }
        } else if (!segment.isEmpty() && !segment.equals(".")) {
            segments.add(segment);
        }
    }

    private static String join(List<String> segments) {
        return "/" + String.join("/", segments);
    }

    private static String withoutParameters(String segment) {
        int semicolon = segment.indexOf(';');
        return semicolon < 0 ? segment : segment.substring(0, semicolon);
    }

    private static String inner(String decoded) {
        return decoded.replace('/', INNER_SLASH).replace('\\', INNER_SLASH);
    }

    /** Decodes percent signs as UTF-8, also Microsoft's {@code %u006c}; what is neither stays as it was sent. */
    private static String decode(String segment) {
        if (segment.indexOf('%') < 0) {
            return segment;
        }
        ByteArrayOutputStream decoded = new ByteArrayOutputStream(segment.length());
        int at = 0;
        while (at < segment.length()) {
            int octet = hex(segment, at, "%", 2);
            int unit = hex(segment, at, "%u", 4);
            if (octet >= 0) {
                decoded.write(octet);
                at += 3;
            } else {
                int character = unit >= 0 ? unit : segment.charAt(at);
                decoded.writeBytes(Character.toString(character).getBytes(StandardCharsets.UTF_8));
                at += unit >= 0 ? 6 : 1;
            }
        }
        return decoded.toString(StandardCharsets.UTF_8);
    }

    /** The number behind such a prefix, -1 if there is none. */
    private static int hex(String text, int at, String prefix, int digits) {
        int from = at + prefix.length();
        if (!text.startsWith(prefix, at) || from + digits > text.length()) {
            return -1;
        }
        int number = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0) {
                return -1;
            }
            number = number * 16 + digit;
        }
        return number;
    }
}
