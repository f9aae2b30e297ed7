package dev.sluice.match;

import java.util.List;

/** What one piece of a pattern between two slashes asks of one piece of a path. */
sealed interface Segment {

    /** Exactly this text. */
    record Literal(String text) implements Segment {}

    /** Text with stars in it: the pieces before, between and after the stars. */
    record Glob(List<String> pieces) implements Segment {

        /** What stands before the first star. */
        String beginning() {
            return pieces.get(0);
        }

        /** What stands behind the last star. */
        String ending() {
            return pieces.get(pieces.size() - 1);
        }

        /** Whether a text fits that begins with the beginning and ends with the ending, one of which says nothing. */
        boolean hasOneEnd() {
            return pieces.size() == 2 && (beginning().isEmpty() || ending().isEmpty());
        }

        /** Whether {@code path} between {@code from} and {@code to} reads as these pieces with anything between them. */
        boolean matches(String path, int from, int to, boolean ignoreCase) {
            String first = beginning();
            String last = ending();
            if (to - from < first.length() + last.length()
                    || !path.regionMatches(ignoreCase, from, first, 0, first.length())
                    || !path.regionMatches(ignoreCase, to - last.length(), last, 0, last.length())) {
                return false;
            }
            int at = from + first.length();
            int end = to - last.length();
            for (int i = 1; i < pieces.size() - 1; i++) {
                at = indexAfter(path, at, end, pieces.get(i), ignoreCase);
                if (at < 0) {
                    return false;
                }
            }
            return true;
        }

        private static int indexAfter(String path, int from, int end, String piece, boolean ignoreCase) {
            for (int at = from; at + piece.length() <= end; at++) {
                if (path.regionMatches(ignoreCase, at, piece, 0, piece.length())) {
                    return at + piece.length();
                }
            }
            return -1;
        }
    }

    /** Any one segment, remembered under a name; the name is empty for a plain {@code *}. */
    record Any(String name) implements Segment {}

    /** Any number of segments, also none. */
    record Rest() implements Segment {}
}
