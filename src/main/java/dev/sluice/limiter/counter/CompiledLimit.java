package dev.sluice.limiter.counter;

import dev.sluice.LoadSignal;
import dev.sluice.algorithm.FixedWindow;
import dev.sluice.algorithm.Gcra;
import dev.sluice.algorithm.SingleWordAlgorithm;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Tier;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much passes, and how that is counted: one object for all tiers with the same figures, so that it is always at
 * hand.
 */
public final class CompiledLimit {

    /** What passes at most, beyond the limit too. */
    public final long most;
    /** What of that passes only beyond the limit. */
    public final long beyond;
    /** How long a window is, or a frame of one that slides. */
    public final long lengthMillis;
    /** How many frames a sliding window has; 0 where windows do not slide. */
    public final int frames;

    private final Limit limit;
    private final @Nullable SingleWordAlgorithm arithmetic;
    private final @Nullable Room room;

    public CompiledLimit(Tier tier, LoadSignal load) {
        this.limit = tier.limit();
        this.most = tier.most();
        this.beyond = tier.beyond();
        Limit.SlidingWindow sliding = limit instanceof Limit.SlidingWindow slides ? slides : null;
        this.lengthMillis = sliding == null ? limit.period().toMillis() : sliding.frameMillis();
        this.frames = sliding == null ? 0 : sliding.subWindows();
        this.arithmetic = arithmeticOf();
        this.room = tier.overage() instanceof Overage.Elastic elasticOverage
                ? new Room(load, elasticOverage.whileLoadBelow())
                : null;
    }

    /** When calls pass beyond the limit. */
    private record Room(LoadSignal load, double whileLoadBelow) {}

    private @Nullable SingleWordAlgorithm arithmeticOf() {
        if (limit instanceof Limit.FixedWindow) {
            return new FixedWindow(most, lengthMillis);
        }
        boolean drips = limit instanceof Limit.TokenBucket || limit instanceof Limit.LeakyBucket;
        return drips ? bucket(limit, most) : null;
    }

    /** The arithmetic of a bucket that lets so much pass at most. */
    public static Gcra bucket(Limit limit, long most) {
        Gcra whole = Gcra.of(limit.threshold(), limit.period().toMillis(), most);
        return limit instanceof Limit.LeakyBucket queue && queue.isCutByMaxWait()
                ? whole.deepenedByRemainder(queue.maxWait().toMillis())
                : whole;
    }

    /** The arithmetic, where one word is enough for it. */
    public SingleWordAlgorithm arithmetic() {
        return Objects.requireNonNull(arithmetic, "an algorithm that keeps one word");
    }

    /**
     * After this time the algorithm itself has given back what a call took; to refund it then would count twice. Where
     * time is cut into windows, a late refund is of no use anyway.
     */
    public long comesBackAfterMillis() {
        if (limit instanceof Limit.SlidingLog) {
            return lengthMillis;
        }
        return arithmetic instanceof Gcra bucket ? bucket.millisToRefill() : Long.MAX_VALUE;
    }

    /** Whether calls pass beyond the limit only while there is room. */
    public boolean isElastic() {
        return room != null;
    }

    /** Whether calls may pass beyond the limit now. */
    boolean hasRoom() {
        return room == null || room.load.load() < room.whileLoadBelow;
    }

    /** Whether what a call takes is a place, which it puts back in the end. */
    public boolean isConcurrency() {
        return limit instanceof Limit.Concurrency;
    }

    /** Whether time is cut into windows, or frames of one that slides, each with a count of its own. */
    public boolean isCutIntoWindows() {
        return limit instanceof Limit.FixedWindow || frames > 0;
    }

    /** Whether calls wait for their turn. */
    public boolean queues() {
        return limit instanceof Limit.LeakyBucket bucket && bucket.queue() > 0;
    }
}
