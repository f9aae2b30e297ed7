package dev.sluice.internal.text;

/**
 * Makes untrusted text safe to show in a terminal, in a log or on a page, by escaping control characters and invisible
 * characters.
 */
public final class SafeText {

    private static final int LONGEST_LINE = 500;

    private SafeText() {}

    /** Escapes a sentence for a message. Truncates the sentence if it is very long. */
    public static String line(String sentence) {
        return cut(sentence, LONGEST_LINE);
    }

    /** Escapes the whole text. */
    public static String of(String text) {
        return cut(text, Integer.MAX_VALUE);
    }

    /** Escapes the text and truncates it to the given number of characters. A truncated text ends in an ellipsis. */
    public static String cut(String text, int most) {
        StringBuilder shown = new StringBuilder();
        for (int at = 0; at < text.length(); at = text.offsetByCodePoints(at, 1)) {
            String next = shown(text.codePointAt(at));
            boolean isLast = at + Character.charCount(text.codePointAt(at)) >= text.length();
            if (shown.length() + next.length() > most - (isLast ? 0 : 1)) {
                return shown.append('…').toString();
            }
            shown.append(next);
        }
        return shown.toString();
    }

    private static String shown(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> String.format("\\u%04x", codePoint);
            default -> Character.toString(codePoint);
        };
    }
}
