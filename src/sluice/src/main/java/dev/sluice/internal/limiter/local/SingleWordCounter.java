package dev.sluice.internal.limiter.local;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.internal.algorithm.SingleWordAlgorithm;
import dev.sluice.internal.limiter.counter.CompiledLimit;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.FieldHandles;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Turn;
import dev.sluice.tier.Tier;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A counter that only this process uses, for an algorithm whose state fits in one word. Calls change the word by
 * compare-and-set. The sign bit of the word is set if the counter is retired. The counter itself is its only pool, so
 * that calls need not fetch an additional object from memory. Thread-safe.
 *
 * <p>Before a call borrows permits, it is registered in a second word. That word contains the current number of
 * borrowers and the total number of borrowers so far. A call that finds too few permits waits while there are
 * borrowers. The call is refused only if the word has not changed in the meantime. Therefore, no call is refused while
 * permits are being returned.
 */
final class SingleWordCounter extends LocalCounter {

    /** The number of permits that a call takes if a single check decides it. */
    private static final long COST = 1;

    private static final long RETIRED_BIT = Long.MIN_VALUE;
    private static final long BORROWERS_NOW = (1L << 16) - 1;
    private static final long ONE_MORE_HOLDER = (1L << 16) + 1;
    private static final long ONE_LESS_HOLDER = -1;

    private static final VarHandle STATE = FieldHandles.of(MethodHandles.lookup(), "state", long.class);
    private static final VarHandle BORROWERS = FieldHandles.of(MethodHandles.lookup(), "borrowers", long.class);

    /** The state after a new counter has replaced this counter. No algorithm uses this state. */
    private static final long REPLACED = -1;

    private volatile long state;
    private volatile long borrowers;
    private volatile @Nullable SingleWordCounter successor;

    /**
     * Creates a counter that begins at the current time. A call that found its old counter retired is counted at that
     * time.
     */
    SingleWordCounter(CounterFamily family, Object values) {
        super(family, values);
        this.state = arithmetic().normalised(SingleWordAlgorithm.FULL, clockMillis());
    }

    /** Creates a counter that continues the given counter. */
    private SingleWordCounter(CounterFamily family, long state, SingleWordCounter before) {
        super(family, before);
        this.state = state;
    }

    /** Waits until no call is borrowing permits. Later refunds go to the new counter. */
    @Override
    public Counter replacedBy(CounterFamily next) {
        retire();
        int tries = 0;
        while (hasUndecidedCalls()) {
            tries = Pool.waitForBorrower(tries);
        }
        long last = (long) STATE.getAndSet(this, REPLACED) & ~RETIRED_BIT;
        SingleWordCounter continued = new SingleWordCounter(
                next, next.compiledLimit.arithmetic().carriedOver(last, arithmetic(), clockMillis()), this);
        successor = continued;
        return continued;
    }

    /** Returns the counter that continues this counter. Waits until that counter exists. */
    private SingleWordCounter successor() {
        int tries = 0;
        while (successor == null) {
            tries = Pool.waitForBorrower(tries);
        }
        return Objects.requireNonNull(successor);
    }

    private SingleWordAlgorithm arithmetic() {
        return family.compiledLimit.arithmetic();
    }

    @Override
    public long take(long cost, long remaining, int newBorrowers, long nowMillis) {
        SingleWordAlgorithm arithmetic = arithmetic();
        long now = nowMillis;
        int tries = 0;
        while (true) {
            long seenBorrowers = borrowers;
            long seen = state;
            if (seen < 0) {
                return CLOSED;
            }
            long normalised = arithmetic.normalised(seen, now);
            if (normalised < seen) {
                now = moment(seen, now);
                normalised = arithmetic.normalised(seen, now);
            }
            long taken = arithmetic.take(normalised, cost, remaining + withheldOverage(), now);
            if (taken != SingleWordAlgorithm.TOO_FEW) {
                if (update(seen, taken, newBorrowers)) {
                    return taken;
                }
            } else if (normalised != seen) {
                update(seen, normalised, 0);
            } else if ((seenBorrowers & BORROWERS_NOW) > 0) {
                tries = Pool.waitForBorrower(tries);
            } else if (borrowers == seenBorrowers) {
                return TOO_FEW;
            }
        }
    }

    @Override
    @Nullable public Decision tryDecide(Endpoint endpoint, CounterFamily ofFamily, long nowMillis) {
        CompiledLimit compiledLimit = ofFamily.compiledLimit;
        SingleWordAlgorithm arithmetic = compiledLimit.arithmetic();
        long seen = state;
        long normalised = arithmetic.normalised(seen, nowMillis);
        if (seen < 0 || normalised < seen || compiledLimit.overage > 0) {
            return null;
        }
        long taken = arithmetic.take(normalised, COST, 0, nowMillis);
        if (taken == SingleWordAlgorithm.TOO_FEW) {
            return isSurelyUsedUp(seen, normalised) ? refused(endpoint, ofFamily, seen, nowMillis) : null;
        }
        Tier tier = ofFamily.tier;
        List<Subject> callers = subjects;
        long left = Math.max(0, arithmetic.left(taken, nowMillis));
        long resetMillis = arithmetic.resetMillis(taken, nowMillis);
        return STATE.compareAndSet(this, seen, taken)
                ? new Decision(Outcome.ADMITTED, endpoint, tier, callers, left, resetMillis, 0, null)
                : null;
    }

    /** Whether too few permits remained in the given state and no call in flight could return any. */
    private boolean isSurelyUsedUp(long seen, long normalised) {
        long seenBorrowers = borrowers;
        return normalised == seen
                && (seenBorrowers & BORROWERS_NOW) == 0
                && !mayBeRefunded()
                && state == seen
                && borrowers == seenBorrowers;
    }

    private Decision refused(Endpoint endpoint, CounterFamily ofFamily, long seen, long nowMillis) {
        SingleWordAlgorithm arithmetic = ofFamily.compiledLimit.arithmetic();
        long left = Math.max(0, arithmetic.left(seen, nowMillis));
        long resetMillis = arithmetic.resetMillis(seen, nowMillis);
        long retryMillis = arithmetic.millisUntil(seen, COST, nowMillis);
        return new Decision(
                Outcome.REFUSED, endpoint, ofFamily.tier, subjects, left, resetMillis, retryMillis, COST, null);
    }

    private boolean update(long seen, long next, int newBorrowers) {
        if (newBorrowers == 0) {
            return STATE.compareAndSet(this, seen, next);
        }
        BORROWERS.getAndAdd(this, ONE_MORE_HOLDER);
        boolean moved = STATE.compareAndSet(this, seen, next);
        if (!moved) {
            BORROWERS.getAndAdd(this, ONE_LESS_HOLDER);
        }
        return moved;
    }

    /**
     * Changes the state, even if the counter is retired. A retired counter remains retired. Returns {@code false} if a
     * new counter already continues this counter.
     */
    private boolean update(LongUnaryOperator change) {
        long seen;
        do {
            seen = state;
            if (seen == REPLACED) {
                return false;
            }
        } while (!update(seen, change.applyAsLong(seen & ~RETIRED_BIT) | (seen & RETIRED_BIT), 0));
        return true;
    }

    /**
     * Returns the time at which a call is counted. This is the call's own time or, if that is stale, the clock's
     * current time.
     */
    private long moment(long seen, long nowMillis) {
        return arithmetic().normalised(seen, nowMillis) < seen ? Math.max(nowMillis, clockMillis()) : nowMillis;
    }

    @Override
    public void keep() {
        BORROWERS.getAndAdd(this, ONE_LESS_HOLDER);
    }

    @Override
    public void putBack(long cost, long stateThen, long takenAtMillis) {
        long now = clockMillis();
        if (!update(seen -> arithmetic().putBack(seen, cost, stateThen, now))) {
            SingleWordCounter next = successor();
            next.putBack(cost, next.arithmetic().carriedOver(stateThen, arithmetic(), now), takenAtMillis);
        }
    }

    @Override
    public long charge(long amount, long nowMillis) {
        long seen;
        long next;
        long now;
        do {
            seen = state;
            if (seen == REPLACED) {
                return successor().charge(amount, nowMillis);
            }
            now = moment(seen & ~RETIRED_BIT, nowMillis);
            next = arithmetic().charge(seen & ~RETIRED_BIT, amount, now);
        } while (!update(seen, next | (seen & RETIRED_BIT), 0));
        SingleWordAlgorithm arithmetic = arithmetic();
        long before = arithmetic.left(arithmetic.normalised(seen & ~RETIRED_BIT, now), now);
        return Math.max(0, before - arithmetic.left(next, now));
    }

    @Override
    public boolean hasUndecidedCalls() {
        return (borrowers & BORROWERS_NOW) > 0;
    }

    @Override
    public boolean surelyShortOf(long cost, long nowMillis) {
        SingleWordAlgorithm arithmetic = arithmetic();
        long seenBorrowers = borrowers;
        long seen = state;
        return seen >= 0
                && (seenBorrowers & BORROWERS_NOW) == 0
                && arithmetic.normalised(seen, nowMillis) == seen
                && arithmetic.take(seen, cost, withheldOverage(), nowMillis) == SingleWordAlgorithm.TOO_FEW
                && borrowers == seenBorrowers;
    }

    /** Returns the current state. */
    @Override
    public long state(long nowMillis) {
        long seen = state & ~RETIRED_BIT;
        return arithmetic().normalised(seen, moment(seen, nowMillis));
    }

    @Override
    public long windowNumber(long stateThen) {
        return arithmetic().windowNumber(stateThen);
    }

    @Override
    public long available(long stateThen, long nowMillis) {
        return Math.max(0, arithmetic().left(stateThen, nowMillis));
    }

    @Override
    public List<Turn> takeTurns(long stateThen, long cost, long nowMillis) {
        if (!family.compiledLimit.hasQueue) {
            return List.of();
        }
        long before = arithmetic().putBack(stateThen, cost, stateThen, nowMillis);
        return List.of(new Turn(nowMillis + arithmetic().resetMillis(before, nowMillis), cost));
    }

    @Override
    public long resetMillis(long stateThen, long nowMillis) {
        return arithmetic().resetMillis(stateThen, nowMillis);
    }

    @Override
    public long retryMillis(long cost, long nowMillis) {
        return arithmetic().millisUntil(state(nowMillis), cost + elasticOverage(), nowMillis);
    }

    @Override
    public void retire() {
        STATE.getAndBitwiseOr(this, RETIRED_BIT);
    }

    @Override
    public boolean retireIfIdle(long nowMillis) {
        long seen = state;
        boolean idle = !hasUndecidedCalls() && arithmetic().isIdle(seen & ~RETIRED_BIT, nowMillis);
        return idle && update(seen, seen | RETIRED_BIT, 0);
    }

    @Override
    public boolean isRetired() {
        return state < 0;
    }
}
