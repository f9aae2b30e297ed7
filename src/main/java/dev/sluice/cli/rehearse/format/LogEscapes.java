package dev.sluice.cli.rehearse.format;

import dev.sluice.cli.rehearse.call.ByteSpan;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Removes the escapes that servers write for unusual bytes in a field: {@code \x22}, {@code \"}, {@code \\}, {@code
 * \t}.
 */
final class LogEscapes {

    private LogEscapes() {}

    /** The bytes without escapes. */
    static byte[] unescaped(byte[] line, int from, int to) {
        byte[] plain = new byte[to - from];
        int length = 0;
        for (int i = from; i < to; i++) {
            if (line[i] != '\\' || i + 1 == to) {
                plain[length++] = line[i];
                continue;
            }
            int hex = line[i + 1] == 'x' && i + 3 < to ? hex(line[i + 2], line[i + 3]) : -1;
            if (hex >= 0) {
                plain[length++] = (byte) hex;
                i += 3;
            } else {
                plain[length++] = named(line[++i]);
            }
        }
        return Arrays.copyOf(plain, length);
    }

    /** Encodes a decoded path, so that it can be decoded again. */
    static ByteSpan encoded(ByteSpan path) {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        for (int i = path.from(); i < path.to(); i++) {
            byte one = path.bytes()[i];
            if (one == '%' || one == '?' || one == ';') {
                encoded.writeBytes(String.format("%%%02X", one).getBytes(StandardCharsets.US_ASCII));
            } else {
                encoded.write(one);
            }
        }
        if (encoded.size() == path.to() - path.from()) {
            return path;
        }
        ByteSpan changed = new ByteSpan();
        changed.set(encoded.toByteArray(), 0, encoded.size());
        return changed;
    }

    private static int hex(byte high, byte low) {
        int first = Character.digit(high, 16);
        int second = Character.digit(low, 16);
        return first < 0 || second < 0 ? -1 : first << 4 | second;
    }

    private static byte named(byte letter) {
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
