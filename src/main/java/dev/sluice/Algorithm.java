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

    private static final Limit.Cases<Algorithm> OF_LIMIT = new Limit.Cases<>(
            (Limit.FixedWindow window) -> FIXED_WINDOW,
            (Limit.SlidingWindow window) -> SLIDING_WINDOW,
            (Limit.SlidingLog log) -> SLIDING_LOG,
            (Limit.TokenBucket bucket) -> TOKEN_BUCKET,
            (Limit.LeakyBucket bucket) -> LEAKY_BUCKET,
            (Limit.Concurrency places) -> CONCURRENCY);

    /** The algorithm of a limit. */
    public static Algorithm of(Limit limit) {
        return limit.byAlgorithm(OF_LIMIT);
    }

    /** As the file spells it: {@code fixed-window}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
