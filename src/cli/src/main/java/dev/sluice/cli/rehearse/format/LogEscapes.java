package dev.sluice.cli.rehearse.format;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Decodes the escape sequences that servers use to log unusual bytes in a field: {@code \x22}, {@code \"}, {@code \\},
 * {@code \t}.
 */
final class LogEscapes {

    private LogEscapes() {}

    /** Replaces each escape sequence with its byte, and decodes the result as UTF-8. */
    static String unescaped(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        byte[] written = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        for (int i = 0; i < written.length; i++) {
            if (written[i] != '\\' || i + 1 == written.length) {
                plain.write(written[i]);
                continue;
            }
            int hex = written[i + 1] == 'x' && i + 3 < written.length ? hex(written[i + 2], written[i + 3]) : -1;
            plain.write(hex >= 0 ? hex : named(written[i + 1]));
            i += hex >= 0 ? 3 : 1;
        }
        return plain.toString(StandardCharsets.UTF_8);
    }

    /** Encodes a decoded path so that it can be decoded again. */
    static String encoded(String path) {
        return path.replace("%", "%25").replace("?", "%3F").replace(";", "%3B");
    }

    private static int hex(byte high, byte low) {
        int first = Character.digit(high, 16);
        int second = Character.digit(low, 16);
        return first < 0 || second < 0 ? -1 : first << 4 | second;
    }

    private static int named(byte letter) {
        return switch (letter) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'v' -> 0x0b;
            default -> letter;
        };
    }
}
