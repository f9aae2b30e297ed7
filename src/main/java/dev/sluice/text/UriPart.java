package dev.sluice.text;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** Parses parts of a URI. */
public final class UriPart {

    private UriPart() {}

    /**
     * Percent-decodes; unlike in forms, a plus stays a plus.
     *
     * @throws IllegalArgumentException if a percent sign is not followed by two hexadecimal digits
     */
    public static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
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
