package dev.sluice.servlet.reply;

import dev.sluice.RefusalBody.Syntax;

/** Writes values so that they stay values, whatever they hold. */
final class Escapes {

    /** Stands for what no syntax lets pass. */
    private static final char NO_CHARACTER = '\uFFFD';

    private Escapes() {}

    static void append(StringBuilder text, Syntax syntax, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (syntax) {
                case JSON -> appendToJson(text, c);
                case MARKUP -> appendToMarkup(text, c);
                case PLAIN -> text.append(isControl(c) ? NO_CHARACTER : c);
            }
        }
    }

    /** Also what ends a script of a page that the answer is put into. */
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
            text.append(isControl(c) ? NO_CHARACTER : c);
        }
    }

    /** What ends lines among them, and what XML has no room for. */
    private static boolean isControl(char c) {
        return Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || c == '\uFFFE' || c == '\uFFFF';
    }
}
