package dev.sluice.limits;

import java.util.regex.Pattern;

/**
 * A client that a {@link ClientSource} has found. Immutable and thread-safe.
 *
 * @param name the display name for the page, meters and the log; empty if there is none
 * @param plan the name of the client's plan; empty for the default plan
 */
public record KnownClient(String name, String plan) {

    /**
     * The pattern of display names. No client can be called {@code other}, because meters use that name for all clients
     * without their own gauges, or {@code everybody}, because reports use that name for all callers together. A display
     * name contains no equals sign, so it never looks like a subject with its value, such as {@code tenant=acme}.
     */
    private static final Pattern NAME =
            Pattern.compile("(?!(?:other|everybody)$)[\\p{L}\\p{N}][\\p{L}\\p{N} ._&()/+'-]{0,63}");

    /**
     * Whether a client can have this display name. It can contain at most 64 characters: letters, digits and a few
     * punctuation marks.
     */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches() && !text.endsWith(" ");
    }
}
