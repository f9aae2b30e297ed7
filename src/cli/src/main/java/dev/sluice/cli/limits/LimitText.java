package dev.sluice.cli.limits;

import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.internal.text.CallerText;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.ClientOverride;
import java.util.List;

/**
 * Formats client limits for a terminal. Escapes control characters, because any program could have written the limits
 * to the store.
 */
final class LimitText {

    private static final int LONGEST_CLIENT = 500;
    private static final int LONGEST_WORD = 200;

    private LimitText() {}

    /** Formats the limit, for example {@code tenant=acme get-product 5000/10s}. */
    static String line(ClientOverride limit) {
        return line(limit, List.of());
    }

    /**
     * Formats the limit with the client's display name in parentheses, for example
     * {@code tenant=#rKyfBeNJjQKihLUMNruyfw (Globex) get-product 5000/10s}.
     *
     * @param known the files in force, which contain display names
     */
    static String line(ClientOverride limit, List<FollowedFile> known) {
        String line = client(limit, known) + ' ' + word(limit.endpoint()) + ' ' + word(limit.tiers());
        return line.strip();
    }

    /** Formats a limit's client, with the client's display name in parentheses. */
    static String client(ClientOverride limit, List<FollowedFile> known) {
        return SafeText.cut(CallerText.pair(limit.subject(), limit.value()), LONGEST_CLIENT)
                + FollowedFile.displayName(known, limit.subject(), limit.value());
    }

    private static String word(String text) {
        return SafeText.cut(text, LONGEST_WORD);
    }
}
