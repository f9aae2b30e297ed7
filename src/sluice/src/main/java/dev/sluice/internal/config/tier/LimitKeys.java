package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.value.Durations;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.value.Zones;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.tier.Algorithm;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Limit.Concurrency.Scope;
import dev.sluice.tier.Windows;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the tier keys that define the limit: {@code algorithm}, {@code threshold} and the algorithm's own keys. */
final class LimitKeys {

    static final Duration LONGEST_QUEUE_TIME = Duration.ofHours(1);
    private static final Duration USUAL_QUEUE_TIME = Duration.ofSeconds(10);

    private LimitKeys() {}

    /** Reads the limit. If keys are invalid, reports them and returns {@code null}. */
    static @Nullable Limit read(Section tier, ZoneId zoneOfFile) {
        Algorithm algorithm = tier.optional("algorithm", Shapes.word(Algorithm.class), Algorithm.DEFAULT);
        if (tier.isValid()) {
            AlgorithmKeys.refuseForeign(tier, algorithm);
        } else {
            AlgorithmKeys.ignore(tier);
        }
        WrittenRate rate = WrittenRate.of(tier.unread("threshold"));
        Windows windows = algorithm == Algorithm.CONCURRENCY
                ? null
                : tier.required(
                        "period",
                        PeriodShape.of(algorithm, zone(tier, algorithm, zoneOfFile)),
                        "period: " + (rate == null ? "10s" : rate.period()));
        Long threshold = tier.required(
                "threshold", threshold(algorithm, windows == null ? null : windows.length()), "threshold: 1000");
        Supplier<Limit> limit = limit(tier, algorithm, windows, threshold == null ? 0 : threshold);
        return tier.isValid() ? limit.get() : null;
    }

    /** Returns the time zone of a calendar period. Rejects the {@code zone} key if the period is a duration. */
    private static ZoneId zone(Section tier, Algorithm algorithm, ZoneId zoneOfFile) {
        if (algorithm != Algorithm.FIXED_WINDOW) {
            return zoneOfFile;
        }
        Duration period = tier.unread("period") instanceof Text text && !text.isSubstituted()
                ? Durations.parse(text.content())
                : null;
        if (period == null || tier.unread("zone") == null) {
            return tier.optional("zone", Zones.ZONE, zoneOfFile);
        }
        tier.misplaced(
                "zone",
                "windows of " + Durations.shortest(period)
                        + " begin at the same moment in all zones; remove this key, or write period: "
                        + PeriodShape.near(period));
        return zoneOfFile;
    }

    private static Shape<Long> threshold(Algorithm algorithm, @Nullable Duration period) {
        boolean logs = algorithm == Algorithm.SLIDING_LOG;
        boolean flows = algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
        Shape<Long> number = Shapes.wholeNumber(1, logs ? Limit.SlidingLog.MAX_LOGGED : Limit.MAX_THRESHOLD);
        return (value, findings) -> {
            WrittenRate rate = WrittenRate.of(value);
            if (rate != null && value instanceof Text text) {
                return findings.refuse(
                        ProblemCode.WRONG_TYPE,
                        text,
                        " is not a whole number; write " + rate.calls() + ", and period: " + rate.period());
            }
            Long threshold = number.read(value, findings);
            if (threshold == null || period == null || !flows) {
                return threshold;
            }
            long near = Limit.nearestFlow(threshold, period);
            return near == threshold
                    ? threshold
                    : findings.refuse(
                            ProblemCode.CONTRADICTION,
                            value.position(),
                            threshold + " in " + Durations.shortest(period)
                                    + " cannot be counted exactly; write a rounder threshold, such as "
                                    + near);
        };
    }

    /**
     * Reads the algorithm's own keys. The returned supplier creates the limit. It must be called only if all keys of
     * the tier are valid.
     *
     * @param windows the windows of the period; {@code null} if the period is missing or invalid
     * @param threshold the threshold; zero if it is invalid
     */
    private static Supplier<Limit> limit(Section tier, Algorithm algorithm, @Nullable Windows windows, long threshold) {
        Duration period = windows == null ? Duration.ZERO : windows.length();
        // The largest burst or queue. A larger bucket would take too long to fill, or would overflow.
        long held = period.isZero() || threshold == 0 ? Limit.MAX_THRESHOLD : Limit.mostHeld(threshold, period);
        return switch (algorithm) {
            case FIXED_WINDOW -> () -> new Limit.FixedWindow(threshold, Objects.requireNonNull(windows));
            case SLIDING_WINDOW -> {
                int frames = tier.optional("subWindows", frames(period), 1);
                yield () -> new Limit.SlidingWindow(threshold, period, frames);
            }
            case SLIDING_LOG -> () -> new Limit.SlidingLog(threshold, period);
            case TOKEN_BUCKET -> {
                long burst = tier.optional("burst", Shapes.wholeNumber(1, held), threshold);
                yield () -> new Limit.TokenBucket(threshold, period, burst);
            }
            case LEAKY_BUCKET -> {
                long queue = tier.optional("queue", Shapes.wholeNumber(0, held), 0L);
                Duration maxQueueTime = maxQueueTime(tier, queue, period);
                yield () -> new Limit.LeakyBucket(threshold, period, queue, maxQueueTime);
            }
            case CONCURRENCY -> {
                Scope scope = tier.optional("scope", Shapes.word(Scope.class), Scope.FLEET);
                yield () -> new Limit.Concurrency(threshold, scope);
            }
        };
    }

    /**
     * Reads the maximum time in the queue. The default is one period, but at most 10 seconds, because most clients do
     * not wait longer for a response.
     */
    private static Duration maxQueueTime(Section tier, long queue, Duration period) {
        if (queue == 0 && tier.isValid()) {
            tier.misplaced(
                    "maxQueueTime",
                    "maxQueueTime has no effect without a queue; remove this key, or add, for example, queue: 10");
            return Duration.ZERO;
        }
        Duration usual = period.compareTo(USUAL_QUEUE_TIME) < 0 ? period : USUAL_QUEUE_TIME;
        return tier.optional("maxQueueTime", Shapes.duration(Duration.ofMillis(1), LONGEST_QUEUE_TIME), usual);
    }

    /** Returns the shape of a number of frames. The number must divide the period into whole milliseconds. */
    private static Shape<Integer> frames(Duration period) {
        Shape<Integer> number = Shapes.count(1, Limit.SlidingWindow.MAX_SUB_WINDOWS);
        return (value, findings) -> {
            Integer frames = number.read(value, findings);
            return frames == null || period.toMillis() % frames == 0
                    ? frames
                    : findings.refuse(
                            ProblemCode.CONTRADICTION,
                            value.position(),
                            Durations.shortest(period) + " cannot be divided into " + frames
                                    + " frames of whole milliseconds; write " + nearestDivisor(period, frames));
        };
    }

    private static long nearestDivisor(Duration period, long frames) {
        long fewer = frames;
        while (period.toMillis() % fewer != 0) {
            fewer--;
        }
        return fewer;
    }
}
