package dev.sluice.internal.match.glob;

import java.util.List;

/**
 * A text with stars. Each star matches any number of characters.
 *
 * @param pieces the texts before, between and after the stars
 */
public record Glob(List<String> pieces) {

    /** Parses a text with stars. */
    public static Glob parse(String text) {
        return new Glob(List.of(text.split("\\*", -1)));
    }

    /** Whether {@code text} matches {@code written}, which can contain stars. */
    public static boolean isLike(String text, String written) {
        return written.indexOf('*') < 0 ? text.equals(written) : parse(written).matches(text, 0, text.length(), false);
    }

    /** Returns the text before the first star. */
    String beginning() {
        return pieces.get(0);
    }

    /** Returns the text after the last star. */
    String ending() {
        return pieces.get(pieces.size() - 1);
    }

    /** Whether the glob consists only of a prefix or a suffix. */
    boolean isPrefixOrSuffix() {
        return pieces.size() == 2 && (beginning().isEmpty() || ending().isEmpty());
    }

    /** Whether the part of the text between the two indexes matches. */
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
