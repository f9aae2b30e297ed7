package dev.sluice.limits;

import java.util.regex.Pattern;

/**
 * A client as a {@link ClientSource} knows it. Immutable and thread-safe.
 *
 * @param name the display name, which the page, meters and the log show; empty if there is none
 * @param plan the name of its plan; empty for the default plan
 */
public record KnownClient(String name, String plan) {

    /**
     * The pattern of display names. {@code other} stands for all further clients together, so no client can have that
     * name. No value of a subject looks like one.
     */
    private static final Pattern NAME =
            Pattern.compile("(?!(?:other|everybody)$)[\\p{L}\\p{N}][\\p{L}\\p{N} ._&()/+'-]{0,63}");

    /** Whether a client can have this display name: letters, digits and a few marks, at most 64 characters. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches() && !text.endsWith(" ");
    }
}
