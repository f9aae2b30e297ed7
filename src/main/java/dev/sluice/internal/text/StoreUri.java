package dev.sluice.internal.text;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * The uri of a store that is being parsed, for its messages: these show nothing of it but its scheme.
 *
 * @param example what may follow after the scheme
 */
public record StoreUri(String scheme, String example) {

    /**
     * The error for a part that is wrong. The sentence names the part and does not quote it: any part may be the rest of
     * a password with a character that should be encoded.
     */
    public IllegalArgumentException bad(String sentence) {
        return new IllegalArgumentException(
                "store uri " + scheme + "://…: " + sentence + "; an example: " + scheme + "://" + example);
    }

    /** Percent-decodes; unlike in forms, a plus stays a plus. */
    public String decode(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw bad("a \"%\" is not followed by two hexadecimal digits; write a percent sign itself as %25");
        }
    }

    /** The index of the first of these characters, or the end. */
    public static int firstOf(String text, int from, String characters) {
        int at = from;
        while (at < text.length() && characters.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }
}
