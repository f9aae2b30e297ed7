package dev.sluice.limiter;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Ticket;
import dev.sluice.limiter.counter.Pool;
import org.jspecify.annotations.Nullable;

/** Says what a pool has to say of a call, as a decision. */
final class Decisions {

    private Decisions() {}

    /** The call has passed, and left the pool so. */
    static Decision admitted(Endpoint endpoint, Pool pool, long reading, long nowMillis, @Nullable Ticket ticket) {
        Outcome outcome = pool.isBeyond(reading, nowMillis) ? Outcome.ADMITTED_BEYOND : Outcome.ADMITTED;
        return answer(outcome, endpoint, pool, reading, 0, nowMillis, ticket, 0);
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
        long retryMillis = pool.retryMillisIfCallsReturn(need, nowMillis);
        return answer(outcome, endpoint, pool, pool.reading(nowMillis), retryMillis, nowMillis, ticket, need);
    }

    private static Decision answer(
            Outcome outcome,
            Endpoint endpoint,
            Pool pool,
            long reading,
            long retryMillis,
            long nowMillis,
            @Nullable Ticket ticket,
            long cost) {
        long left = pool.left(reading, nowMillis);
        long resetMillis = pool.resetMillis(reading, nowMillis);
        return new Decision(
                outcome, endpoint, pool.family().tier, pool.subjects(), left, resetMillis, retryMillis, ticket, cost);
    }
}
