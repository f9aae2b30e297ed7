package dev.sluice.limiter;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Ticket;
import dev.sluice.limiter.counter.Pool;
import org.jspecify.annotations.Nullable;

/** Says what a pool has to say of a call, as a decision. */
final class Answers {

    private Answers() {}

    /** The call has passed, and left the pool so. */
    static Decision admitted(Endpoint endpoint, Pool pool, long reading, long nowMillis, @Nullable Ticket ticket) {
        return new Decision(
                pool.isBeyond(reading, nowMillis) ? Outcome.ADMITTED_BEYOND : Outcome.ADMITTED,
                endpoint,
                pool.family().tier,
                pool.subjects(),
                pool.left(reading, nowMillis),
                pool.resetMillis(reading, nowMillis),
                0,
                ticket);
    }

    /**
     * The call has not passed.
     *
     * @param outcome what becomes of it all the same
     * @param need what it did not find
     * @param ticket what it carries all the same
     */
    static Decision refused(
            Outcome outcome, Endpoint endpoint, Pool pool, long need, long nowMillis, @Nullable Ticket ticket) {
        long reading = pool.reading(nowMillis);
        return new Decision(
                outcome,
                endpoint,
                pool.family().tier,
                pool.subjects(),
                pool.left(reading, nowMillis),
                pool.resetMillis(reading, nowMillis),
                pool.retryMillisIfCallsReturn(need, nowMillis),
                ticket);
    }
}
