package dev.sluice.cli.rehearse.format;

import java.util.Arrays;

/** Undoes what servers do to odd bytes of a field: {@code \x22}, {@code \"}, {@code \\}, {@code \t}. */
final class Escapes {

    private Escapes() {}

    /** Those bytes without their escapes. */
    static byte[] undone(byte[] line, int from, int to) {
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
