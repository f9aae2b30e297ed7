package dev.sluice.text;

/** What somebody else wrote, as a terminal, log or page may show it: nothing that it would obey, hide or turn round. */
public final class Visible {

    private Visible() {}

    /** All of it. */
    public static String of(String text) {
        return cut(text, Integer.MAX_VALUE);
    }

    /** No more than so many characters of it, the last of which says that there are more. */
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
