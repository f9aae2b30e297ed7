package dev.sluice.internal.text;

import java.nio.charset.StandardCharsets;

/**
 * Decodes percent-encoded UTF-8 characters in requests. Like servers, the decoder is lenient: a percent sign that does
 * not begin an encoded character remains unchanged.
 */
public final class PercentDecoding {

    private PercentDecoding() {}

    /**
     * Decodes part of a path. Also decodes Microsoft's non-standard encoding, such as {@code %u006c}. Plus signs remain
     * unchanged.
     */
    public static String ofPath(String text) {
        return text.indexOf('%') < 0 ? text : decode(text, false);
    }

    /** Decodes a name or value in a query. Plus signs are decoded as spaces. */
    public static String ofQuery(String text) {
        return text.indexOf('%') < 0 && text.indexOf('+') < 0 ? text : decode(text, true);
    }

    /** Decodes in place. This is possible because a decoded character is never longer than its encoding. */
    private static String decode(String text, boolean isQuery) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int to = 0;
        int from = 0;
        while (from < bytes.length) {
            byte sent = bytes[from];
            int octet = sent == '%' ? hex(bytes, from + 1, 2) : -1;
            boolean mayBeUnit = sent == '%' && !isQuery && from + 1 < bytes.length && bytes[from + 1] == 'u';
            int unit = mayBeUnit ? hex(bytes, from + 2, 4) : -1;
            if (octet >= 0) {
                bytes[to++] = (byte) octet;
                from += 3;
            } else if (unit >= 0) {
                byte[] character = Character.toString(unit).getBytes(StandardCharsets.UTF_8);
                System.arraycopy(character, 0, bytes, to, character.length);
                to += character.length;
                from += 6;
            } else {
                bytes[to++] = isQuery && sent == '+' ? (byte) ' ' : sent;
                from++;
            }
        }
        return new String(bytes, 0, to, StandardCharsets.UTF_8);
    }

    /** The value of the given number of hexadecimal digits; -1 if one of the characters is not a hexadecimal digit. */
    private static int hex(byte[] bytes, int from, int digits) {
        if (from + digits > bytes.length) {
            return -1;
        }
        int number = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = Character.digit(bytes[i], 16);
            if (digit < 0) {
                return -1;
            }
            number = number << 4 | digit;
        }
        return number;
    }
}
