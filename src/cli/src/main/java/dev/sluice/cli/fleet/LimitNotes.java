package dev.sluice.cli.fleet;

import dev.sluice.cli.output.TimeText;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.text.SafeText;
import java.util.List;

/** Notes on a limit in the store: when it expires, who set it, when and why. */
public final class LimitNotes {

    private static final int LONGEST_WORD = 200;

    private LimitNotes() {}

    /** For example {@code , until 2026-11-23T13:00:00Z (in 1h 59m), set 2026-11-23T11:00:00Z by eve@ops-1: a sale}. */
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

    /** The same as cells of a table: its end, when it was set, by whom and why. Unknown ones are dashes. */
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

    /** A text as a cell of a table; a dash if it is empty. */
    public static String cell(String text) {
        return text.isEmpty() ? "-" : word(text);
    }

    private static String word(String text) {
        return SafeText.cut(text, LONGEST_WORD);
    }
}
