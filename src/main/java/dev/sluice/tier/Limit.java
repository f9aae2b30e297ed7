package dev.sluice.tier;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A limit: one record for each algorithm, with exactly the figures that the algorithm needs. */
public sealed interface Limit
        permits Limit.FixedWindow,
                Limit.SlidingWindow,
                Limit.SlidingLog,
                Limit.TokenBucket,
                Limit.LeakyBucket,
                Limit.Concurrency {

    /** The largest threshold: small enough that no sum of counts overflows. */
    long MAX_THRESHOLD = LimitChecks.MAX_THRESHOLD;

    /** The longest period. */
    Duration MAX_PERIOD = LimitChecks.MAX_PERIOD;

    /** Calls the function for this limit's algorithm. */
    <R> R byAlgorithm(Cases<R> cases);

    /** The algorithm by which calls are counted. */
    default Algorithm algorithm() {
        return byAlgorithm(new Cases<>(
                (FixedWindow window) -> Algorithm.FIXED_WINDOW,
                (SlidingWindow window) -> Algorithm.SLIDING_WINDOW,
                (SlidingLog log) -> Algorithm.SLIDING_LOG,
                (TokenBucket bucket) -> Algorithm.TOKEN_BUCKET,
                (LeakyBucket bucket) -> Algorithm.LEAKY_BUCKET,
                (Concurrency places) -> Algorithm.CONCURRENCY));
    }

    /** The number of calls that may pass in a period, or be under way at once. */
    long threshold();

    /** The number of calls that can pass, or start to wait, at one moment after an idle time. */
    default long capacity() {
        return threshold();
    }

    /** The period of the threshold; of the calendar's, the usual length; zero for {@code concurrency}. */
    Duration period();

    /** Whether there is a period: not for {@code concurrency}. */
    default boolean hasPeriod() {
        return !period().isZero();
    }

    /**
     * Whether the store decides each call, so that no share is taken ahead: for algorithms where the order of all calls
     * matters.
     */
    default boolean isAlwaysStrict() {
        return byAlgorithm(new Cases<>(
                (FixedWindow window) -> false,
                (SlidingWindow window) -> false,
                (SlidingLog log) -> true,
                (TokenBucket bucket) -> false,
                (LeakyBucket bucket) -> bucket.hasQueue(),
                (Concurrency places) -> false));
    }

    /** Whether calls wait in a queue for their turn. */
    default boolean hasQueue() {
        return byAlgorithm(new Cases<>(
                (FixedWindow window) -> false,
                (SlidingWindow window) -> false,
                (SlidingLog log) -> false,
                (TokenBucket bucket) -> false,
                (LeakyBucket bucket) -> bucket.queue() > 0,
                (Concurrency places) -> false));
    }

    /** The windows that calls are counted in, or the frames of a sliding one; {@code null} if time is not divided. */
    default @Nullable Windows windows() {
        return byAlgorithm(new Cases<@Nullable Windows>(
                (FixedWindow window) -> window.windows(),
                (SlidingWindow window) -> Windows.every(Duration.ofMillis(window.frameMillis())),
                (SlidingLog log) -> null,
                (TokenBucket bucket) -> null,
                (LeakyBucket bucket) -> null,
                (Concurrency places) -> null));
    }

    /** Windows of one period each; for {@code concurrency}, {@code null}. */
    default @Nullable Windows periods() {
        return byAlgorithm(new Cases<@Nullable Windows>(
                (FixedWindow window) -> window.windows(),
                (SlidingWindow window) -> Windows.every(window.period()),
                (SlidingLog log) -> Windows.every(log.period()),
                (TokenBucket bucket) -> Windows.every(bucket.period()),
                (LeakyBucket bucket) -> Windows.every(bucket.period()),
                (Concurrency places) -> null));
    }

    /** The number of frames of a sliding window; 0 for other algorithms. */
    default int frames() {
        return byAlgorithm(new Cases<>(
                (FixedWindow window) -> 0,
                (SlidingWindow window) -> window.subWindows(),
                (SlidingLog log) -> 0,
                (TokenBucket bucket) -> 0,
                (LeakyBucket bucket) -> 0,
                (Concurrency places) -> 0));
    }

    /** Whether all instances count together, where they share a store; otherwise each counts its own calls. */
    default boolean isFleetWide() {
        return byAlgorithm(new Cases<>(
                (FixedWindow window) -> true,
                (SlidingWindow window) -> true,
                (SlidingLog log) -> true,
                (TokenBucket bucket) -> true,
                (LeakyBucket bucket) -> true,
                (Concurrency places) -> places.scope() == Concurrency.Scope.FLEET));
    }

    /** This limit multiplied by a factor, rounded to what the algorithm supports; at least one call. */
    Limit times(BigDecimal factor);

    /**
     * The threshold, if a bucket can refill at that rate in parts that are not too small; otherwise the nearest one
     * that can.
     */
    static long nearestFlow(long threshold, Duration period) {
        return LimitChecks.nearestFlow(threshold, period);
    }

    /** The largest burst or queue of a bucket. */
    static long mostHeld(long threshold, Duration period) {
        return LimitChecks.mostHeld(threshold, period);
    }

    /**
     * One function for each algorithm. There is no default: with a new algorithm, every use fails to compile until it
     * handles it. Declare the parameter types of the lambdas, so that the compiler checks the order too.
     */
    record Cases<R>(
            Function<FixedWindow, R> fixedWindow,
            Function<SlidingWindow, R> slidingWindow,
            Function<SlidingLog, R> slidingLog,
            Function<TokenBucket, R> tokenBucket,
            Function<LeakyBucket, R> leakyBucket,
            Function<Concurrency, R> concurrency) {}

    /** At most {@code threshold} calls in each window. */
    record FixedWindow(long threshold, Windows windows) implements Limit {

        public FixedWindow {
            LimitChecks.check(threshold, MAX_THRESHOLD, windows.length());
        }

        /** The same, in windows of this period that are aligned to the epoch. */
        public FixedWindow(long threshold, Duration period) {
            this(threshold, Windows.every(period));
        }

        @Override
        public Limit times(BigDecimal factor) {
            return new FixedWindow(LimitChecks.times(threshold, factor, MAX_THRESHOLD), windows);
        }

        @Override
        public Duration period() {
            return windows.length();
        }

        @Override
        public <R> R byAlgorithm(Cases<R> cases) {
            return cases.fixedWindow().apply(this);
        }
    }

    /**
     * At most about {@code threshold} calls in the {@code period} that ends now, by an estimate from counts in frames.
     *
     * @param subWindows the number of frames in a period; more frames are more exact
     */
    record SlidingWindow(long threshold, Duration period, int subWindows) implements Limit {

        /** The most frames of a period. */
        public static final int MAX_SUB_WINDOWS = 60;

        public SlidingWindow {
            LimitChecks.check(threshold, MAX_THRESHOLD, period);
            if (subWindows < 1 || subWindows > MAX_SUB_WINDOWS) {
                throw new IllegalArgumentException("subWindows " + subWindows + " is not from 1 to " + MAX_SUB_WINDOWS);
            }
            if (period.toMillis() % subWindows != 0) {
                throw new IllegalArgumentException(
                        "period " + period + " does not divide into " + subWindows + " frames of whole milliseconds");
            }
        }

        @Override
        public Limit times(BigDecimal factor) {
            return new SlidingWindow(LimitChecks.times(threshold, factor, MAX_THRESHOLD), period, subWindows);
        }

        @Override
        public <R> R byAlgorithm(Cases<R> cases) {
            return cases.slidingWindow().apply(this);
        }

        /** The length of a frame. */
        public long frameMillis() {
            return period.toMillis() / subWindows;
        }
    }

    /** At most {@code threshold} calls in any {@code period}, by a log of their times. */
    record SlidingLog(long threshold, Duration period) implements Limit {

        /** The largest threshold: the time of each call is stored. */
        public static final long MAX_LOGGED = 100_000;

        public SlidingLog {
            LimitChecks.check(threshold, MAX_LOGGED, period);
        }

        @Override
        public Limit times(BigDecimal factor) {
            return new SlidingLog(LimitChecks.times(threshold, factor, MAX_LOGGED), period);
        }

        @Override
        public <R> R byAlgorithm(Cases<R> cases) {
            return cases.slidingLog().apply(this);
        }
    }

    /**
     * A bucket that gains {@code threshold} tokens evenly over each {@code period}; a call takes one.
     *
     * @param burst how many tokens the bucket holds at most
     */
    record TokenBucket(long threshold, Duration period, long burst) implements Limit {

        public TokenBucket {
            LimitChecks.check(threshold, MAX_THRESHOLD, period);
            LimitChecks.checkFlow(threshold, period, burst);
        }

        @Override
        public Limit times(BigDecimal factor) {
            long flow = LimitChecks.flowTimes(threshold, period, factor);
            return new TokenBucket(flow, period, LimitChecks.times(burst, factor, LimitChecks.mostHeld(flow, period)));
        }

        @Override
        public <R> R byAlgorithm(Cases<R> cases) {
            return cases.tokenBucket().apply(this);
        }

        @Override
        public long capacity() {
            return burst;
        }
    }

    /**
     * A bucket that leaks {@code threshold} calls evenly over each {@code period}. Without a queue it is a meter: up to
     * {@code threshold} calls pass at once. With a queue, a call passes at once only if none passed shortly before;
     * others wait for their turn.
     *
     * @param queue the most calls that wait; 0 for a meter
     * @param maxWait the longest that a call waits
     */
    record LeakyBucket(long threshold, Duration period, long queue, Duration maxWait) implements Limit {

        public LeakyBucket {
            LimitChecks.check(threshold, MAX_THRESHOLD, period);
            LimitChecks.checkFlow(threshold, period, Math.max(threshold, queue));
            if (queue < 0) {
                throw new IllegalArgumentException("queue " + queue + " is negative");
            }
            if (maxWait.isNegative()) {
                throw new IllegalArgumentException("maxWait " + maxWait + " is negative");
            }
        }

        @Override
        public Limit times(BigDecimal factor) {
            long flow = LimitChecks.flowTimes(threshold, period, factor);
            long waiting = queue == 0 ? 0 : LimitChecks.times(queue, factor, LimitChecks.mostHeld(flow, period));
            return new LeakyBucket(flow, period, waiting, maxWait);
        }

        @Override
        public <R> R byAlgorithm(Cases<R> cases) {
            return cases.leakyBucket().apply(this);
        }

        @Override
        public long capacity() {
            return queue == 0 ? threshold : 1 + Math.min(queue, millisTimesThreshold() / period.toMillis());
        }

        /** Whether {@code maxWait} limits the queue to fewer calls than {@code queue}. */
        public boolean isCutByMaxWait() {
            return queue > millisTimesThreshold() / period.toMillis();
        }

        /** The most calls that can wait at one moment, each for its own turn. */
        public long mostWaiting() {
            return Math.min(queue, -Math.floorDiv(-millisTimesThreshold(), period.toMillis()));
        }

        /**
         * The product of the longest wait and the threshold; divided by the period it is the number of calls that
         * proceed during that wait.
         */
        private long millisTimesThreshold() {
            long millis = maxWait.toMillis();
            return millis > Long.MAX_VALUE / threshold ? Long.MAX_VALUE : millis * threshold;
        }
    }

    /** At most {@code threshold} calls under way at once. */
    record Concurrency(long threshold, Scope scope) implements Limit {

        /** Whose calls are counted together. */
        public enum Scope {
            /** Those of all instances. */
            FLEET,
            /** Those of each instance for itself. */
            SERVER
        }

        public Concurrency {
            if (threshold < 1 || threshold > MAX_THRESHOLD) {
                throw new IllegalArgumentException("threshold " + threshold + " is not from 1 to " + MAX_THRESHOLD);
            }
        }

        @Override
        public Limit times(BigDecimal factor) {
            return new Concurrency(LimitChecks.times(threshold, factor, MAX_THRESHOLD), scope);
        }

        @Override
        public <R> R byAlgorithm(Cases<R> cases) {
            return cases.concurrency().apply(this);
        }

        @Override
        public Duration period() {
            return Duration.ZERO;
        }
    }
}
