package dev.sluice.config.tier;

import dev.sluice.Limit;
import dev.sluice.Limit.Concurrency.Scope;
import dev.sluice.config.shape.Durations;
import dev.sluice.config.shape.Section;
import dev.sluice.config.shape.Shape;
import dev.sluice.config.shape.Shapes;
import dev.sluice.config.yaml.ProblemCode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a tier that say how much is allowed: {@code algorithm}, {@code threshold}, and those that the algorithm
 * has.
 */
final class LimitKeys {

    static final Duration LONGEST_WAIT = Duration.ofHours(1);
    private static final Duration USUAL_WAIT = Duration.ofSeconds(10);

    private LimitKeys() {}

    /** The limit; {@code null}, after a report, if the keys do not make one. */
    static @Nullable Limit read(Section tier) {
        Algorithm algorithm = tier.optional("algorithm", Shapes.word(Algorithm.class), Algorithm.DEFAULT);
        if (tier.isSound()) {
            AlgorithmKeys.refuseForeign(tier, algorithm);
        } else {
            AlgorithmKeys.ignore(tier);
        }
        List<String> keys = AlgorithmKeys.of(algorithm);
        Duration period = keys.contains("period")
                ? tier.required("period", Shapes.duration(Duration.ofMillis(1), Limit.MAX_PERIOD), "period: 10s")
                : Duration.ZERO;
        Long threshold = tier.required("threshold", threshold(algorithm, period), "threshold: 1000");
        Figures figures = Figures.read(tier, keys, period, threshold);
        return period == null || threshold == null || !tier.isSound()
                ? null
                : figures.limit(algorithm, period, threshold);
    }

    private static Shape<Long> threshold(Algorithm algorithm, @Nullable Duration period) {
        boolean logs = algorithm == Algorithm.SLIDING_LOG;
        boolean flows = algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
        Shape<Long> number = Shapes.wholeNumber(1, logs ? Limit.SlidingLog.MAX_LOGGED : Limit.MAX_THRESHOLD);
        return (value, findings) -> {
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
                                    + " would flow in parts too fine for a number; write a rounder one, such as "
                                    + near);
        };
    }

    /** What the further keys say, of which each algorithm has a few. */
    private record Figures(
            int subWindows,
            @Nullable Long burst,
            long queue,
            @Nullable Duration maxWait,
            Scope scope) {

        static Figures read(Section tier, List<String> keys, @Nullable Duration period, @Nullable Long threshold) {
            long held = period == null || threshold == null || period.isZero()
                    ? Limit.MAX_THRESHOLD
                    : Limit.mostHeld(threshold, period);
            long subWindows = keys.contains("subWindows") ? tier.optional("subWindows", frames(period), 1L) : 1;
            Long burst = keys.contains("burst") ? tier.optional("burst", Shapes.wholeNumber(1, held)) : null;
            long queue = keys.contains("queue") ? tier.optional("queue", Shapes.wholeNumber(0, held), 0L) : 0;
            Duration maxWait = keys.contains("maxWait") ? maxWait(tier, queue) : null;
            Scope scope = keys.contains("scope")
                    ? tier.optional("scope", Shapes.word(Scope.class), Scope.FLEET)
                    : Scope.FLEET;
            return new Figures((int) subWindows, burst, queue, maxWait, scope);
        }

        private static @Nullable Duration maxWait(Section tier, long queue) {
            if (queue == 0 && tier.isSound()) {
                tier.misplaced(
                        "maxWait", "without a queue no call waits; remove this key, or add, for example, queue: 10");
                return null;
            }
            return tier.optional("maxWait", Shapes.duration(Duration.ofMillis(1), LONGEST_WAIT));
        }

        Limit limit(Algorithm algorithm, Duration period, long threshold) {
            return switch (algorithm) {
                case FIXED_WINDOW -> new Limit.FixedWindow(threshold, period);
                case SLIDING_WINDOW -> new Limit.SlidingWindow(threshold, period, subWindows);
                case SLIDING_LOG -> new Limit.SlidingLog(threshold, period);
                case TOKEN_BUCKET ->
                    new Limit.TokenBucket(threshold, period, Objects.requireNonNullElse(burst, threshold));
                case LEAKY_BUCKET -> new Limit.LeakyBucket(threshold, period, queue, wait(period));
                case CONCURRENCY -> new Limit.Concurrency(threshold, scope);
            };
        }

        /** A call of which nothing is said waits for a period, but no longer than most clients do. */
        private Duration wait(Duration period) {
            if (queue == 0) {
                return Duration.ZERO;
            }
            Duration usual = period.compareTo(USUAL_WAIT) < 0 ? period : USUAL_WAIT;
            return maxWait == null ? usual : maxWait;
        }
    }

    /** A number of frames that a period divides into, if it is known. */
    private static Shape<Long> frames(@Nullable Duration period) {
        Shape<Long> number = Shapes.wholeNumber(1, Limit.SlidingWindow.MAX_SUB_WINDOWS);
        return (value, findings) -> {
            Long frames = number.read(value, findings);
            return frames == null || period == null || period.toMillis() % frames == 0
                    ? frames
                    : findings.refuse(
                            ProblemCode.CONTRADICTION,
                            value.position(),
                            Durations.shortest(period) + " does not divide into " + frames
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
