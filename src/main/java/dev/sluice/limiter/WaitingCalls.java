package dev.sluice.limiter;

import dev.sluice.Batch.Need;
import java.util.TreeMap;

/** The calls that wait for permits of one pool, by what each of them needs. Safe for any threads. */
final class WaitingCalls {

    private final TreeMap<Long, Integer> callsByNeed = new TreeMap<>();
    private int undecided;
    private volatile long all;

    /**
     * A call begins to wait.
     *
     * @param isAll whether it passes once it has this
     */
    synchronized void add(long need, boolean isAll) {
        callsByNeed.merge(need, 1, Integer::sum);
        undecided += isAll ? 0 : 1;
        all += need;
    }

    /** It waits no more. */
    synchronized void remove(long need, boolean isAll) {
        callsByNeed.computeIfPresent(need, (same, calls) -> calls == 1 ? null : calls - 1);
        undecided -= isAll ? 0 : 1;
        all -= need;
    }

    boolean isEmpty() {
        return all == 0;
    }

    /** What they lack beyond so many permits in hand. */
    synchronized Need lacking(long inHand) {
        if (all <= inHand) {
            return Need.NONE;
        }
        return new Need(all - inHand, Math.max(1, callsByNeed.firstKey() - inHand), undecided == 0);
    }
}
