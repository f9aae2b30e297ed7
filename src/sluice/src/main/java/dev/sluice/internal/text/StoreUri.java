package dev.sluice.internal.text;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Helps to parse a store's URI. Messages quote only the scheme, because the rest of the URI could contain a password.
 *
 * @param scheme the scheme, for example {@code redis}
 * @param example an example of the text after the scheme, for messages
 */
public record StoreUri(String scheme, String example) {

    /**
     * Creates the exception for an invalid part. The sentence names the part but must not quote it. If a password
     * contains an unencoded special character, any part of the URI could in fact belong to that password.
     */
    public IllegalArgumentException bad(String sentence) {
        return new IllegalArgumentException(
                "store uri " + scheme + "://…: " + sentence + "; an example: " + scheme + "://" + example);
    }

    /** Decodes percent-encoded characters. Plus signs remain unchanged, unlike in forms. */
    public String decode(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw bad("a \"%\" is not followed by two hexadecimal digits; write a percent sign itself as %25");
        }
    }

    /** The index of the first of the given characters; the length of the text if there is none. */
    public static int firstOf(String text, int from, String characters) {
        int at = from;
        while (at < text.length() && characters.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }
}
