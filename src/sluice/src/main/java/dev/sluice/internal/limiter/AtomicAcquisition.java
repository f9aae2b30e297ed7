package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.limiter.counter.Shortage;
import dev.sluice.internal.limiter.memory.Counters;
import dev.sluice.limits.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The all-or-nothing acquisition of one call's permits from several counters. It first checks all counters. Then it
 * borrows from each counter in a global order. Finally, it keeps or releases all borrowed permits, as {@link Pool}
 * explains. Not thread-safe: only one thread uses it at a time.
 */
final class AtomicAcquisition {

    /** The result of an attempt. */
    enum Attempt {
        TAKEN,
        /** A counter has too few permits. The call waits for more or is refused. */
        SHORT,
        /** There are enough permits, but the call would be queued, and too many calls are already queued. */
        TOO_MANY_QUEUED,
        /** A counter was retired or a frame has ended, so the counters have to be looked up again. */
        RETIRED
    }

    private final TierAcquisition[] parts;
    /**
     * The bounds on the number of queued calls that block a thread; {@code null} if this call would not block a thread.
     */
    private final @Nullable BoundedPending bounds;
    /** Whether callers can freely choose the queue that they join. */
    private final boolean isMadeUp;

    private @Nullable TierAcquisition limiting;
    private long delayMillis;
    private boolean isCountedAsQueued;
    private boolean isInLine;
    private long arrivalNanos;

    private AtomicAcquisition(TierAcquisition[] parts, boolean isMadeUp, @Nullable BoundedPending bounds) {
        this.parts = parts;
        this.isMadeUp = isMadeUp;
        this.bounds = bounds;
    }

    /** Creates the acquisition for one call. Merges parts that use the same counter into a single, stricter part. */
    static AtomicAcquisition of(List<TierAcquisition> parts, Call call, BoundedPending bounds) {
        TierAcquisition[] ordered = parts.toArray(TierAcquisition[]::new);
        int repeated = putInOrder(ordered);
        TierAcquisition[] each = repeated == 0 ? ordered : Arrays.copyOf(ordered, ordered.length - repeated);
        boolean mayQueue = false;
        boolean isMadeUp = false;
        for (TierAcquisition part : each) {
            mayQueue |= part.mayQueue();
            isMadeUp |= part.mayQueue() && part.family.origin != Origin.VERIFIED;
        }
        return new AtomicAcquisition(each, isMadeUp, mayQueue && call.holdsThread(isMadeUp) ? bounds : null);
    }

    /** Looks up the counters, and takes permits from all of them or from none. */
    Attempt take(Counters counters, long nowMillis) {
        find(counters, nowMillis);
        return take(nowMillis);
    }

    /**
     * Sorts the parts by the order in which calls borrow from counters, and merges parts that use the same counter. The
     * parts are almost always sorted already.
     *
     * @return the number of parts that were merged into others, and therefore the number of unused elements at the end
     */
    private static int putInOrder(TierAcquisition[] parts) {
        int count = 0;
        for (TierAcquisition moved : parts) {
            int to = count;
            while (to > 0 && parts[to - 1].compareOrder(moved) > 0) {
                to--;
            }
            if (to > 0 && parts[to - 1].compareOrder(moved) == 0) {
                parts[to - 1] = parts[to - 1].stricter(moved);
                continue;
            }
            System.arraycopy(parts, to, parts, to + 1, count - to);
            parts[to] = moved;
            count++;
        }
        return parts.length - count;
    }

    /** Looks up the pool of each counter at the given time. */
    void find(Counters counters, long nowMillis) {
        for (TierAcquisition part : parts) {
            part.find(counters, nowMillis);
        }
    }

    /** Records that the call stands in line. From now on, only earlier calls take precedence over it. */
    void standsInLine(long sinceNanos) {
        isInLine = true;
        arrivalNanos = sinceNanos;
    }

    /** Whether a counter has too few permits, or an earlier call stands in line for them. */
    private boolean lacks(TierAcquisition part, long nowMillis) {
        Pool pool = part.pool();
        return part.isShort(nowMillis) || (isInLine ? pool.isAnyInLineBefore(arrivalNanos) : pool.isAnyInLine());
    }

    Attempt take(long nowMillis) {
        for (TierAcquisition part : parts) {
            if (lacks(part, nowMillis)) {
                limiting = part;
                return Attempt.SHORT;
            }
        }
        for (int i = 0; i < parts.length; i++) {
            long state = parts[i].borrow(nowMillis);
            if (state < 0) {
                release(i, nowMillis);
                limiting = parts[i];
                return state == Pool.TOO_FEW ? Attempt.SHORT : Attempt.RETIRED;
            }
        }
        if (!mayBeQueued(nowMillis)) {
            release(parts.length, nowMillis);
            return Attempt.TOO_MANY_QUEUED;
        }
        for (TierAcquisition part : parts) {
            part.keep(nowMillis);
        }
        return Attempt.TAKEN;
    }

    private void release(int borrowed, long nowMillis) {
        for (int i = 0; i < borrowed; i++) {
            parts[i].release(nowMillis);
        }
    }

    /**
     * Whether a call that has borrowed all its permits may proceed. It may proceed if it need not be queued on a
     * thread, or if the queue has room for it.
     */
    private boolean mayBeQueued(long nowMillis) {
        delayMillis = 0;
        for (TierAcquisition part : parts) {
            long delay = part.delayMillis(nowMillis);
            if (delay > delayMillis) {
                delayMillis = delay;
                limiting = part;
            }
        }
        isCountedAsQueued = delayMillis > 0 && bounds != null && bounds.beginQueued(isMadeUp);
        return isCountedAsQueued || delayMillis == 0 || bounds == null;
    }

    /** Returns how long the call has to wait in the queue until its turn comes. */
    long delayMillis() {
        return delayMillis;
    }

    /**
     * Whether the call is counted as queued on a thread. If so, {@link BoundedPending#endQueued} has to be called when
     * it leaves the queue.
     */
    boolean isCountedAsQueued() {
        return isCountedAsQueued;
    }

    TierAcquisition[] parts() {
        return parts;
    }

    /** Returns the part that refuses the call. */
    TierAcquisition limiting() {
        return limiting == null ? parts[0] : limiting;
    }

    /**
     * Returns the refusing part with the longest retry time, because a retry can pass only after that time. If the call
     * can never pass a part, the retry time of that part is treated as infinite.
     */
    TierAcquisition longestRefusing(long nowMillis) {
        TierAcquisition longest = limiting();
        long wait = -1;
        for (TierAcquisition part : parts) {
            if (part.neverFits() || part.hasTooLittleLeft(nowMillis)) {
                long other = part.neverFits()
                        ? Long.MAX_VALUE
                        : Decisions.retryMillis(part.compiledEndpoint.endpoint, part.pool(), part.need, nowMillis);
                if (other > wait) {
                    longest = part;
                    wait = other;
                }
            }
        }
        return longest;
    }

    /**
     * Returns the part with the smallest remaining fraction of its limit. If several parts have the same fraction, a
     * part whose overage the call uses takes precedence.
     */
    TierAcquisition scarcest(long nowMillis) {
        TierAcquisition scarcest = scarcest(nowMillis, false);
        return scarcest == null ? parts[0] : scarcest;
    }

    /**
     * Returns the {@linkplain #scarcest(long) scarcest part} of the endpoints that show headers; {@code null} if no
     * endpoint shows any.
     */
    @Nullable TierAcquisition scarcestShown(long nowMillis) {
        return scarcest(nowMillis, true);
    }

    private @Nullable TierAcquisition scarcest(long nowMillis, boolean isShown) {
        TierAcquisition scarcest = null;
        double least = Double.POSITIVE_INFINITY;
        for (TierAcquisition part : parts) {
            if (isShown && !part.compiledEndpoint.endpoint.showsHeaders(true)) {
                continue;
            }
            double left = part.pool().leftInProportion(nowMillis);
            if (left < least || scarcest == null || (left == least && part.usesOverage(nowMillis))) {
                scarcest = part;
                least = left;
            }
        }
        return scarcest;
    }

    /** Ends a refused call. Other calls can now take permits that were granted to it while it was waiting. */
    void giveUp(Sharing sharing) {
        for (TierAcquisition part : parts) {
            sharing.requestCheck(part.pool());
        }
    }

    /** Returns all shortages of the call, starting with that of {@link #limiting}. */
    List<Shortage> shortages(long nowMillis) {
        boolean sufficesAlone = parts.length == 1 && parts[0].need == parts[0].cost;
        List<Shortage> shortages = new ArrayList<>(1);
        shortages.add(limiting().shortage(sufficesAlone));
        for (TierAcquisition part : parts) {
            if (part != limiting() && lacks(part, nowMillis)) {
                shortages.add(part.shortage(false));
            }
        }
        return shortages;
    }
}
