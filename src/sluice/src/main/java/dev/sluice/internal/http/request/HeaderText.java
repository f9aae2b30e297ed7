package dev.sluice.internal.http.request;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Decodes header values. Containers decode headers as Latin-1, but most senders write UTF-8. Therefore, a value that is
 * valid UTF-8 is decoded as UTF-8, and any other value remains unchanged. Latin-1 text with non-ASCII characters is
 * hardly ever valid UTF-8. As a result, a name has the same text whether it was sent in UTF-8 or in Latin-1.
 */
public final class HeaderText {

    private static final int LAST_ASCII = 0x7f;
    private static final int LAST_LATIN = 0xff;

    private HeaderText() {}

    /** Returns the decoded value. An ASCII value is returned as the same object. */
    public static String of(String value) {
        for (int at = 0; at < value.length(); at++) {
            if (value.charAt(at) > LAST_ASCII) {
                return decoded(value);
            }
        }
        return value;
    }

    private static String decoded(String value) {
        if (value.chars().anyMatch(letter -> letter > LAST_LATIN)) {
            return value; // the container has already decoded it as UTF-8
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
