package dev.sluice.cli.fleet;

import dev.sluice.cli.output.TimeText;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.text.SafeText;
import java.util.List;

/**
 * Formats the notes on a limit in the store. They state when the limit expires, when it was set, who set it, and why.
 */
public final class LimitNotes {

    private static final int LONGEST_WORD = 200;

    private LimitNotes() {}

    /**
     * Formats the notes as text, for example
     * {@code , until 2026-11-23T13:00:00Z (in 1h 59m), set 2026-11-23T11:00:00Z by eve@ops-1: a sale}.
     */
    public static String of(StoredOverride kept, long nowMillis) {
        String until = kept.untilMillis() == 0
                ? ""
                : ", until " + TimeText.moment(kept.untilMillis()) + " (in "
                        + TimeText.span(kept.untilMillis() - nowMillis) + ")";
        String since = kept.setMillis() == 0 ? "" : ", set " + TimeText.moment(kept.setMillis());
        String by = kept.by().isEmpty() ? "" : (since.isEmpty() ? ", set" : "") + " by " + word(kept.by());
        String why = kept.why().isEmpty() ? "" : ": " + word(kept.why());
        return until + since + by + why;
    }

    /** Formats the notes as table cells: expiry, time of setting, operator, and reason. Unknown values are dashes. */
    public static List<String> cells(StoredOverride kept, long nowMillis) {
        return List.of(
                kept.untilMillis() == 0
                        ? "-"
                        : TimeText.moment(kept.untilMillis()) + " (in " + TimeText.span(kept.untilMillis() - nowMillis)
                                + ")",
                kept.setMillis() == 0 ? "-" : TimeText.moment(kept.setMillis()),
                cell(kept.by()),
                cell(kept.why()));
    }

    /** Formats a text as a table cell; a dash if the text is empty. */
    public static String cell(String text) {
        return text.isEmpty() ? "-" : word(text);
    }

    private static String word(String text) {
        return SafeText.cut(text, LONGEST_WORD);
    }
}
