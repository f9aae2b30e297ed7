package dev.sluice.match.path;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The ways in which servers and frameworks read a path as it was sent.
 *
 * <p>They disagree: {@code /a%2fb} is two segments to one and a single one to the next; one resolves {@code
 * /x/%2e%2e/login} before it looks for a servlet, while a framework above it may look at the segments as sent. A
 * limiter that takes one side can be walked past on the other. So an odd path is read in every way, and a definition
 * speaks of the call if any reading matches. A plain path, which is nearly every path, has one reading: itself.
 *
 * <p>In a reading, segments are separated by a slash; a slash or backslash that belongs to a segment stands as {@link
 * #INNER_SLASH}.
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
     * Where the segment that begins there ends, if it is not empty, does not begin with a dot and has nothing odd in
     * it; otherwise -1.
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
        List<String> decoded = new ArrayList<>();
        for (String rawSegment : raw.split("/", -1)) {
            decoded.add(PercentDecoding.decode(withoutParameters(rawSegment)));
        }
        if (decoded.get(0).isEmpty()) {
            decoded.remove(0); // what stands before the first slash
        }
        Set<String> readings = new LinkedHashSet<>();
        for (Parting parting : partings(decoded)) {
            List<String> pieces = parting.pieces(decoded);
            readings.add(asSent(resolved(pieces, false)));
            readings.add(asSent(pieces));
            readings.add(asSent(resolved(pieces, true)));
            if (parting.slashes || parting.backslashes) { // Jetty resolves first, then parts
                readings.add(asSent(parting.pieces(resolved(decoded, false))));
                readings.add(asSent(parting.pieces(resolved(decoded, true))));
            }
        }
        return List.copyOf(readings);
    }

    /** All that make a difference to these segments. */
    private static List<Parting> partings(List<String> decoded) {
        List<Parting> partings = new ArrayList<>();
        for (boolean slashes : choices('/', decoded)) {
            for (boolean backslashes : choices('\\', decoded)) {
                for (boolean parameters : choices(';', decoded)) {
                    partings.add(new Parting(slashes, backslashes, parameters));
                }
            }
        }
        return partings;
    }

    private static boolean[] choices(char of, List<String> decoded) {
        for (String segment : decoded) {
            if (segment.indexOf(of) >= 0) {
                return new boolean[] {false, true};
            }
        }
        return new boolean[] {false};
    }

    /**
     * What a server takes for a sign in a segment that it has decoded.
     *
     * @param slashes whether a slash parts segments
     * @param backslashes whether a backslash does
     * @param parameters whether parameters begin at a semicolon
     */
    private record Parting(boolean slashes, boolean backslashes, boolean parameters) {

        List<String> pieces(List<String> decoded) {
            List<String> pieces = new ArrayList<>();
            decoded.forEach(segment -> addPieces(segment, pieces));
            return pieces;
        }

        private void addPieces(String decoded, List<String> pieces) {
            int from = 0;
            for (int at = 0; at <= decoded.length(); at++) {
                if (at == decoded.length() || parts(decoded.charAt(at))) {
                    String piece = decoded.substring(from, at);
                    pieces.add(inner(parameters ? withoutParameters(piece) : piece));
                    from = at + 1;
                }
            }
        }

        private boolean parts(char c) {
            return (slashes && c == '/') || (backslashes && c == '\\');
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

    /**
     * With {@code .} and {@code ..} carried out.
     *
     * @param countEmpty whether {@code ..} takes an empty segment away like any other, as Jetty has it where it allows
     *     them
     */
    private static List<String> resolved(List<String> pieces, boolean countEmpty) {
        List<String> segments = new ArrayList<>();
        for (String piece : pieces) {
            if (piece.equals("..")) {
                if (!segments.isEmpty()) {
                    segments.remove(segments.size() - 1);
                }
            } else if (!piece.equals(".") && (countEmpty || !piece.isEmpty())) {
                segments.add(piece);
            }
        }
        return segments;
    }

    private static String asSent(List<String> pieces) {
        StringBuilder path = new StringBuilder();
        for (String piece : pieces) {
            if (!piece.isEmpty()) {
                path.append('/').append(piece);
            }
        }
        return path.isEmpty() ? "/" : path.toString();
    }

    private static String withoutParameters(String segment) {
        int semicolon = segment.indexOf(';');
        return semicolon < 0 ? segment : segment.substring(0, semicolon);
    }

    private static String inner(String decoded) {
        return decoded.replace('/', INNER_SLASH).replace('\\', INNER_SLASH);
    }
}
