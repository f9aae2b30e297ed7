package dev.sluice.internal.limiter.counter;

import dev.sluice.LoadSignal;
import dev.sluice.internal.algorithm.FixedWindow;
import dev.sluice.internal.algorithm.Gcra;
import dev.sluice.internal.algorithm.SingleWordAlgorithm;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The figures and the arithmetic of a limit, compiled for counting. Tiers with equal limits share one object, so that
 * the object is likely to stay in the CPU cache. Thread-safe.
 */
public final class CompiledLimit {

    /** The maximum number of calls that can pass, including overage. */
    public final long most;
    /** The number of calls that can pass only as overage, in excess of the threshold. */
    public final long overage;
    /** The windows, or the frames of a sliding window; {@code null} if the algorithm uses neither. */
    public final @Nullable Windows windows;
    /** The length of the shortest window or frame; the period if the algorithm uses neither. */
    public final long lengthMillis;
    /** The number of frames of a sliding window; 0 for other algorithms. */
    public final int frames;

    /** Whether time is divided into windows or frames, each with its own count. */
    public final boolean hasWindows;
    /** Whether the limit counts calls in flight. Each call occupies a slot until it ends. */
    public final boolean isConcurrency;
    /** Whether the limit queues calls until their turn comes. */
    public final boolean hasQueue;
    /** Whether all instances count together; otherwise each counts its own calls. */
    public final boolean isFleetWide;
    /**
     * The time after a call during which its permits can be refunded. After that, they have already become available
     * again over time, so a refund would return them twice. Fixed windows need no such bound, because refunds never
     * cross window boundaries. Frames have a bound so that they can be discarded.
     */
    public final long refundableForMillis;

    /** The span that was looked up last; an endless span if the limit has no windows. */
    private volatile Span latest;

    private final @Nullable SingleWordAlgorithm arithmetic;
    private final @Nullable ElasticCondition elastic;

    CompiledLimit(Tier tier, LoadSignal load) {
        Limit limit = tier.limit();
        this.most = tier.most();
        this.overage = tier.maxOverage();
        this.frames = limit.frames();
        this.windows = limit.windows();
        this.hasWindows = windows != null;
        this.latest = new Span(0, hasWindows ? 0 : Window.FOR_EVER);
        this.lengthMillis = (windows == null ? limit.period() : windows.shortest()).toMillis();
        this.isConcurrency = !limit.hasPeriod();
        this.hasQueue = limit.hasQueue();
        this.isFleetWide = limit.isFleetWide();
        this.arithmetic = arithmetic(limit, most);
        this.refundableForMillis = refundableForMillis(limit, most);
        this.elastic = tier.overage() instanceof Overage.Elastic elasticOverage
                ? new ElasticCondition(load, elasticOverage.whileLoadBelow())
                : null;
    }

    /** The condition under which calls may exceed the threshold. */
    private record ElasticCondition(LoadSignal load, double whileLoadBelow) {}

    private static @Nullable SingleWordAlgorithm arithmetic(Limit limit, long most) {
        return limit.byAlgorithm(new Limit.Cases<@Nullable SingleWordAlgorithm>(
                (Limit.FixedWindow window) -> new FixedWindow(most, window.windows()),
                (Limit.SlidingWindow window) -> null,
                (Limit.SlidingLog log) -> null,
                (Limit.TokenBucket bucket) -> bucket(bucket, most),
                (Limit.LeakyBucket bucket) -> bucket(bucket, most),
                (Limit.Concurrency slots) -> null));
    }

    private static long refundableForMillis(Limit limit, long most) {
        return limit.byAlgorithm(new Limit.Cases<Long>(
                (Limit.FixedWindow window) -> Long.MAX_VALUE,
                (Limit.SlidingWindow window) -> window.period().toMillis() + window.frameMillis(),
                (Limit.SlidingLog log) -> log.period().toMillis(),
                (Limit.TokenBucket bucket) -> bucket(bucket, most).millisToRefill(),
                (Limit.LeakyBucket bucket) -> bucket(bucket, most).millisToRefill(),
                (Limit.Concurrency slots) -> Long.MAX_VALUE));
    }

    /** Returns the arithmetic of a token bucket that lets at most the given number of calls pass in one burst. */
    public static Gcra bucket(Limit.TokenBucket bucket, long most) {
        return Gcra.of(bucket.threshold(), bucket.period().toMillis(), most);
    }

    /**
     * Returns the arithmetic of a leaky bucket that lets at most the given number of calls pass or queue in one burst.
     */
    public static Gcra bucket(Limit.LeakyBucket bucket, long most) {
        Gcra whole = Gcra.of(bucket.threshold(), bucket.period().toMillis(), most);
        return bucket.isCutByMaxQueueTime()
                ? whole.deepenedByRemainder(bucket.maxQueueTime().toMillis())
                : whole;
    }

    /** Returns the window or frame that contains the given time; an endless span if the limit has no windows. */
    public Span spanAt(long nowMillis) {
        Span known = latest;
        if (windows != null && !known.contains(nowMillis)) {
            known = new Span(windows.startAt(nowMillis), windows.endAt(nowMillis));
            latest = known;
        }
        return known;
    }

    /** Returns the arithmetic of an algorithm that stores its state in a single word. */
    public SingleWordAlgorithm arithmetic() {
        return Objects.requireNonNull(arithmetic, "the algorithm needs more than one word of state");
    }

    /** Whether calls can exceed the threshold only while the load is low. */
    public boolean isElastic() {
        return elastic != null;
    }

    /** Whether calls may exceed the threshold now. */
    boolean allowsOverage() {
        return elastic == null || elastic.load.load() < elastic.whileLoadBelow;
    }
}
