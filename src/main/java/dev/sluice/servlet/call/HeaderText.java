package dev.sluice.servlet.call;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The value of a header as its sender wrote it. Containers read headers as Latin-1, and senders write UTF-8: what is
 * valid UTF-8 is read as such. A name of Latin-1 letters is not, so it is the same name in either encoding.
 */
final class HeaderText {

    private static final int LAST_ASCII = 0x7f;
    private static final int LAST_LATIN = 0xff;

    private HeaderText() {}

    /** Makes no object for a value in ASCII. */
    static String of(String value) {
        for (int at = 0; at < value.length(); at++) {
            if (value.charAt(at) > LAST_ASCII) {
                return decoded(value);
            }
        }
        return value;
    }

    private static String decoded(String value) {
        if (value.chars().anyMatch(letter -> letter > LAST_LATIN)) {
            return value; // the container has read it as UTF-8
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            return value;
        }
    }
}
