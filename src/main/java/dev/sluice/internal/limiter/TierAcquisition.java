package dev.sluice.internal.limiter;

import dev.sluice.Block;
import dev.sluice.Call;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Shortage;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoint;
import dev.sluice.internal.limiter.memory.CounterId;
import dev.sluice.internal.limiter.memory.Counters;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of a call's acquisition in one tier: its counter, and how much it takes. Used by one thread at a time,
 * also while the call waits.
 */
final class TierAcquisition {

    final CompiledEndpoint compiledEndpoint;
    /** By the limits with which the call began; its pool's family may be a later one of the same series. */
    final CounterFamily family;

    final long cost;
    /** What must be available for the call to pass. */
    final long need;
    /** The value of the subject, or the list of values of several. */
    final Object values;

    private @Nullable Pool found;
    private long state;
    private @Nullable Object basis;
    private List<Long> turns = List.of();
    /** When it was taken for good; -1 before. */
    private long keptMillis = -1;

    TierAcquisition(CompiledEndpoint compiledEndpoint, CounterFamily family, Object values, long cost) {
        this.compiledEndpoint = compiledEndpoint;
        this.family = family;
        this.values = values;
        boolean charged = compiledEndpoint.endpoint.cost().charged();
        boolean isConcurrency = family.compiledLimit.isConcurrency;
        this.cost = isConcurrency ? charged ? 1 : Math.min(cost, 1) : cost;
        this.need = charged ? 1 : this.cost;
    }

    /** Adds a part for each of the call's counters. */
    static void addAll(CompiledEndpoint compiledEndpoint, Call call, List<TierAcquisition> parts) {
        CompiledEndpoint.Caller caller = compiledEndpoint.caller(call);
        long cost = compiledEndpoint.cost(call);
        for (CounterFamily family : caller.families()) {
            parts.add(new TierAcquisition(compiledEndpoint, family, caller.values(), cost));
        }
    }

    /** The global order in which calls borrow from counters; 0 if both parts have the same counter. */
    int compareOrder(TierAcquisition other) {
        int byFamily = Long.compare(family.series.number, other.family.series.number);
        return byFamily != 0 || values == other.values ? byFamily : CounterId.compare(values, other.values);
    }

    /** The block that the call meets; {@code null} if there is none. An exempt caller is never blocked. */
    @Nullable Block block(long nowMillis) {
        return family.blocks == null || compiledEndpoint.exempt
                ? null
                : family.blocks.find(values, nowMillis, !compiledEndpoint.enforced());
    }

    /** This tier has refused the call; returns the block that begins, {@code null} if none does. */
    @Nullable Block refused(long nowMillis) {
        return family.blocks == null
                        || family.tier.block() == null
                        || compiledEndpoint.exempt
                        || !pool().isUsedUp(need, nowMillis)
                ? null
                : family.blocks.refused(
                        family.key(pool().subjects()), values, family.tier, nowMillis, !compiledEndpoint.enforced());
    }

    /** Finds the pool for this time. */
    void find(Counters counters, long nowMillis) {
        Pool pool = null;
        while (pool == null) {
            pool = counters.get(family, values, compiledEndpoint.limitsNumber, nowMillis)
                    .at(nowMillis);
        }
        found = pool;
    }

    Pool pool() {
        return Objects.requireNonNull(found, "the pool has not been looked for yet");
    }

    boolean isShort(long nowMillis) {
        return pool().surelyShortOf(need, nowMillis);
    }

    /** Whether too little is left at all, not only in hand: others may have borrowed some, or the store has. */
    boolean isUsedUp(long nowMillis) {
        return isShort(nowMillis) && pool().available(pool().state(nowMillis), nowMillis) < need;
    }

    /** Whether the call uses the overage. */
    boolean usesOverage(long nowMillis) {
        return pool().usesOverage(state, nowMillis);
    }

    Shortage shortage(boolean sufficesAlone) {
        boolean countsByOutcome = compiledEndpoint.awaitsOutcomes && !family.compiledLimit.isConcurrency;
        return new Shortage(pool(), cost, need, sufficesAlone, countsByOutcome);
    }

    /** Borrows the cost; returns the state of the pool after that, or why it could not. */
    long borrow(long nowMillis) {
        basis = pool().basis();
        state = pool().borrow(cost, need - cost, nowMillis);
        turns = state < 0 ? List.of() : pool().takeTurns(state, cost, nowMillis);
        return state;
    }

    /** Runs before other calls can find the permits. A call that takes none left the turns in place. */
    private void releaseTurns() {
        if (cost > 0) {
            pool().releaseTurns(turns);
        }
    }

    /** How long the call waits for its turn, after it has taken. */
    long delayMillis(long nowMillis) {
        return turns.isEmpty() || !compiledEndpoint.enforced() ? 0 : Math.max(0, turns.get(0) - nowMillis);
    }

    /** Whether the call may have to wait for its turn. */
    boolean mayQueue() {
        return family.compiledLimit.hasQueue && compiledEndpoint.enforced();
    }

    /** Whether the call may return what it takes when it ends. */
    boolean isRefundable() {
        return compiledEndpoint.isRefundable(pool().family());
    }

    /** Takes for good what was borrowed. Whoever finds too little afterwards also finds that it may come back. */
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

    /** Whether it was taken for good. */
    boolean isKept() {
        return keptMillis >= 0;
    }

    /** Gives back what was taken for good, unless time has done so. */
    void giveBack(long nowMillis) {
        if (nowMillis - keptMillis < pool().family().compiledLimit.refundableForMillis) {
            pool().refund(cost, state, keptMillis);
        }
    }

    /** The pool's state after taking. */
    long state() {
        return state;
    }

    /** What is left now, for callers: the state after taking, or that of now if more has changed than the state. */
    @SuppressWarnings("ReferenceEquality") // each basis is another object, even if it says the same
    long latestState(long nowMillis) {
        return basis == pool().basis() ? state : pool().state(nowMillis);
    }

    boolean needsTicket() {
        return compiledEndpoint.needsTicket(pool().family());
    }
}
