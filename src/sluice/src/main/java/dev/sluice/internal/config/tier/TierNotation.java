package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.value.Durations;
import dev.sluice.internal.text.EnumWord;
import dev.sluice.tier.Algorithm;
import dev.sluice.tier.BlockRule;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import dev.sluice.tier.Windows.Calendar;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Formats tiers as text for people, and as maps with the file's keys and values for programs. The page, the actuator,
 * the command line and messages use this notation.
 */
public final class TierNotation {

    private TierNotation() {}

    /**
     * Formats a whole tier without its name, for example
     * {@code 240 in 1m by token-bucket, burst 60, blocks for 15m after 20 refusals within 1m}.
     */
    public static String text(Tier tier) {
        return text(tier.limit()) + text(tier.overage()) + text(tier.block());
    }

    /** Formats several tiers, for example {@code 100 in 1s; 5000 in 10s}. */
    public static String text(List<Tier> tiers) {
        return tiers.stream().map(TierNotation::text).collect(Collectors.joining("; "));
    }

    /**
     * Formats a limit, for example {@code 1000 in 10s}, {@code 240 in 1m by token-bucket, burst 60} or
     * {@code 20 at once}.
     */
    public static String text(Limit limit) {
        String figures = figures(limit).entrySet().stream()
                .map(figure -> ", " + figure.getKey() + " " + figure.getValue())
                .collect(Collectors.joining());
        boolean isPlain = limit.algorithm() == Algorithm.DEFAULT || !limit.hasPeriod();
        return allowance(limit) + (isPlain ? "" : " by " + limit.algorithm().word()) + figures;
    }

    /**
     * Formats the threshold and the period, for example {@code 1000 in 10s}, {@code 5000 in a month} or
     * {@code 20 at once}.
     */
    public static String allowance(Limit limit) {
        return limit.hasPeriod() ? limit.threshold() + " in " + period(limit) : limit.threshold() + " at once";
    }

    /** Formats the threshold and the period of a limit if only the length of the period is known. */
    public static String allowance(long threshold, Duration period) {
        return threshold + (period.isZero() ? " at once" : " in " + Durations.shortest(period));
    }

    /**
     * Formats the period so that it can follow the word "in", for example {@code 10s}, {@code a month} or
     * {@code a month in Europe/Berlin}.
     */
    public static String period(Limit limit) {
        return limit.windows() instanceof Calendar calendar ? period(calendar) : Durations.shortest(limit.period());
    }

    /** Formats the period of these windows so that it can follow the word "in". */
    public static String period(Windows windows) {
        return windows instanceof Calendar calendar
                ? "a " + calendar.unit().word()
                        + (calendar.isUtc() ? "" : " in " + calendar.zone().getId())
                : Durations.shortest(windows.length());
    }

    /** Formats a number of refusals and a time span, for example {@code 20 refusals within 1m}. */
    public static String refusals(int refusals, Duration within) {
        return refusals + (refusals == 1 ? " refusal within " : " refusals within ") + Durations.shortest(within);
    }

    private static String text(Overage overage) {
        if (overage instanceof Overage.Soft soft) {
            return ", tolerance " + percent(soft.tolerance());
        }
        return overage instanceof Overage.Elastic elastic
                ? ", up to " + percent(elastic.upTo()) + " while load is below " + percent(elastic.whileLoadBelow())
                : "";
    }

    private static String text(@Nullable BlockRule rule) {
        if (rule == null) {
            return "";
        }
        return ", blocks for " + Durations.shortest(rule.lasts())
                + (grows(rule) ? " up to " + Durations.shortest(rule.upTo()) : "") + " after "
                + refusals(rule.after(), rule.within());
    }

    private static boolean grows(BlockRule rule) {
        return !rule.upTo().equals(rule.lasts());
    }

    /**
     * Formats a tier with the keys and values of the file, together with its text, for example
     * {@code {tier=1m-token-bucket, text=240 in 1m by token-bucket, burst 60, algorithm=token-bucket, period=1m,
     * threshold=240, burst=60}}.
     */
    public static Map<String, Object> words(Tier tier) {
        Limit limit = tier.limit();
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("tier", tier.name());
        words.put("text", text(tier));
        words.put("algorithm", limit.algorithm().word());
        if (limit.windows() instanceof Calendar calendar) {
            words.put("period", calendar.unit().word());
            words.put("zone", calendar.zone().getId());
        } else if (limit.hasPeriod()) {
            words.put("period", Durations.shortest(limit.period()));
        }
        words.put("threshold", limit.threshold());
        words.putAll(figures(limit));
        if (tier.overage() instanceof Overage.Soft soft) {
            words.put("tolerance", percent(soft.tolerance()));
        } else if (tier.overage() instanceof Overage.Elastic elastic) {
            words.put(
                    "elastic",
                    Map.of("upTo", percent(elastic.upTo()), "whileLoadBelow", percent(elastic.whileLoadBelow())));
        }
        if (tier.block() != null) {
            words.put("block", words(tier.block()));
        }
        return words;
    }

    /** Returns the algorithm's own keys and their values, without the threshold and the period. */
    private static Map<String, Object> figures(Limit limit) {
        return limit.byAlgorithm(new Limit.Cases<Map<String, Object>>(
                (Limit.FixedWindow window) -> Map.of(),
                (Limit.SlidingWindow window) -> Map.of("subWindows", window.subWindows()),
                (Limit.SlidingLog log) -> Map.of(),
                (Limit.TokenBucket bucket) -> Map.of("burst", bucket.burst()),
                (Limit.LeakyBucket bucket) -> queue(bucket),
                (Limit.Concurrency slots) -> Map.of("scope", EnumWord.of(slots.scope()))));
    }

    private static Map<String, Object> queue(Limit.LeakyBucket bucket) {
        Map<String, Object> words = new LinkedHashMap<>();
        if (bucket.queue() > 0) {
            words.put("queue", bucket.queue());
            words.put("maxQueueTime", Durations.shortest(bucket.maxQueueTime()));
        }
        return words;
    }

    private static Map<String, Object> words(BlockRule rule) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("after", rule.after());
        words.put("within", Durations.shortest(rule.within()));
        words.put("for", Durations.shortest(rule.lasts()));
        if (grows(rule)) {
            words.put("upTo", Durations.shortest(rule.upTo()));
        }
        return words;
    }

    /** Formats a percentage, for example {@code 12.5%}. */
    private static String percent(double part) {
        return BigDecimal.valueOf(part * 100)
                        .setScale(3, RoundingMode.HALF_EVEN)
                        .stripTrailingZeros()
                        .toPlainString()
                + "%";
    }
}
