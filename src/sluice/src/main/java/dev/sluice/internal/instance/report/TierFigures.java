package dev.sluice.internal.instance.report;

import dev.sluice.tier.Algorithm;
import dev.sluice.tier.BlockRule;
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
import org.jspecify.annotations.Nullable;

/**
 * Converts a tier to words and back. The words are the algorithm, the threshold, the period, two figures that only some
 * algorithms need, the overage, and the block. A period is either a number of milliseconds or a calendar period such as
 * {@code month@Europe/Berlin}.
 */
final class TierFigures {

    private static final int OVERAGE = 5;
    private static final int BLOCK = 8;
    private static final int WORDS = 12;

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
                        String.valueOf(bucket.maxQueueTime().toMillis())),
                (Limit.Concurrency slots) -> List.of(slots.scope() == Scope.FLEET ? "0" : "1", "0"))));
        if (tier.overage() instanceof Overage.Soft soft) {
            words.addAll(List.of("soft", String.valueOf(soft.tolerance()), "0"));
        } else if (tier.overage() instanceof Overage.Elastic elastic) {
            words.addAll(List.of("elastic", String.valueOf(elastic.upTo()), String.valueOf(elastic.whileLoadBelow())));
        } else {
            words.addAll(List.of("hard", "0", "0"));
        }
        words.addAll(of(tier.block()));
        return words;
    }

    private static List<String> of(@Nullable BlockRule block) {
        return block == null
                ? List.of("0", "0", "0", "0")
                : List.of(
                        String.valueOf(block.after()),
                        String.valueOf(block.within().toMillis()),
                        String.valueOf(block.lasts().toMillis()),
                        String.valueOf(block.upTo().toMillis()));
    }

    /**
     * Parses a tier.
     *
     * @throws IllegalArgumentException if the words do not describe a tier
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
        Algorithm algorithm =
                Algorithm.named(words.get(0)).orElseThrow(() -> new IllegalArgumentException("unknown algorithm"));
        Limit limit = switch (algorithm) {
            case FIXED_WINDOW -> new Limit.FixedWindow(threshold, windows(words.get(2)));
            case SLIDING_WINDOW -> new Limit.SlidingWindow(threshold, period, Math.toIntExact(figure));
            case SLIDING_LOG -> new Limit.SlidingLog(threshold, period);
            case TOKEN_BUCKET -> new Limit.TokenBucket(threshold, period, figure);
            case LEAKY_BUCKET -> new Limit.LeakyBucket(threshold, period, figure, Duration.ofMillis(other));
            case CONCURRENCY -> new Limit.Concurrency(threshold, figure == 0 ? Scope.FLEET : Scope.SERVER);
        };
        return new Tier(
                name, limit, overage(words.subList(OVERAGE, BLOCK)), Sync.DEFAULT, block(words.subList(BLOCK, WORDS)));
    }

    private static Windows windows(String period) {
        String[] words = period.split("@", 2);
        if (words.length == 1) {
            return Windows.every(millis(period));
        }
        try {
            return Windows.every(Unit.valueOf(words[0].toUpperCase(Locale.ROOT)), ZoneId.of(words[1]));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("unknown time zone", e);
        }
    }

    private static @Nullable BlockRule block(List<String> words) {
        int after = Integer.parseInt(words.get(0));
        return after == 0
                ? null
                : new BlockRule(after, millis(words.get(1)), millis(words.get(2)), millis(words.get(3)));
    }

    private static Duration millis(String word) {
        return Duration.ofMillis(Long.parseLong(word));
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
