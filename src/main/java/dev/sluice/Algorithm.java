package dev.sluice;

import java.util.Locale;

/** How calls are counted, by the words of the file. */
public enum Algorithm {
    FIXED_WINDOW,
    SLIDING_WINDOW,
    SLIDING_LOG,
    TOKEN_BUCKET,
    LEAKY_BUCKET,
    CONCURRENCY;

    /** What a tier gets that names none. */
    public static final Algorithm DEFAULT = FIXED_WINDOW;

    /** As the file spells it: {@code fixed-window}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
