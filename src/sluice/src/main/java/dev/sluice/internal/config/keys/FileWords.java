package dev.sluice.internal.config.keys;

import dev.sluice.Endpoint;
import dev.sluice.internal.config.shape.Durations;
import dev.sluice.tier.BlockRule;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Parts of an endpoint in the keys and values of the file, for programs that show limits. */
public final class FileWords {

    private static final int CLASS = 100;

    private FileWords() {}

    /** For example {@code {tier=10s, algorithm=token-bucket, threshold=100, burst=200}}. */
    public static Map<String, Object> of(Tier tier) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("tier", tier.name());
        words.put("algorithm", tier.limit().algorithm().word());
        words.put("threshold", tier.limit().threshold());
        words.putAll(figures(tier.limit()));
        if (tier.overage() instanceof Overage.Soft soft) {
            words.put("tolerance", percent(soft.tolerance()));
        } else if (tier.overage() instanceof Overage.Elastic elastic) {
            words.put(
                    "elastic",
                    Map.of("upTo", percent(elastic.upTo()), "whileLoadBelow", percent(elastic.whileLoadBelow())));
        }
        if (tier.block() != null) {
            words.put("block", block(tier.block()));
        }
        return words;
    }

    private static Map<String, Object> figures(Limit limit) {
        return limit.byAlgorithm(new Limit.Cases<>(
                (Limit.FixedWindow window) -> Map.of(),
                (Limit.SlidingWindow window) -> Map.of("subWindows", window.subWindows()),
                (Limit.SlidingLog log) -> Map.of(),
                (Limit.TokenBucket bucket) -> Map.of("burst", bucket.burst()),
                (Limit.LeakyBucket bucket) -> bucket.queue() == 0
                        ? Map.of()
                        : Map.of("queue", bucket.queue(), "maxWait", Durations.shortest(bucket.maxWait())),
                (Limit.Concurrency places) ->
                        Map.of("scope", places.scope().name().toLowerCase(Locale.ROOT))));
    }

    private static Map<String, Object> block(BlockRule rule) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("after", rule.after());
        words.put("within", Durations.shortest(rule.within()));
        words.put("for", Durations.shortest(rule.lasts()));
        if (!rule.upTo().equals(rule.lasts())) {
            words.put("upTo", Durations.shortest(rule.upTo()));
        }
        return words;
    }

    /** For example {@code 12.5%}. */
    public static String percent(double part) {
        return BigDecimal.valueOf(part * 100)
                        .setScale(3, RoundingMode.HALF_EVEN)
                        .stripTrailingZeros()
                        .toPlainString()
                + "%";
    }

    /** The statuses that count, for example {@code [401, 5xx]}; empty if the status does not matter. */
    public static List<String> countedStatuses(Endpoint endpoint) {
        List<String> words = new ArrayList<>();
        TreeSet<Integer> left = new TreeSet<>(endpoint.countedStatuses());
        while (!left.isEmpty()) {
            int first = left.first();
            var sameClass = left.subSet(first, first - first % CLASS + CLASS);
            words.add(sameClass.size() == CLASS ? first / CLASS + "xx" : String.valueOf(first));
            if (sameClass.size() == CLASS) {
                sameClass.clear();
            } else {
                left.pollFirst();
            }
        }
        return words;
    }
}
