package dev.sluice.cli.limits;

import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.ClientOverride;

/**
 * Limits of clients as lines for a terminal; control characters are escaped, since any program may write to the store.
 */
final class LimitText {

    private static final int LONGEST_VALUE = 300;
    private static final int LONGEST_WORD = 200;

    private LimitText() {}

    /** For example {@code tenant acme get-product 5000/10s}. */
    static String line(ClientOverride limit) {
        String line = word(limit.subject())
                + ' '
                + SafeText.cut(limit.value(), LONGEST_VALUE)
                + ' '
                + word(limit.endpoint())
                + ' '
                + word(limit.tiers());
        return line.strip();
    }

    private static String word(String text) {
        return SafeText.cut(text, LONGEST_WORD);
    }
}
