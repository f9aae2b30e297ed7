package dev.sluice.limiter;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** When those calls may go on that the store has let into a queue. Each permit has its turn, which is here before the permit is. Safe for any threads. */
final class Turns {

    private final Queue<Long> moments = new ConcurrentLinkedQueue<>();

    /** So many more may go on, the last of them when the bucket would be full but for its part. */
    void add(long calls, Outlook.OfBucket bucket, long nowMillis) {
        for (long later = calls; later > 0; later--) {
            moments.add(nowMillis + bucket.millisUntilTurn(later, nowMillis));
        }
    }

    /** How long a call has to wait that has taken so many permits; their turns are over with it. */
    long delayMillis(long cost, long nowMillis) {
        Long first = moments.poll();
        for (long i = 1; i < cost && moments.poll() != null; i++) {
            // the others are over too
        }
        return first == null ? 0 : Math.max(0, first - nowMillis);
    }
}
