package dev.sluice.limiter.local;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.algorithm.SingleWordAlgorithm;
import dev.sluice.limiter.counter.CompiledLimit;
import dev.sluice.limiter.counter.Counter;
import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.limiter.counter.FieldHandles;
import dev.sluice.limiter.counter.Pool;
import dev.sluice.tier.Tier;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Counts in this process alone, by an algorithm that needs but one word for what is left: calls change it by
 * compare-and-set, and its sign bit says that the counter is retired. It is its own pool, so that of a caller whose
 * counter is far from the processor less has to be fetched.
 *
 * <p>A call that may yet give back what it takes is noted in a second word before it takes: how many such calls there
 * are now, and how many there ever were. Whoever finds too little waits while there are any, and believes what it found
 * only if that word has not changed meanwhile, so that nobody is refused by what comes back.
 */
final class SingleWordCounter extends LocalCounter {

    private static final long RETIRED_BIT = Long.MIN_VALUE;
    private static final long HOLDERS_NOW = (1L << 16) - 1;
    private static final long ONE_MORE_HOLDER = (1L << 16) + 1;
    private static final long ONE_LESS_HOLDER = -1;

    private static final VarHandle STATE = FieldHandles.of(MethodHandles.lookup(), "state", long.class);
    private static final VarHandle HOLDERS = FieldHandles.of(MethodHandles.lookup(), "holders", long.class);

    /**
     * The state of a cell that another goes on for. No algorithm has such a one: not even its time is as far away as
     * that.
     */
    private static final long SUCCEEDED = -1;

    private volatile long state;
    private volatile long holders;
    private volatile @Nullable SingleWordCounter successor;

    /**
     * One that nobody has used, as of now: a call that came before, and finds that it was retired meanwhile, is counted
     * now.
     */
    SingleWordCounter(CounterFamily family, Object values) {
        super(family, values);
        this.state = arithmetic().normalised(SingleWordAlgorithm.FULL, clockMillis());
    }

    /** One that goes on with what is counted in another. */
    private SingleWordCounter(CounterFamily family, long state, SingleWordCounter before) {
        super(family, before);
        this.state = state;
    }

    /** Waits until nobody holds what may yet be given back; what comes back later is passed on. */
    @Override
    public Counter succeededBy(CounterFamily next) {
        retire();
        int tries = 0;
        while ((holders & HOLDERS_NOW) > 0) {
            tries = Pool.waitForHolder(tries);
        }
        long last = (long) STATE.getAndSet(this, SUCCEEDED) & ~RETIRED_BIT;
        SingleWordCounter cell = new SingleWordCounter(
                next, next.compiledLimit.arithmetic().carriedOver(last, arithmetic(), clockMillis()), this);
        successor = cell;
        return cell;
    }

    /** The cell that goes on for this one, which may be about to be named. */
    private SingleWordCounter successor() {
        int tries = 0;
        while (successor == null) {
            tries = Pool.waitForHolder(tries);
        }
        return Objects.requireNonNull(successor);
    }

    private SingleWordAlgorithm arithmetic() {
        return family.compiledLimit.arithmetic();
    }

    @Override
    public long take(long cost, long remaining, int newHolders, long nowMillis) {
        SingleWordAlgorithm arithmetic = arithmetic();
        long now = nowMillis;
        int tries = 0;
        while (true) {
            long noted = holders;
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
                if (move(seen, taken, newHolders)) {
                    return taken;
                }
            } else if (normalised != seen) {
                move(seen, normalised, 0);
            } else if ((noted & HOLDERS_NOW) > 0) {
                tries = Pool.waitForHolder(tries);
            } else if (holders == noted) {
                return TOO_FEW;
            }
        }
    }

    @Override
    @Nullable public Decision admitAtOnce(Endpoint endpoint, CounterFamily ofFamily, long nowMillis) {
        CompiledLimit compiledLimit = ofFamily.compiledLimit;
        SingleWordAlgorithm arithmetic = compiledLimit.arithmetic();
        long seen = state;
        long normalised = arithmetic.normalised(seen, nowMillis);
        if (seen < 0 || normalised < seen || compiledLimit.beyond > 0) {
            return null;
        }
        long taken = arithmetic.take(normalised, 1, 0, nowMillis);
        if (taken == SingleWordAlgorithm.TOO_FEW) {
            return null;
        }
        Tier tier = ofFamily.tier;
        List<Subject> callers = subjects;
        long left = Math.max(0, arithmetic.left(taken, nowMillis));
        long resetMillis = arithmetic.resetMillis(taken, nowMillis);
        return STATE.compareAndSet(this, seen, taken)
                ? new Decision(Outcome.ADMITTED, endpoint, tier, callers, left, resetMillis, 0, null)
                : null;
    }

    private boolean move(long seen, long next, int newHolders) {
        if (newHolders == 0) {
            return STATE.compareAndSet(this, seen, next);
        }
        HOLDERS.getAndAdd(this, ONE_MORE_HOLDER);
        boolean moved = STATE.compareAndSet(this, seen, next);
        if (!moved) {
            HOLDERS.getAndAdd(this, ONE_LESS_HOLDER);
        }
        return moved;
    }

    /** Changes the state, also of a counter that is retired and stays so; whether there still is one to change. */
    private boolean update(LongUnaryOperator change) {
        long seen;
        do {
            seen = state;
            if (seen == SUCCEEDED) {
                return false;
            }
        } while (!move(seen, change.applyAsLong(seen & ~RETIRED_BIT) | (seen & RETIRED_BIT), 0));
        return true;
    }

    /** The time of a call: the clock's present time, if the call's own is stale. */
    private long moment(long seen, long nowMillis) {
        return arithmetic().normalised(seen, nowMillis) < seen ? Math.max(nowMillis, clockMillis()) : nowMillis;
    }

    @Override
    public void keep() {
        HOLDERS.getAndAdd(this, ONE_LESS_HOLDER);
    }

    @Override
    public void putBack(long cost, long reading, long takenAtMillis) {
        long now = clockMillis();
        if (!update(seen -> arithmetic().putBack(seen, cost, reading, now))) {
            SingleWordCounter next = successor();
            next.putBack(cost, next.arithmetic().carriedOver(reading, arithmetic(), now), takenAtMillis);
        }
    }

    @Override
    public void charge(long amount, long nowMillis) {
        if (!update(seen -> arithmetic().charge(seen, amount, moment(seen, nowMillis)))) {
            successor().charge(amount, nowMillis);
        }
    }

    @Override
    public boolean surelyShortOf(long cost, long nowMillis) {
        SingleWordAlgorithm arithmetic = arithmetic();
        long noted = holders;
        long seen = state;
        return seen >= 0
                && (noted & HOLDERS_NOW) == 0
                && arithmetic.normalised(seen, nowMillis) == seen
                && arithmetic.take(seen, cost, withheldOverage(), nowMillis) == SingleWordAlgorithm.TOO_FEW
                && holders == noted;
    }

    /** The state as of now. */
    @Override
    public long reading(long nowMillis) {
        long seen = state & ~RETIRED_BIT;
        return arithmetic().normalised(seen, moment(seen, nowMillis));
    }

    @Override
    public long windowNumber(long reading) {
        return arithmetic().windowNumber(reading);
    }

    @Override
    public long available(long reading, long nowMillis) {
        return Math.max(0, arithmetic().left(reading, nowMillis));
    }

    @Override
    public List<Long> takeTurns(long reading, long cost, long nowMillis) {
        boolean queues = family.compiledLimit.queues();
        return queues
                ? List.of(nowMillis
                        + arithmetic().resetMillis(arithmetic().putBack(reading, cost, reading, nowMillis), nowMillis))
                : List.of();
    }

    @Override
    public long resetMillis(long reading, long nowMillis) {
        return arithmetic().resetMillis(reading, nowMillis);
    }

    @Override
    public long retryMillis(long cost, long nowMillis) {
        return arithmetic().millisUntil(reading(nowMillis), cost + elasticOverage(), nowMillis);
    }

    @Override
    public void retire() {
        STATE.getAndBitwiseOr(this, RETIRED_BIT);
    }

    @Override
    public boolean retireIfIdle(long nowMillis) {
        long seen = state;
        boolean idle = (holders & HOLDERS_NOW) == 0 && arithmetic().isIdle(seen & ~RETIRED_BIT, nowMillis);
        return idle && move(seen, seen | RETIRED_BIT, 0);
    }

    @Override
    public boolean isRetired() {
        return state < 0;
    }
}
