package dev.sluice.internal.match.glob;

/** Folds the case of each character separately, so that the length of a text does not change. */
public final class CaseFolding {

    private CaseFolding() {}

    public static String of(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            folded.append(of(text.charAt(i)));
        }
        return folded.toString();
    }

    /** Whether the text contains the piece at index {@code from}. */
    public static boolean isAt(String text, int from, String piece, boolean ignoreCase) {
        if (!ignoreCase) {
            return text.startsWith(piece, from);
        }
        if (from + piece.length() > text.length()) {
            return false;
        }
        for (int i = 0; i < piece.length(); i++) {
            char wanted = piece.charAt(i);
            char found = text.charAt(from + i);
            if (wanted != found && of(wanted) != of(found)) {
                return false;
            }
        }
        return true;
    }

    public static char of(char c) {
        return Character.toLowerCase(Character.toUpperCase(c));
    }
}
