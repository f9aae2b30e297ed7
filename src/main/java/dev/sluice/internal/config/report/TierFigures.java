package dev.sluice.internal.config.report;

import dev.sluice.tier.Algorithm;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Limit.Concurrency.Scope;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import dev.sluice.tier.Windows.Calendar;
import dev.sluice.tier.Windows.Unit;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes a tier as words: algorithm, threshold, period, two figures that some algorithms need, and the overage. A
 * period is in milliseconds, or as in {@code month@Europe/Berlin}.
 */
final class TierFigures {

    private static final int WORDS = 8;

    private TierFigures() {}

    static List<String> of(Tier tier) {
        Limit limit = tier.limit();
        List<String> words = new ArrayList<>(List.of(
                limit.algorithm().word(),
                String.valueOf(limit.threshold()),
                limit.windows() instanceof Calendar calendar
                        ? calendar.unit().word() + '@' + calendar.zone().getId()
                        : String.valueOf(limit.period().toMillis())));
        words.addAll(limit.byAlgorithm(new Limit.Cases<List<String>>(
                (Limit.FixedWindow window) -> List.of("0", "0"),
                (Limit.SlidingWindow window) -> List.of(String.valueOf(window.subWindows()), "0"),
                (Limit.SlidingLog log) -> List.of("0", "0"),
                (Limit.TokenBucket bucket) -> List.of(String.valueOf(bucket.burst()), "0"),
                (Limit.LeakyBucket bucket) -> List.of(
                        String.valueOf(bucket.queue()),
                        String.valueOf(bucket.maxWait().toMillis())),
                (Limit.Concurrency places) -> List.of(places.scope() == Scope.FLEET ? "0" : "1", "0"))));
        if (tier.overage() instanceof Overage.Soft soft) {
            words.addAll(List.of("soft", String.valueOf(soft.tolerance()), "0"));
        } else if (tier.overage() instanceof Overage.Elastic elastic) {
            words.addAll(List.of("elastic", String.valueOf(elastic.upTo()), String.valueOf(elastic.whileLoadBelow())));
        } else {
            words.addAll(List.of("hard", "0", "0"));
        }
        return words;
    }

    /**
     * Reads a tier.
     *
     * @throws IllegalArgumentException if the words are not a tier
     */
    static Tier read(String name, List<String> words) {
        if (words.size() < WORDS) {
            throw new IllegalArgumentException("a tier of " + words.size() + " words");
        }
        long threshold = Long.parseLong(words.get(1));
        Windows windows = words.get(2).equals("0") ? null : windows(words.get(2));
        Duration period = windows == null ? Duration.ZERO : windows.length();
        long figure = Long.parseLong(words.get(3));
        long other = Long.parseLong(words.get(4));
        Algorithm algorithm = Algorithm.named(words.get(0))
                .orElseThrow(() -> new IllegalArgumentException("an algorithm that is not known here"));
        Limit limit = switch (algorithm) {
            case FIXED_WINDOW -> new Limit.FixedWindow(threshold, windows(words.get(2)));
            case SLIDING_WINDOW -> new Limit.SlidingWindow(threshold, period, Math.toIntExact(figure));
            case SLIDING_LOG -> new Limit.SlidingLog(threshold, period);
            case TOKEN_BUCKET -> new Limit.TokenBucket(threshold, period, figure);
            case LEAKY_BUCKET -> new Limit.LeakyBucket(threshold, period, figure, Duration.ofMillis(other));
            case CONCURRENCY -> new Limit.Concurrency(threshold, figure == 0 ? Scope.FLEET : Scope.SERVER);
        };
        return new Tier(name, limit, overage(words.subList(5, WORDS)), Sync.DEFAULT);
    }

    private static Windows windows(String period) {
        String[] words = period.split("@", 2);
        if (words.length == 1) {
            return Windows.every(Duration.ofMillis(Long.parseLong(period)));
        }
        try {
            return Windows.every(Unit.valueOf(words[0].toUpperCase(Locale.ROOT)), ZoneId.of(words[1]));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("a zone that is not known here", e);
        }
    }

    private static Overage overage(List<String> words) {
        double part = Double.parseDouble(words.get(1));
        return switch (words.get(0)) {
            case "soft" -> new Overage.Soft(part);
            case "elastic" -> new Overage.Elastic(part, Double.parseDouble(words.get(2)));
            default -> Overage.NONE;
        };
    }
}
