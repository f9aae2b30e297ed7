package dev.sluice.internal.match.path;

import dev.sluice.internal.text.PercentDecoding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ways in which servers and frameworks interpret a raw path.
 *
 * <p>These interpretations differ. {@code /a%2fb} has two segments for one server and a single segment for another. A
 * server can resolve {@code /x/%2e%2e/login} before it selects a servlet, whereas a framework on top of it uses the
 * segments as sent. Code that looks up files can ignore spaces that other code treats as a part of the file name. If a
 * limiter used only one interpretation, callers could bypass it. Therefore, an unusual path has several readings, and
 * an endpoint applies if any of them matches. A plain path has only one reading, which is the path itself. Nearly all
 * paths are plain.
 *
 * <p>In a reading, slashes separate segments. A slash or backslash within a segment is represented by
 * {@link #INNER_SLASH}.
 */
final class PathReadings {

    static final char INNER_SLASH = '\u0000';

    /**
     * For each of the first 256 characters, whether it ends a plain segment. A slash does, and so do all characters
     * that require closer inspection, such as {@link #INNER_SLASH}.
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

    /** Whether the rest of a path has only one reading. The rest must begin at the start of a segment. */
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
     * Returns the end of the segment that starts at this index, if the segment is plain; otherwise -1. A plain segment
     * is not empty, does not start with a dot, and contains no unusual characters.
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
        return isPlain(raw) ? List.of(raw) : List.copyOf(all(raw).keySet());
    }

    /**
     * Whether the path might end with a slash in some reading. If the result is {@code false}, no reading of the path
     * ends with a slash.
     */
    static boolean mayBeDirectory(String raw) {
        int last = raw.length() - 1;
        for (int i = last; i >= 0; i--) {
            char c = raw.charAt(i);
            if (STOPS[c & 255] && c < 256) {
                return c != '/' || i == last || raw.charAt(i + 1) == '.';
            }
        }
        return raw.isEmpty() || raw.charAt(0) == '.';
    }

    /**
     * Returns the readings in which the path ends with a slash, or with characters that servers treat as a slash. In
     * such a reading, the path is a directory, and a server can return the directory's welcome file. Most paths have no
     * such readings.
     */
    static List<String> directories(String raw) {
        if (isPlain(raw)) {
            return raw.endsWith("/") ? List.of(raw) : List.of();
        }
        List<String> directories = new ArrayList<>();
        all(raw).forEach((reading, isDirectory) -> {
            if (isDirectory) {
                directories.add(reading);
            }
        });
        return directories;
    }

    /**
     * Returns all readings of a path. The map's values indicate whether a reading ends with a slash. Callers choose the
     * path, so it can be long and unusual. Therefore, each reading is created in a single pass over the characters, and
     * only if the path contains a character that can distinguish this reading from the others.
     */
    private static Map<String, Boolean> all(String raw) {
        Pieces decoded = Pieces.decoded(raw);
        Map<String, Boolean> readings = new LinkedHashMap<>();
        for (boolean slashes : choices(decoded.hasSlashes)) {
            for (boolean backslashes : choices(decoded.hasBackslashes)) {
                for (boolean parameters : choices(decoded.hasSemicolons)) {
                    addAll(decoded, new Separators(slashes, backslashes, parameters), readings);
                }
            }
        }
        return readings;
    }

    private static void addAll(Pieces decoded, Separators separators, Map<String, Boolean> readings) {
        Pieces pieces = decoded.splitAt(separators);
        if (pieces.hasDots) {
            add(pieces.resolved(false), readings);
        }
        add(pieces, readings);
        if (pieces.hasDots && pieces.hasEmpty) {
            add(pieces.resolved(true), readings);
        }
        if (decoded.hasDots && separators.splits()) { // Jetty resolves dots before it splits at these
            add(decoded.resolved(false).splitAt(separators), readings);
            if (decoded.hasEmpty) {
                add(decoded.resolved(true).splitAt(separators), readings);
            }
        }
    }

    /** Adds a reading, and the corresponding reading for code that looks up files. */
    private static void add(Pieces segments, Map<String, Boolean> readings) {
        readings.merge(segments.asSent(), segments.isDirectory, Boolean::logicalOr);
        if (segments.differAsFile) {
            Pieces ofFile = segments.ofFile().resolved(false);
            readings.merge(ofFile.asSent(), ofFile.isDirectory, Boolean::logicalOr);
        }
    }

    private static boolean[] choices(boolean matter) {
        return matter ? new boolean[] {false, true} : new boolean[] {false};
    }

    /** Whether the character is a space or an ASCII control character. */
    private static boolean isBlank(char c) {
        return c <= ' ' || c == 0x7f;
    }

    /**
     * The special characters that a server recognises in a decoded segment.
     *
     * @param slashes whether a slash separates segments
     * @param backslashes whether a backslash separates segments
     * @param parameters whether a semicolon starts parameters
     */
    private record Separators(boolean slashes, boolean backslashes, boolean parameters) {

        private static final Separators OF_FILES = new Separators(true, true, false);

        private boolean splits() {
            return slashes || backslashes;
        }

        private boolean separate(char c) {
            return (slashes && c == '/') || (backslashes && c == '\\');
        }
    }

    /**
     * The segments of a path in a single array. A caller can send thousands of segments, and an array is faster than a
     * separate text for each segment. Facts that are needed later, such as the presence of dots, are recorded when
     * segments are added.
     */
    private static final class Pieces {

        /** All characters of all segments. */
        private char[] text;

        private int length;
        /** The end of each segment within the text. */
        private int[] ends = new int[16];

        private int count;

        private boolean hasSlashes;
        private boolean hasBackslashes;
        private boolean hasSemicolons;
        /** Whether any segment is {@code .} or {@code ..}. */
        private boolean hasDots;

        private boolean hasEmpty;
        /** Whether code that looks up files might interpret any segment differently. */
        private boolean differAsFile;
        /** Whether the path ends with a slash or a resolved dot segment. */
        private boolean isDirectory;

        private Pieces(int capacity) {
            this.text = new char[capacity];
        }

        /** Decodes the segments of a raw path, and removes their parameters. */
        private static Pieces decoded(String raw) {
            Pieces decoded = new Pieces(raw.length());
            int from = 0;
            while (from <= raw.length()) {
                int slash = raw.indexOf('/', from);
                int to = slash < 0 ? raw.length() : slash;
                decoded.addDecoded(raw, from, to);
                if (from == 0 && decoded.length == 0) { // a path begins with a slash that no segment precedes
                    decoded.count = 0;
                    decoded.hasEmpty = false;
                }
                from = to + 1;
            }
            return decoded;
        }

        private void addDecoded(String raw, int from, int to) {
            int at = from;
            while (at < to && raw.charAt(at) != ';') {
                char c = raw.charAt(at);
                int octet = c == '%' && at + 2 < to ? hex(raw.charAt(at + 1)) << 4 | hex(raw.charAt(at + 2)) : -1;
                boolean isUnit = c == '%' && at + 1 < to && raw.charAt(at + 1) == 'u';
                if (octet > 0x7f || isUnit) {
                    length = start(count);
                    int semicolon = raw.indexOf(';', from);
                    int end = semicolon < 0 || semicolon > to ? to : semicolon;
                    addText(PercentDecoding.ofPath(raw.substring(from, end)));
                    break;
                }
                add(octet >= 0 ? (char) octet : c);
                at += octet >= 0 ? 3 : 1;
            }
            endSegment();
        }

        /** Returns the value of a hexadecimal digit; negative if the character is not a hexadecimal digit. */
        private static int hex(char c) {
            return c < 0x80 ? Character.digit(c, 16) : -1;
        }

        private void addText(String more) {
            for (int i = 0; i < more.length(); i++) {
                add(more.charAt(i));
            }
        }

        private void add(char c) {
            if (length == text.length) {
                text = Arrays.copyOf(text, 2 * length + 16);
            }
            text[length++] = c;
        }

        private int start(int segment) {
            return segment == 0 ? 0 : ends[segment - 1];
        }

        private void endSegment() {
            if (count == ends.length) {
                ends = Arrays.copyOf(ends, 2 * count);
            }
            int from = start(count);
            ends[count++] = length;
            boolean isDots = isDots(from, length);
            hasDots |= isDots;
            hasEmpty |= from == length;
            isDirectory = from == length || isDots;
            differAsFile |= from < length && (isBlank(text[from]) || isBlank(text[length - 1]));
            for (int i = from; i < length; i++) {
                char c = text[i];
                if (c < 256 && STOPS[c]) {
                    hasSlashes |= c == '/';
                    hasBackslashes |= c == '\\';
                    hasSemicolons |= c == ';';
                    differAsFile |= c == '%' || c == '/' || c == '\\';
                }
            }
        }

        /** Whether this part of the text is {@code .} or {@code ..}. */
        private boolean isDots(int from, int to) {
            return to - from <= 2 && to > from && text[from] == '.' && text[to - 1] == '.';
        }

        /** Splits segments at these characters, and removes parameters. */
        private Pieces splitAt(Separators separators) {
            if (!(separators.splits() || separators.parameters)) {
                return this;
            }
            Pieces split = new Pieces(length);
            for (int i = 0; i < count; i++) {
                split.addSplit(text, start(i), ends[i], separators);
            }
            return split;
        }

        private void addSplit(char[] from, int start, int end, Separators separators) {
            boolean isParameter = false;
            for (int i = start; i < end; i++) {
                char c = from[i];
                if (separators.separate(c)) {
                    endSegment();
                    isParameter = false;
                } else if (separators.parameters && c == ';') {
                    isParameter = true;
                } else if (!isParameter) {
                    add(c);
                }
            }
            endSegment();
        }

        /**
         * Resolves {@code .} and {@code ..}.
         *
         * @param countEmpty whether {@code ..} removes an empty segment like any other segment. This is the case in
         *     Jetty if Jetty is configured to allow empty segments
         */
        private Pieces resolved(boolean countEmpty) {
            Pieces resolved = new Pieces(length);
            for (int i = 0; i < count; i++) {
                int from = start(i);
                if (isDots(from, ends[i])) {
                    if (ends[i] - from == 2 && resolved.count > 0) {
                        resolved.count--;
                        resolved.length = resolved.start(resolved.count);
                    }
                } else if (countEmpty || from < ends[i]) {
                    resolved.addPart(text, from, ends[i]);
                    resolved.endSegment();
                }
            }
            resolved.isDirectory = isDirectory;
            return resolved;
        }

        private void addPart(char[] from, int start, int end) {
            System.arraycopy(from, start, text, length, end - start);
            length += end - start;
        }

        /**
         * Returns the segments as code that looks up files sees them. Spring MVC removes spaces before a file name,
         * {@code java.net.URL} removes spaces after it, and a {@code file:} URL is decoded a second time. If this
         * reveals additional slashes and dots, they have their usual meaning.
         */
        private Pieces ofFile() {
            Pieces files = new Pieces(length);
            for (int i = 0; i < count; i++) {
                int from = start(i);
                int to = ends[i];
                while (from < to && isBlank(text[from])) {
                    from++;
                }
                while (from < to && isBlank(text[to - 1])) {
                    to--;
                }
                if (isEncoded(from, to)) {
                    char[] name = PercentDecoding.ofPath(new String(text, from, to - from))
                            .toCharArray();
                    files.addSplit(name, 0, name.length, Separators.OF_FILES);
                } else {
                    files.addSplit(text, from, to, Separators.OF_FILES);
                }
            }
            return files;
        }

        private boolean isEncoded(int from, int to) {
            for (int i = from; i < to; i++) {
                if (text[i] == '%') {
                    return true;
                }
            }
            return false;
        }

        /** Returns the path. Each slash or backslash inside a segment is replaced with {@code INNER_SLASH}. */
        private String asSent() {
            char[] path = new char[length + count + 1];
            int at = 0;
            for (int i = 0; i < count; i++) {
                int from = start(i);
                if (from < ends[i]) {
                    path[at++] = '/';
                }
                for (int j = from; j < ends[i]; j++) {
                    char c = text[j];
                    path[at++] = c == '/' || c == '\\' ? INNER_SLASH : c;
                }
            }
            return at == 0 ? "/" : new String(path, 0, at);
        }
    }

    /** Splits a path into its nonempty segments. */
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

    /** Formats a segment of a reading in readable form. */
    static String display(String segment) {
        return segment.replace(INNER_SLASH, '/');
    }
}
