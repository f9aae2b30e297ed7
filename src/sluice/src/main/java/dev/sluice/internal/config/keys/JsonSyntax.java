package dev.sluice.internal.config.keys;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks whether a text is valid JSON (RFC 8259). This class exists because some applications do not use Jackson. Not
 * thread-safe, except for {@link #isJson}.
 */
final class JsonSyntax {

    private static final int DEEPEST = 50;
    private static final String BLANKS = " \t\r\n";
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:[\"\\\\/bfnrt]|u[0-9a-fA-F]{4})");
    private static final Pattern SIMPLE =
            Pattern.compile("true|false|null|-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?");

    private final String text;
    private int next;

    private JsonSyntax(String text) {
        this.text = text;
    }

    static boolean isJson(String text) {
        JsonSyntax syntax = new JsonSyntax(text);
        return syntax.value(0) && syntax.next == text.length();
    }

    /** Consumes a value and the whitespace around it. */
    private boolean value(int depth) {
        skipBlanks();
        boolean isValue =
                depth <= DEEPEST && (string() || take(SIMPLE) || members('{', '}', depth) || members('[', ']', depth));
        skipBlanks();
        return isValue;
    }

    private boolean members(char open, char close, int depth) {
        if (!take(open)) {
            return false;
        }
        skipBlanks();
        if (take(close)) {
            return true;
        }
        do {
            if ((open == '{' && !name()) || !value(depth + 1)) {
                return false;
            }
        } while (take(','));
        return take(close);
    }

    private boolean name() {
        skipBlanks();
        boolean isName = string();
        skipBlanks();
        return isName && take(':');
    }

    private boolean string() {
        if (!take('"')) {
            return false;
        }
        while (next < text.length()) {
            if (take('"')) {
                return true;
            }
            if (text.charAt(next) == '\\') {
                if (!take(ESCAPE)) {
                    return false;
                }
            } else if (text.charAt(next++) < ' ') {
                return false;
            }
        }
        return false;
    }

    private void skipBlanks() {
        while (next < text.length() && BLANKS.indexOf(text.charAt(next)) >= 0) {
            next++;
        }
    }

    private boolean take(Pattern what) {
        Matcher matcher = what.matcher(text).region(next, text.length());
        boolean isThere = matcher.lookingAt();
        next = isThere ? matcher.end() : next;
        return isThere;
    }

    private boolean take(char what) {
        boolean isThere = next < text.length() && text.charAt(next) == what;
        next += isThere ? 1 : 0;
        return isThere;
    }
}
