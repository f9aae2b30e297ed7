package dev.sluice.limiter.shared;

import dev.sluice.limiter.rule.SharedBucket;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * When the calls of a shared queue may go on: each permit that the store grants has its moment, which is here before
 * the permit is. Safe for any threads.
 */
public final class QueueSchedule {

    private final Deque<Long> moments = new ConcurrentLinkedDeque<>();

    /** So many more calls may go on, the last of them when the bucket would be full but for it. */
    public void add(long calls, SharedBucket.Usage bucket, long nowMillis) {
        for (long later = calls; later > 0; later--) {
            moments.add(nowMillis + bucket.millisUntilTurn(later, nowMillis));
        }
    }

    /**
     * The moments of a call that has taken so many permits. It goes on at the first: one call, one wait. One that takes
     * none waits for the next moment too, and leaves it to others.
     */
    public List<Long> take(long cost) {
        if (cost == 0) {
            Long next = moments.peek();
            return next == null ? List.of() : List.of(next);
        }
        List<Long> taken = new ArrayList<>(1);
        for (Long moment = moments.poll(); moment != null; moment = taken.size() < cost ? moments.poll() : null) {
            taken.add(moment);
        }
        return taken;
    }

    /** So many permits are no longer here. */
    public void dropLast(long permits) {
        for (long dropped = 0; dropped < permits && moments.pollLast() != null; ) {
            dropped++;
        }
    }

    /** The call gives back the permits that it has taken: the moments are there for the next one. */
    public void putBack(List<Long> taken) {
        for (int i = taken.size() - 1; i >= 0; i--) {
            moments.addFirst(taken.get(i));
        }
    }
}
