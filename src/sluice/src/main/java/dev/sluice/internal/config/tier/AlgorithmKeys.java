package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.value.Section;
import dev.sluice.tier.Algorithm;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/** The tier keys that apply only to some algorithms. */
final class AlgorithmKeys {

    /**
     * For each algorithm, the keys that apply only to other algorithms, with an error message for each key. The map is
     * built once because a file has many tiers.
     */
    private static final Map<Algorithm, Map<String, String>> FOREIGN = new EnumMap<>(Algorithm.class);

    static {
        for (Algorithm algorithm : Algorithm.values()) {
            Map<String, String> sentences = new LinkedHashMap<>();
            for (String key : foreign(algorithm)) {
                sentences.put(key, whyNot(algorithm, key));
            }
            FOREIGN.put(algorithm, sentences);
        }
    }

    private AlgorithmKeys() {}

    /** The keys of this algorithm. */
    static List<String> of(Algorithm algorithm) {
        return switch (algorithm) {
            case FIXED_WINDOW -> List.of("period", "zone");
            case SLIDING_LOG -> List.of("period");
            case SLIDING_WINDOW -> List.of("period", "subWindows");
            case TOKEN_BUCKET -> List.of("period", "burst");
            case LEAKY_BUCKET -> List.of("period", "queue", "maxQueueTime");
            case CONCURRENCY -> List.of("scope");
        };
    }

    /** Returns the keys of all algorithms. */
    static Set<String> ofAll() {
        Set<String> keys = new LinkedHashSet<>();
        for (Algorithm algorithm : Algorithm.values()) {
            keys.addAll(of(algorithm));
        }
        return keys;
    }

    /** Rejects the keys that apply only to other algorithms. */
    static void refuseForeign(Section tier, Algorithm algorithm) {
        FOREIGN.getOrDefault(algorithm, Map.of()).forEach(tier::misplaced);
    }

    /**
     * Allows all keys that apply only to some algorithms. A tier with a misspelt algorithm needs this, because
     * otherwise the mistake would be reported again for each key.
     */
    static void ignore(Section tier) {
        FOREIGN.getOrDefault(Algorithm.DEFAULT, Map.of()).keySet().forEach(tier::ignored);
    }

    private static Set<String> foreign(Algorithm algorithm) {
        Set<String> keys = ofAll();
        keys.removeAll(of(algorithm));
        return keys;
    }

    private static String whyNot(Algorithm algorithm, String key) {
        if (algorithm == Algorithm.CONCURRENCY && key.equals("period")) {
            return "concurrency limits the number of calls in flight, so it has no period; remove this key";
        }
        StringJoiner owners = new StringJoiner(" or ");
        for (Algorithm other : Algorithm.values()) {
            if (of(other).contains(key)) {
                owners.add(other.word());
            }
        }
        return algorithm.word() + " has no " + key + "; remove this key, or write algorithm: " + owners;
    }
}
