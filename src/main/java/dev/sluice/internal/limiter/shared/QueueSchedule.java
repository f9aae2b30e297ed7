package dev.sluice.internal.limiter.shared;

import dev.sluice.internal.limiter.rule.SharedBucket;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * When the calls of a shared queue may proceed: one time for each granted permit, added before the permit. Thread-safe.
 */
public final class QueueSchedule {

    private final Deque<Long> times = new ConcurrentLinkedDeque<>();

    /** Adds the times of this many calls. The last one proceeds when the bucket would be full without it. */
    public void add(long calls, SharedBucket.Usage bucket, long nowMillis) {
        for (long later = calls; later > 0; later--) {
            times.add(nowMillis + bucket.millisUntilTurn(later, nowMillis));
        }
    }

    /**
     * Takes the times of a call's permits. The call proceeds at the first of them. A call that takes no permit also
     * waits for the next time, but leaves it to others.
     */
    List<Long> take(long cost) {
        if (cost == 0) {
            Long next = times.peek();
            return next == null ? List.of() : List.of(next);
        }
        List<Long> taken = new ArrayList<>(1);
        for (Long time = times.poll(); time != null; time = taken.size() < cost ? times.poll() : null) {
            taken.add(time);
        }
        return taken;
    }

    /** Removes the last times, for permits that are gone. */
    public void dropLast(long permits) {
        for (long dropped = 0; dropped < permits && times.pollLast() != null; ) {
            dropped++;
        }
    }

    void putBack(List<Long> taken) {
        for (int i = taken.size() - 1; i >= 0; i--) {
            times.addFirst(taken.get(i));
        }
    }
}
