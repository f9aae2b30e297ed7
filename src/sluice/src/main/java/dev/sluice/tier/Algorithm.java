package dev.sluice.tier;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The algorithms that count calls. {@link Limit} contains a record for each algorithm. */
public enum Algorithm {
    FIXED_WINDOW,
    SLIDING_WINDOW,
    SLIDING_LOG,
    TOKEN_BUCKET,
    LEAKY_BUCKET,
    CONCURRENCY;

    /** The algorithm of a tier that does not specify one. */
    public static final Algorithm DEFAULT = FIXED_WINDOW;

    private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The name in the file and in reports, for example {@code fixed-window}. */
    public String word() {
        return word;
    }

    /** The algorithm with the given name; empty if there is no such algorithm. */
    public static Optional<Algorithm> named(String word) {
        return Stream.of(values())
                .filter(algorithm -> algorithm.word.equals(word))
                .findFirst();
    }
}
