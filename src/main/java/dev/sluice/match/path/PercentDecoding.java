package dev.sluice.match.path;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Decodes percent-encoded characters of a path. */
final class PercentDecoding {

    private PercentDecoding() {}

    /** Decodes UTF-8, and also Microsoft's {@code %u006c}; anything else stays as it was sent. */
    static String decode(String segment) {
        if (segment.indexOf('%') < 0) {
            return segment;
        }
        ByteArrayOutputStream decoded = new ByteArrayOutputStream(segment.length());
        int at = 0;
        while (at < segment.length()) {
            int octet = hex(segment, at, "%", 2);
            int unit = hex(segment, at, "%u", 4);
            if (octet >= 0) {
                decoded.write(octet);
                at += 3;
            } else {
                int character = unit >= 0 ? unit : segment.charAt(at);
                decoded.writeBytes(Character.toString(character).getBytes(StandardCharsets.UTF_8));
                at += unit >= 0 ? 6 : 1;
            }
        }
        return decoded.toString(StandardCharsets.UTF_8);
    }

    /** The number after the prefix, -1 if there is none. */
    private static int hex(String text, int at, String prefix, int digits) {
        int from = at + prefix.length();
        if (!text.startsWith(prefix, at) || from + digits > text.length()) {
            return -1;
        }
        int number = 0;
        for (int i = from; i < from + digits; i++) {
            char digit = text.charAt(i);
            if (!HexFormat.isHexDigit(digit)) {
                return -1;
            }
            number = number * 16 + HexFormat.fromHexDigit(digit);
        }
        return number;
    }
}
