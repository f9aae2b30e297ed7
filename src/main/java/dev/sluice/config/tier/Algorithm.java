package dev.sluice.config.tier;

import java.util.Locale;

/** How calls are counted, by the words of the file. */
enum Algorithm {
    FIXED_WINDOW,
    SLIDING_WINDOW,
    SLIDING_LOG,
    TOKEN_BUCKET,
    LEAKY_BUCKET,
    CONCURRENCY;

    /** What a tier gets that names none. */
    static final Algorithm DEFAULT = FIXED_WINDOW;

    /** As the file spells it: {@code fixed-window}. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
