package dev.sluice.match.text;

import java.util.List;

/**
 * Text with stars in it.
 *
 * @param pieces what stands before, between and after the stars
 */
public record Glob(List<String> pieces) {

    /** Reads a text in which each star stands for any characters. */
    public static Glob parse(String text) {
        return new Glob(List.of(text.split("\\*", -1)));
    }

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

    /** Whether {@code text} between {@code from} and {@code to} reads as these pieces with anything between them. */
    public boolean matches(String text, int from, int to, boolean ignoreCase) {
        String first = beginning();
        String last = ending();
        if (to - from < first.length() + last.length()
                || !CaseFolding.isAt(text, from, first, ignoreCase)
                || !CaseFolding.isAt(text, to - last.length(), last, ignoreCase)) {
            return false;
        }
        int at = from + first.length();
        int end = to - last.length();
        for (int i = 1; i < pieces.size() - 1; i++) {
            at = indexAfter(text, at, end, pieces.get(i), ignoreCase);
            if (at < 0) {
                return false;
            }
        }
        return true;
    }

    private static int indexAfter(String text, int from, int end, String piece, boolean ignoreCase) {
        for (int at = from; at + piece.length() <= end; at++) {
            if (CaseFolding.isAt(text, at, piece, ignoreCase)) {
                return at + piece.length();
            }
        }
        return -1;
    }
}
