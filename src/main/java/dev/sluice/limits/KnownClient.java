package dev.sluice.limits;

import java.util.regex.Pattern;

/**
 * What is known of a client beside the value that identifies it.
 *
 * @param name its name for people, which the page, meters and the log show; empty if it has none
 * @param plan the name of its plan; empty for the one that others have
 */
public record KnownClient(String name, String plan) {

    /** What may stand for a name; {@code other} stands for all clients together. No value of a subject looks like one. */
    private static final Pattern NAME =
            Pattern.compile("(?!(?:other|everybody)$)[\\p{L}\\p{N}][\\p{L}\\p{N} ._&()/+'-]{0,63}");

    /** Whether this may be the name of a client: letters, digits and a few marks, 64 characters at most. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches() && !text.endsWith(" ");
    }
}
