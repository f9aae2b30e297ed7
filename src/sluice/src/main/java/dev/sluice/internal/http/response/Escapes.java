package dev.sluice.internal.http.response;

import dev.sluice.RefusalBody.Syntax;

/** Escapes values for the syntax of a body, so that no value can break out of it. */
final class Escapes {

    /** The replacement for control characters if the syntax has no escape for them. */
    private static final char REPLACEMENT = '\uFFFD';

    private Escapes() {}

    static void append(StringBuilder text, Syntax syntax, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (syntax) {
                case JSON -> appendToJson(text, c);
                case MARKUP -> appendToMarkup(text, c);
                case PLAIN -> text.append(isControl(c) ? REPLACEMENT : c);
            }
        }
    }

    /**
     * Escapes a character for JSON. Characters that could end a script are escaped too, because a page might embed the
     * JSON.
     */
    private static void appendToJson(StringBuilder text, char c) {
        if (c == '"' || c == '\\') {
            text.append('\\').append(c);
        } else if (isControl(c) || "<>&'".indexOf(c) >= 0) {
            text.append(String.format("\\u%04x", (int) c));
        } else {
            text.append(c);
        }
    }

    private static void appendToMarkup(StringBuilder text, char c) {
        if ("<>&\"'`".indexOf(c) >= 0) {
            text.append("&#").append((int) c).append(';');
        } else {
            text.append(isControl(c) ? REPLACEMENT : c);
        }
    }

    /** Whether the character is a control character, a line separator, or a character that XML does not allow. */
    private static boolean isControl(char c) {
        return Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || c == '\uFFFE' || c == '\uFFFF';
    }
}
