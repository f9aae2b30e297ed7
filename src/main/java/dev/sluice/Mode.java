package dev.sluice;

import java.util.Locale;

/** What happens to a call over its limit. */
public enum Mode {
    /** It is refused. */
    ENFORCE,
    /** It passes, and is reported as a call that would be refused. */
    DRY_RUN,
    /** Nothing is counted or decided. */
    OFF;

    /** The spelling in the file, for example {@code dry-run}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
