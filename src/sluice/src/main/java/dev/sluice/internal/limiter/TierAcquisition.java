package dev.sluice.internal.limiter;

import dev.sluice.Block;
import dev.sluice.Call;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Shortage;
import dev.sluice.internal.limiter.counter.Turn;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoint;
import dev.sluice.internal.limiter.memory.CounterId;
import dev.sluice.internal.limiter.memory.Counters;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One tier's part of a call's acquisition: the counter, and the number of permits to take. Not thread-safe: only one
 * thread uses it at a time, even while the call is waiting.
 */
final class TierAcquisition {

    final CompiledEndpoint compiledEndpoint;
    /**
     * The family according to the limits in force when the call began. The pool that was found can belong to a later
     * family of the same series.
     */
    final CounterFamily family;

    long cost;
    /** The number of permits that must be available for the call to pass. */
    long need;
    /** The value of the only subject, or the list of values if there are several subjects. */
    final Object values;

    private @Nullable Pool found;
    private long state;
    private @Nullable Object basis;
    private List<Turn> turns = List.of();
    /** The time when the permits were permanently taken; -1 before that. */
    private long keptMillis = -1;

    TierAcquisition(CompiledEndpoint compiledEndpoint, CounterFamily family, Object values, long cost) {
        this.compiledEndpoint = compiledEndpoint;
        this.family = family;
        this.values = values;
        costs(cost);
    }

    /** Adds a part for each counter that counts the call at this endpoint. */
    static void addAll(CompiledEndpoint compiledEndpoint, Call call, List<TierAcquisition> parts) {
        CompiledEndpoint.Caller caller = compiledEndpoint.caller(call);
        long cost = compiledEndpoint.cost(call);
        for (CounterFamily family : caller.families()) {
            parts.add(new TierAcquisition(compiledEndpoint, family, caller.values(), cost));
        }
    }

    /**
     * Compares two parts by the global order in which calls borrow from counters. Returns 0 if both parts use the same
     * counter.
     */
    int compareOrder(TierAcquisition other) {
        int byFamily = Long.compare(family.series.number, other.family.series.number);
        return byFamily != 0 || values == other.values ? byFamily : CounterId.compare(values, other.values);
    }

    /**
     * Combines two parts that use the same counter. The result has the smaller limit and the larger cost. Two
     * interpretations of the same call can differ in both.
     */
    TierAcquisition stricter(TierAcquisition other) {
        TierAcquisition smaller = other.family.compiledLimit.most < family.compiledLimit.most ? other : this;
        smaller.costs(Math.max(cost, other.cost));
        return smaller;
    }

    private void costs(long calls) {
        boolean charged = compiledEndpoint.endpoint.cost().charged();
        boolean isConcurrency = family.compiledLimit.isConcurrency;
        cost = isConcurrency ? charged ? 1 : Math.min(calls, 1) : calls;
        need = charged ? 1 : cost;
    }

    /** Returns the caller's block; {@code null} if there is none. Exempt callers are never blocked. */
    @Nullable Block block(long nowMillis) {
        return family.blocks == null || compiledEndpoint.exempt
                ? null
                : family.blocks.find(values, nowMillis, !compiledEndpoint.enforced());
    }

    /**
     * Records that this tier has refused the call. Returns the block that begins as a result; {@code null} if none
     * does.
     */
    @Nullable Block refused(long nowMillis) {
        return family.blocks == null
                        || family.tier.block() == null
                        || compiledEndpoint.exempt
                        || pool().mayBeReturned(need, nowMillis)
                ? null
                : family.blocks.refused(
                        family.key(pool().subjects()), values, family.tier, nowMillis, !compiledEndpoint.enforced());
    }

    /** Looks up the pool for the given time. */
    void find(Counters counters, long nowMillis) {
        Pool pool = null;
        while (pool == null) {
            pool = counters.get(family, values, compiledEndpoint.limitsNumber, nowMillis)
                    .at(nowMillis);
        }
        found = pool;
    }

    Pool pool() {
        return Objects.requireNonNull(found, "the pool has not been looked up yet");
    }

    boolean isShort(long nowMillis) {
        return pool().surelyShortOf(need, nowMillis);
    }

    /**
     * Whether too few permits remain overall, not only in hand. Permits can remain although they are not in hand,
     * because other calls have borrowed them or the store still has them.
     */
    boolean hasTooLittleLeft(long nowMillis) {
        return isShort(nowMillis) && pool().usable(nowMillis) < need;
    }

    /** Whether the call needs more permits than the limit can ever provide. */
    boolean neverFits() {
        return need > family.compiledLimit.most;
    }

    /** Whether the call uses overage. */
    boolean usesOverage(long nowMillis) {
        return pool().usesOverage(state, nowMillis);
    }

    Shortage shortage(boolean sufficesAlone) {
        boolean countsByOutcome = compiledEndpoint.awaitsOutcomes && !family.compiledLimit.isConcurrency;
        return new Shortage(pool(), cost, need, sufficesAlone, countsByOutcome);
    }

    /**
     * Borrows as many permits as the call costs. Returns the pool's new state, or a negative code that indicates why
     * borrowing failed.
     */
    long borrow(long nowMillis) {
        basis = pool().basis();
        state = pool().borrow(cost, need - cost, nowMillis);
        turns = state < 0 ? List.of() : pool().takeTurns(state, cost, nowMillis);
        return state;
    }

    /**
     * Releases the call's turns in the queue. This must happen before the call's permits become available to other
     * calls. A call that costs nothing has taken no turns.
     */
    private void releaseTurns() {
        if (cost > 0) {
            pool().releaseTurns(turns);
        }
    }

    /** Returns how long the call is queued after it has taken its permits. */
    long delayMillis(long nowMillis) {
        return turns.isEmpty() || !compiledEndpoint.enforced()
                ? 0
                : Math.max(0, turns.get(0).atMillis() - nowMillis);
    }

    /** Whether the call could be queued. */
    boolean mayQueue() {
        return family.compiledLimit.hasQueue && compiledEndpoint.enforced();
    }

    /** Whether the call might return its permits when it ends. */
    boolean isRefundable() {
        return compiledEndpoint.isRefundable(pool().family());
    }

    /**
     * Keeps the borrowed permits permanently. The refundable amount is added first. Therefore, a call that finds too
     * few permits immediately afterwards also sees that some permits might be returned.
     */
    void keep(long nowMillis) {
        keptMillis = nowMillis;
        if (isRefundable()) {
            pool().addRefundable(cost, state);
        }
        pool().keep();
    }

    void release(long nowMillis) {
        releaseTurns();
        pool().release(cost, state, nowMillis);
    }

    /** Whether the permits were permanently taken. */
    boolean isKept() {
        return keptMillis >= 0;
    }

    /**
     * Gives back the permits that were permanently taken, unless they have already become available again over time.
     */
    void giveBack(long nowMillis) {
        if (nowMillis - keptMillis < pool().family().compiledLimit.refundableForMillis) {
            pool().refund(cost, state, keptMillis);
        }
    }

    /** Returns the pool's state after the permits were taken. */
    long state() {
        return state;
    }

    /**
     * Returns the state to show to the caller. It is the state after the permits were taken, or the current state if
     * the pool's basis has changed since then.
     */
    @SuppressWarnings("ReferenceEquality") // a new basis is always a new object, even if it equals the old one
    long latestState(long nowMillis) {
        return basis == pool().basis() ? state : pool().state(nowMillis);
    }

    boolean needsTicket() {
        return compiledEndpoint.needsTicket(pool().family());
    }
}
