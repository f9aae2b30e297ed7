package dev.sluice.internal.limiter;

import dev.sluice.Block;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Ticket;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.tier.Tier;
import org.jspecify.annotations.Nullable;

/** Builds decisions from the state of a pool. */
final class Decisions {

    private Decisions() {}

    /** Creates the decision that admits a call. */
    static Decision admitted(Endpoint endpoint, Pool pool, long state, long nowMillis, @Nullable Ticket ticket) {
        Outcome outcome = pool.usesOverage(state, nowMillis) ? Outcome.ADMITTED_BEYOND : Outcome.ADMITTED;
        return answer(outcome, endpoint, pool, state, 0, 0, nowMillis, ticket);
    }

    /** Returns the figures of the given pool for the response headers of an admitted call. */
    static Decision.Shown shown(Endpoint endpoint, Pool pool, long state, long nowMillis) {
        return new Decision.Shown(
                endpoint,
                pool.shownTier(),
                pool.left(state, nowMillis),
                pool.resetMillis(state, nowMillis),
                pool.usesOverage(state, nowMillis));
    }

    /**
     * Creates the decision for a call that did not pass.
     *
     * @param outcome the outcome of the call
     * @param need the number of permits that the call needed from the pool
     * @param ticket the ticket that other limits have already issued for the call; {@code null} if there is none
     */
    static Decision refused(
            Outcome outcome, Endpoint endpoint, Pool pool, long need, long nowMillis, @Nullable Ticket ticket) {
        long retryMillis = retryMillis(endpoint, pool, need, nowMillis);
        return answer(outcome, endpoint, pool, pool.state(nowMillis), retryMillis, need, nowMillis, ticket);
    }

    /**
     * Creates the decision for a blocked caller, who has no permits until the block ends. This method does not look up
     * any counter.
     */
    static Decision blocked(
            Outcome outcome, Endpoint endpoint, Tier tier, Block block, long nowMillis, @Nullable Ticket ticket) {
        long leftMillis = Math.max(1, block.untilMillis() - nowMillis);
        return new Decision(outcome, endpoint, tier, block.key().subjects(), 0, leftMillis, leftMillis, ticket);
    }

    /**
     * Returns how long to wait before retrying a call that needs the given number of permits, assuming that no other
     * calls arrive.
     */
    static long retryMillis(Endpoint endpoint, Pool pool, long need, long nowMillis) {
        return pool.retryMillisIfCallsReturn(need, endpoint.countsByAnswer(), nowMillis);
    }

    private static Decision answer(
            Outcome outcome,
            Endpoint endpoint,
            Pool pool,
            long state,
            long retryMillis,
            long cost,
            long nowMillis,
            @Nullable Ticket ticket) {
        long left = pool.left(state, nowMillis);
        long resetMillis = pool.resetMillis(state, nowMillis);
        return new Decision(
                outcome, endpoint, pool.shownTier(), pool.subjects(), left, resetMillis, retryMillis, cost, ticket);
    }
}
