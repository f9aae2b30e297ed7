package dev.sluice.internal.match.path;

import dev.sluice.internal.text.PercentDecoding;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The ways in which servers and frameworks interpret a raw path.
 *
 * <p>They disagree: {@code /a%2fb} is two segments to one and a single segment to another; one resolves {@code
 * /x/%2e%2e/login} before it selects a servlet, while a framework on top may use the segments as sent. Code that looks
 * for a file may drop spaces that others take for a part of its name. A limiter with only one interpretation could be
 * bypassed. So an unusual path has several readings, and an endpoint applies if any of them matches. A plain path has
 * one reading: itself. Nearly all paths are plain.
 *
 * <p>In a reading, slashes separate segments; a slash or backslash within a segment is written as {@link #INNER_SLASH}.
 */
final class PathReadings {

    static final char INNER_SLASH = '\u0000';

    /**
     * For each of the first 256 characters, whether it ends a plain segment: a slash, or a character that needs a
     * closer look, {@link #INNER_SLASH} among them.
     */
    private static final boolean[] STOPS = new boolean[256];

    static {
        for (char c = 0; c < STOPS.length; c++) {
            STOPS[c] = isBlank(c) || "/%;\\".indexOf(c) >= 0;
        }
    }

    private PathReadings() {}

    /** Whether the path has only one reading. */
    static boolean isPlain(String raw) {
        return raw.startsWith("/") && isPlain(raw, 1);
    }

    /** Whether the rest of a path, from the start of a segment on, has only one reading. */
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
     * The end of the segment that starts there, if it is not empty, does not start with a dot and has no unusual
     * characters; otherwise -1.
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
            decoded.add(PercentDecoding.ofPath(withoutParameters(rawSegment)));
        }
        if (decoded.get(0).isEmpty()) {
            decoded.remove(0); // the text before the first slash
        }
        Set<String> readings = new LinkedHashSet<>();
        for (Separators separators : separatorChoices(decoded)) {
            List<String> pieces = separators.pieces(decoded);
            add(resolved(pieces, false), readings);
            add(pieces, readings);
            add(resolved(pieces, true), readings);
            if (separators.slashes || separators.backslashes) { // Jetty resolves dots before it splits at these
                add(separators.pieces(resolved(decoded, false)), readings);
                add(separators.pieces(resolved(decoded, true)), readings);
            }
        }
        return List.copyOf(readings);
    }

    /** Adds a reading, and how code that looks for a file reads it. */
    private static void add(List<String> segments, Set<String> readings) {
        readings.add(asSent(segments));
        List<String> ofFile = ofFile(segments);
        if (!ofFile.equals(segments)) {
            readings.add(asSent(resolved(ofFile, false)));
        }
    }

    /**
     * The segments as seen by code that looks for a file. Spring MVC drops the spaces before a file's name, {@code
     * java.net.URL} drops the spaces after it, and a {@code file:} URL is decoded once more. Slashes and dots that this
     * reveals count.
     */
    private static List<String> ofFile(List<String> segments) {
        List<String> names = segments.stream()
                .map(segment -> PercentDecoding.ofPath(withoutBlanksAround(segment)))
                .toList();
        return new Separators(true, true, false).pieces(names);
    }

    private static String withoutBlanksAround(String segment) {
        int from = 0;
        int to = segment.length();
        while (from < to && isBlank(segment.charAt(from))) {
            from++;
        }
        while (from < to && isBlank(segment.charAt(to - 1))) {
            to--;
        }
        return segment.substring(from, to);
    }

    /** Whether it is a space or an ASCII control character. */
    private static boolean isBlank(char c) {
        return c <= ' ' || c == 0x7f;
    }

    /** All interpretations that make a difference to these segments. */
    private static List<Separators> separatorChoices(List<String> decoded) {
        List<Separators> separatorChoices = new ArrayList<>();
        for (boolean slashes : choices('/', decoded)) {
            for (boolean backslashes : choices('\\', decoded)) {
                for (boolean parameters : choices(';', decoded)) {
                    separatorChoices.add(new Separators(slashes, backslashes, parameters));
                }
            }
        }
        return separatorChoices;
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
     * Which characters in a decoded segment a server treats as special.
     *
     * @param slashes whether a slash separates segments
     * @param backslashes whether a backslash separates segments
     * @param parameters whether a semicolon starts parameters
     */
    private record Separators(boolean slashes, boolean backslashes, boolean parameters) {

        List<String> pieces(List<String> decoded) {
            List<String> pieces = new ArrayList<>();
            decoded.forEach(segment -> addPieces(segment, pieces));
            return pieces;
        }

        private void addPieces(String decoded, List<String> pieces) {
            int from = 0;
            for (int at = 0; at <= decoded.length(); at++) {
                if (at == decoded.length() || separates(decoded.charAt(at))) {
                    String piece = decoded.substring(from, at);
                    pieces.add(parameters ? withoutParameters(piece) : piece);
                    from = at + 1;
                }
            }
        }

        private boolean separates(char c) {
            return (slashes && c == '/') || (backslashes && c == '\\');
        }
    }

    /** The segments of a path, without empty ones. */
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

    /** A segment of a reading, for people. */
    static String display(String segment) {
        return segment.replace(INNER_SLASH, '/');
    }

    /**
     * Resolves {@code .} and {@code ..}.
     *
     * @param countEmpty whether {@code ..} removes an empty segment like any other, as in Jetty if it allows them
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
                path.append('/').append(inner(piece));
            }
        }
        return path.isEmpty() ? "/" : path.toString();
    }

    private static String withoutParameters(String segment) {
        int semicolon = segment.indexOf(';');
        return semicolon < 0 ? segment : segment.substring(0, semicolon);
    }

    /** With each slash or backslash inside a segment marked as such. */
    private static String inner(String decoded) {
        return decoded.replace('/', INNER_SLASH).replace('\\', INNER_SLASH);
    }
}
