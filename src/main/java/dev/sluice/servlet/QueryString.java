package dev.sluice.servlet;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads one parameter from a query string; {@code getParameter} would consume the body of a form before the application sees it. */
final class QueryString {

    /** Nothing beyond this is looked at. Containers refuse longer request lines by default. */
    private static final int LONGEST = 16 * 1024;

    private QueryString() {}

    /** The first value of the parameter, decoded; {@code null} if the query has none of that name. */
    static @Nullable String first(@Nullable String query, String name) {
        if (query == null) {
            return null;
        }
        int length = Math.min(query.length(), LONGEST);
        for (int from = 0; from < length; ) {
            int to = indexOf(query, '&', from, length);
            int equals = indexOf(query, '=', from, to);
            if (decode(query.substring(from, equals)).equals(name)) {
                return equals == to ? "" : decode(query.substring(equals + 1, to));
            }
            from = to + 1;
        }
        return null;
    }

    private static int indexOf(String query, char sought, int from, int to) {
        int found = query.indexOf(sought, from);
        return found < 0 || found > to ? to : found;
    }

    /** Decodes plus and percent signs as UTF-8; a percent sign that opens no pair of hexadecimal digits stands for itself. */
    private static String decode(String text) {
        if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
            return text;
        }
        byte[] sent = text.getBytes(StandardCharsets.UTF_8);
        int length = 0;
        for (int i = 0; i < sent.length; i++) {
            int high = sent[i] == '%' && i + 2 < sent.length ? Character.digit(sent[i + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(sent[i + 2], 16);
            if (low >= 0) {
                sent[length++] = (byte) (high << 4 | low);
                i += 2;
            } else {
                sent[length++] = sent[i] == '+' ? (byte) ' ' : sent[i];
            }
        }
        return new String(sent, 0, length, StandardCharsets.UTF_8);
    }
}
