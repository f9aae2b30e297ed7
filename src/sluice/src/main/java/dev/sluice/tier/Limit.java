package dev.sluice.tier;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A limit on calls. There is one record for each algorithm, with exactly the figures that the algorithm needs.
 * Immutable and thread-safe. The records' constructors throw {@link IllegalArgumentException} if a figure is out of
 * range.
 *
 * <pre>{@code
 * Limit limit = new Limit.FixedWindow(100, Duration.ofSeconds(10)); // 100 calls in 10 seconds
 * }</pre>
 */
public sealed interface Limit
        permits Limit.FixedWindow,
                Limit.SlidingWindow,
                Limit.SlidingLog,
                Limit.TokenBucket,
                Limit.LeakyBucket,
                Limit.Concurrency {

    /** The maximum threshold. It is small enough that sums of counts cannot overflow. */
    long MAX_THRESHOLD = LimitChecks.MAX_THRESHOLD;

    /** The maximum period. */
    Duration MAX_PERIOD = LimitChecks.MAX_PERIOD;

    /** Applies the function for this limit's algorithm, and returns its result. */
    <R> R byAlgorithm(Cases<R> cases);

    /** The algorithm that counts calls. */
    Algorithm algorithm();

    /**
     * The number of calls that can pass in a period or, for {@code concurrency}, the number of calls that can be in
     * flight at the same time.
     */
    long threshold();

    /** The number of calls that can immediately pass or join the queue after an idle period. */
    default long capacity() {
        return threshold();
    }

    /**
     * The period for the threshold. For calendar periods, this is the usual length, and for {@code concurrency}, it is
     * zero.
     */
    Duration period();

    /** Whether the limit has a period. Only {@code concurrency} has none. */
    default boolean hasPeriod() {
        return !period().isZero();
    }

    /**
     * Whether the store makes the decision about every call. This is necessary if the order of all calls matters. In
     * this case, instances do not obtain permits in advance.
     */
    default boolean isAlwaysStrict() {
        return false;
    }

    /** Whether calls are queued until it is their turn. */
    default boolean hasQueue() {
        return false;
    }

    /**
     * The windows in which calls are counted, or the frames of a sliding window; {@code null} if the algorithm does not
     * divide time into windows.
     */
    default @Nullable Windows windows() {
        return null;
    }

    /** Windows of one period each; {@code null} for {@code concurrency}. */
    default @Nullable Windows periods() {
        return Windows.every(period());
    }

    /** The number of frames of a sliding window; 0 for other algorithms. */
    default int frames() {
        return 0;
    }

    /**
     * Whether all instances that share a store count their calls together. If not, each instance counts only its own
     * calls.
     */
    default boolean isFleetWide() {
        return true;
    }

    /**
     * This limit multiplied by a factor. The result is rounded to a value that the algorithm supports, and is at least
     * 1.
     */
    Limit times(BigDecimal factor);

    /**
     * This limit, raised by the number of calls that operators have given to a counter for a window. A limit without
     * windows does not change.
     */
    default Limit plus(long given) {
        return this;
    }

    /**
     * The given threshold if a bucket can refill exactly at the resulting rate; otherwise, the nearest threshold for
     * which it can.
     */
    static long nearestFlow(long threshold, Duration period) {
        return LimitChecks.nearestFlow(threshold, period);
    }

    /** The maximum burst or queue length of a bucket. */
    static long mostHeld(long threshold, Duration period) {
        return LimitChecks.mostHeld(threshold, period);
    }

    /**
     * One function for each algorithm. There is no default, so code that uses this record does not compile until it
     * handles every algorithm, including new ones. Declare the parameter types of the lambdas, so that the compiler
     * also checks their order.
     */
    record Cases<R>(
            Function<FixedWindow, R> fixedWindow,
            Function<SlidingWindow, R> slidingWindow,
            Function<SlidingLog, R> slidingLog,
            Function<TokenBucket, R> tokenBucket,
            Function<LeakyBucket, R> leakyBucket,
            Function<Concurrency, R> concurrency) {}

    /**
     * A limit of {@code threshold} calls in each window.
     *
     * @param threshold the maximum number of calls in a window
     * @param windows how time is divided into windows
     */
    record FixedWindow(long threshold, Windows windows) implements Limit {

        public FixedWindow {
            LimitChecks.check(threshold, MAX_THRESHOLD, windows.length());
        }

        /**
         * Creates a limit of {@code threshold} calls in each period. Periods are aligned to the start of 1970 in UTC.
         */
        public FixedWindow(long threshold, Duration period) {
            this(threshold, Windows.every(period));
        }

        @Override
        public Algorithm algorithm() {
            return Algorithm.FIXED_WINDOW;
        }

        @Override
        public Windows periods() {
            return windows;
        }

        @Override
        public Limit times(BigDecimal factor) {
            return new FixedWindow(LimitChecks.times(threshold, factor, MAX_THRESHOLD), windows);
        }

        @Override
        public Limit plus(long given) {
            return new FixedWindow(Math.min(threshold + given, MAX_THRESHOLD), windows);
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
     * A limit of about {@code threshold} calls in the last {@code period}. The number of calls is estimated from the
     * counts of frames.
     *
     * @param threshold the maximum number of calls in a period
     * @param period the length of the window
     * @param subWindows the number of frames in a period. More frames make the estimate more precise
     */
    record SlidingWindow(long threshold, Duration period, int subWindows) implements Limit {

        /** The maximum number of frames in a period. */
        public static final int MAX_SUB_WINDOWS = 60;

        public SlidingWindow {
            LimitChecks.check(threshold, MAX_THRESHOLD, period);
            if (subWindows < 1 || subWindows > MAX_SUB_WINDOWS) {
                throw new IllegalArgumentException(
                        "subWindows must be from 1 to " + MAX_SUB_WINDOWS + ", but is " + subWindows);
            }
            if (period.toMillis() % subWindows != 0) {
                throw new IllegalArgumentException(
                        "period " + period + " does not divide into " + subWindows + " frames of whole milliseconds");
            }
        }

        @Override
        public Algorithm algorithm() {
            return Algorithm.SLIDING_WINDOW;
        }

        @Override
        public Windows windows() {
            return Windows.every(Duration.ofMillis(frameMillis()));
        }

        @Override
        public int frames() {
            return subWindows;
        }

        @Override
        public Limit times(BigDecimal factor) {
            return new SlidingWindow(LimitChecks.times(threshold, factor, MAX_THRESHOLD), period, subWindows);
        }

        @Override
        public Limit plus(long given) {
            return new SlidingWindow(Math.min(threshold + given, MAX_THRESHOLD), period, subWindows);
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

    /**
     * An exact limit of {@code threshold} calls in any {@code period}. The time of each call is stored.
     *
     * @param threshold the maximum number of calls in a period
     * @param period the time for which a call counts
     */
    record SlidingLog(long threshold, Duration period) implements Limit {

        /** The maximum threshold. It is small because the time of each call is stored. */
        public static final long MAX_LOGGED = 100_000;

        public SlidingLog {
            LimitChecks.check(threshold, MAX_LOGGED, period);
        }

        @Override
        public Algorithm algorithm() {
            return Algorithm.SLIDING_LOG;
        }

        @Override
        public boolean isAlwaysStrict() {
            return true;
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
     * A bucket that refills with {@code threshold} tokens in each {@code period}, at a steady rate. A call takes one
     * token.
     *
     * @param threshold the number of tokens that flow in during each period
     * @param period the length of a period
     * @param burst the number of tokens in a full bucket
     */
    record TokenBucket(long threshold, Duration period, long burst) implements Limit {

        public TokenBucket {
            LimitChecks.check(threshold, MAX_THRESHOLD, period);
            LimitChecks.checkFlow(threshold, period, burst);
        }

        @Override
        public Algorithm algorithm() {
            return Algorithm.TOKEN_BUCKET;
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
     * A bucket that leaks {@code threshold} calls in each {@code period}, at a steady rate. Without a queue, up to
     * {@code threshold} calls pass immediately. With a queue, a call passes immediately only if no other call has
     * passed shortly before. Other calls are queued until it is their turn.
     *
     * @param threshold the number of calls that leak in a period
     * @param period the length of a period
     * @param queue the maximum number of queued calls; 0 for no queue
     * @param maxQueueTime the maximum time for which a call is queued
     */
    record LeakyBucket(long threshold, Duration period, long queue, Duration maxQueueTime) implements Limit {

        public LeakyBucket {
            LimitChecks.check(threshold, MAX_THRESHOLD, period);
            LimitChecks.checkFlow(threshold, period, Math.max(threshold, queue));
            if (queue < 0) {
                throw new IllegalArgumentException("queue must not be negative, but is " + queue);
            }
            if (maxQueueTime.isNegative()) {
                throw new IllegalArgumentException("maxQueueTime must not be negative, but is " + maxQueueTime);
            }
        }

        @Override
        public Algorithm algorithm() {
            return Algorithm.LEAKY_BUCKET;
        }

        @Override
        public boolean isAlwaysStrict() {
            return hasQueue();
        }

        @Override
        public boolean hasQueue() {
            return queue > 0;
        }

        @Override
        public Limit times(BigDecimal factor) {
            long flow = LimitChecks.flowTimes(threshold, period, factor);
            long longest = queue == 0 ? 0 : LimitChecks.times(queue, factor, LimitChecks.mostHeld(flow, period));
            return new LeakyBucket(flow, period, longest, maxQueueTime);
        }

        @Override
        public <R> R byAlgorithm(Cases<R> cases) {
            return cases.leakyBucket().apply(this);
        }

        @Override
        public long capacity() {
            return queue == 0 ? threshold : 1 + Math.min(queue, millisTimesThreshold() / period.toMillis());
        }

        /** Whether {@code maxQueueTime} allows fewer queued calls than {@code queue}. */
        public boolean isCutByMaxQueueTime() {
            return queue > millisTimesThreshold() / period.toMillis();
        }

        /** The maximum number of calls that can be queued at the same time. */
        public long mostQueued() {
            return Math.min(queue, -Math.floorDiv(-millisTimesThreshold(), period.toMillis()));
        }

        /**
         * The maximum time in the queue, multiplied by the threshold. If this product is divided by the period, the
         * result is the number of calls that leak during that time.
         */
        private long millisTimesThreshold() {
            long millis = maxQueueTime.toMillis();
            return millis > Long.MAX_VALUE / threshold ? Long.MAX_VALUE : millis * threshold;
        }
    }

    /**
     * A limit of {@code threshold} calls in flight at the same time.
     *
     * @param threshold the number of slots
     * @param scope whose calls share the slots
     */
    record Concurrency(long threshold, Scope scope) implements Limit {

        /** Whose calls share the slots. */
        public enum Scope {
            /** The calls of all instances. */
            FLEET,
            /** The calls of one instance. */
            SERVER
        }

        public Concurrency {
            if (threshold < 1 || threshold > MAX_THRESHOLD) {
                throw new IllegalArgumentException(
                        "threshold must be from 1 to " + MAX_THRESHOLD + ", but is " + threshold);
            }
        }

        @Override
        public Algorithm algorithm() {
            return Algorithm.CONCURRENCY;
        }

        @Override
        public @Nullable Windows periods() {
            return null;
        }

        @Override
        public boolean isFleetWide() {
            return scope == Scope.FLEET;
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
