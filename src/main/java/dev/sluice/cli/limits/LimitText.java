package dev.sluice.cli.limits;

import dev.sluice.cli.text.TimeText;
import dev.sluice.cli.text.Visible;
import dev.sluice.limits.ClientOverride;
import dev.sluice.store.redis.KeptLimit;

/** Limits of clients in lines for people. What another program has written in the store does no harm to a terminal. */
final class LimitText {

    private static final int LONGEST_VALUE = 300;
    private static final int LONGEST_WORD = 200;

    private LimitText() {}

    /** For example {@code tenant acme get-product 5000/10s}. */
    static String line(ClientOverride limit) {
        String line = word(limit.subject())
                + ' '
                + Visible.cut(limit.value(), LONGEST_VALUE)
                + ' '
                + word(limit.endpoint())
                + ' '
                + word(limit.tiers());
        return line.strip();
    }

    private static String word(String text) {
        return Visible.cut(text, LONGEST_WORD);
    }

    /** For example {@code , until 2026-11-23T13:00:00Z (in 1h 59m), set 2026-11-23T11:00:00Z by eve@ops-1: a sale}. */
    static String notes(KeptLimit kept, long nowMillis) {
        String until = kept.untilMillis() == 0
                ? ""
                : ", until " + TimeText.moment(kept.untilMillis()) + " (in "
                        + TimeText.span(kept.untilMillis() - nowMillis) + ")";
        String since = kept.setMillis() == 0 ? "" : ", set " + TimeText.moment(kept.setMillis());
        String by = kept.by().isEmpty() ? "" : (since.isEmpty() ? ", set" : "") + " by " + word(kept.by());
        String why = kept.why().isEmpty() ? "" : ": " + word(kept.why());
        return until + since + by + why;
    }
}
