package dev.sluice.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a tier counts: the words of the key {@code algorithm}, each with the keys that not all algorithms have. */
enum Algorithm {
    FIXED_WINDOW("period"),
    SLIDING_WINDOW("period", "subWindows"),
    SLIDING_LOG("period"),
    TOKEN_BUCKET("period", "burst"),
    LEAKY_BUCKET("period", "queue", "maxWait"),
    CONCURRENCY("scope");

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> keys;

    Algorithm(String... keys) {
        this.keys = List.of(keys);
    }

    boolean has(String key) {
        return keys.contains(key);
    }

    /** As the file spells it. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Tells of each key that only other algorithms have that it may not stand here. */
    void refuseForeignKeys(Section tier) {
        for (String key : allKeys()) {
            if (!has(key)) {
                tier.misplaced(key, whyNot(key));
            }
        }
    }

    /** Passes over the keys that not all algorithms have. */
    static void ignoreKeys(Section tier) {
        allKeys().stream().filter(key -> !FIXED_WINDOW.has(key)).forEach(tier::ignored);
    }

    private static List<String> allKeys() {
        return Arrays.stream(values())
                .flatMap(algorithm -> algorithm.keys.stream())
                .distinct()
                .toList();
    }

    private String whyNot(String key) {
        if (this == CONCURRENCY && key.equals("period")) {
            return "concurrency limits the calls under way at once, and has no period; remove this key";
        }
        String owner = Arrays.stream(values())
                .filter(algorithm -> algorithm.has(key))
                .map(Algorithm::word)
                .collect(Collectors.joining(" or "));
        return word() + " has no " + key + "; remove this key, or write algorithm: " + owner;
    }
}
