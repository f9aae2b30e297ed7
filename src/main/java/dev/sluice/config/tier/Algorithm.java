package dev.sluice.config.tier;

import java.util.Locale;

/** The algorithms, as the file names them. */
enum Algorithm {
    FIXED_WINDOW,
    SLIDING_WINDOW,
    SLIDING_LOG,
    TOKEN_BUCKET,
    LEAKY_BUCKET,
    CONCURRENCY;

    /** The algorithm of a tier that names none. */
    static final Algorithm DEFAULT = FIXED_WINDOW;

    /** The spelling in the file, for example {@code fixed-window}. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
