package dev.sluice.limiter;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** When the calls of a shared queue may go on: each permit that the store grants has its moment, which is here before the permit is. Safe for any threads. */
final class QueueSchedule {

    private final Queue<Long> moments = new ConcurrentLinkedQueue<>();

    /** So many more calls may go on, the last of them when the bucket would be full but for it. */
    void add(long calls, SharedBucket.Usage bucket, long nowMillis) {
        for (long later = calls; later > 0; later--) {
            moments.add(nowMillis + bucket.millisUntilTurn(later, nowMillis));
        }
    }

    /** How long a call has to wait that has taken so many permits. */
    long delayMillis(long cost, long nowMillis) {
        Long first = moments.poll();
        for (long i = 1; i < cost && moments.poll() != null; i++) {
            // one call, one wait: the other permits' moments are over with the first
        }
        return first == null ? 0 : Math.max(0, first - nowMillis);
    }
}
