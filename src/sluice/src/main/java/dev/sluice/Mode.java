package dev.sluice;

import java.util.Locale;

/** What happens to a call that a limit refuses. */
public enum Mode {
    /** The call is refused. */
    ENFORCE,
    /** The call proceeds, and reports show that it would have been refused. */
    DRY_RUN,
    /** The endpoint neither counts nor refuses calls. */
    OFF;

    /** The word in the file, for example {@code dry-run}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
