package dev.sluice.internal.match.caller;

import org.jspecify.annotations.Nullable;

/**
 * Parses one element of the {@code Forwarded} header of RFC 7239. An element consists of pairs that are separated by
 * semicolons. Each pair consists of a name, and a token or a quoted text.
 */
final class ForwardedElement {

    private ForwardedElement() {}

    /**
     * Returns the previous hop, which is the value of {@code for}. Returns {@code null} if {@code for} is missing or
     * appears twice, or if any part of the element is malformed.
     */
    static @Nullable String node(String element) {
        if (element.indexOf('\\') >= 0) {
            return null; // no address needs an escape
        }
        String node = null;
        int at = 0;
        while (at <= element.length()) {
            int end = pairEnd(element, at);
            if (element.substring(at, end).isBlank()) {
                at = end + 1;
                continue;
            }
            int equals = element.indexOf('=', at);
            if (equals < 0 || equals > end) {
                return null;
            }
            String value = value(element.substring(equals + 1, end).strip());
            if (value == null) {
                return null;
            }
            if (element.substring(at, equals).strip().equalsIgnoreCase("for")) {
                if (node != null) {
                    return null;
                }
                node = value;
            }
            at = end + 1;
        }
        return node;
    }

    /** Returns the index of the next semicolon outside quotes. If there is none, returns the element's length. */
    private static int pairEnd(String element, int from) {
        boolean quoted = false;
        for (int i = from; i < element.length(); i++) {
            char c = element.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ';' && !quoted) {
                return i;
            }
        }
        return element.length();
    }

    /** Returns the text without its quotes; {@code null} if the quotes are malformed. */
    private static @Nullable String value(String text) {
        int first = text.indexOf('"');
        if (first < 0) {
            return text;
        }
        boolean sound = first == 0 && text.indexOf('"', 1) == text.length() - 1;
        return sound ? text.substring(1, text.length() - 1) : null;
    }
}
