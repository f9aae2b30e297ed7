package dev.sluice.internal.limiter.local;

import dev.sluice.internal.algorithm.SlidingLog;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.FieldHandles;
import dev.sluice.internal.limiter.counter.Pool;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A sliding log that only this process uses. Thread-safe: a lock guards the log, and is held only during arithmetic.
 */
final class LocalLog extends LocalCounter {

    private static final VarHandle EMPTY_AT = FieldHandles.of(MethodHandles.lookup(), "emptyAtMillis", long.class);

    private final SlidingLog log;
    private int borrowers;
    /** Whether the counter is retired. Threads write this field only while they hold the lock. */
    private volatile boolean retired;
    /**
     * The time when the log will be empty. Threads write this field only while they hold the lock, but read it without
     * the lock.
     */
    @SuppressWarnings("UnusedVariable") // accessed through its handle
    private long emptyAtMillis;

    /** Creates an empty log. */
    LocalLog(CounterFamily family, Object values) {
        super(family, values);
        this.log = new SlidingLog(most(), family.tier.limit().period().toMillis());
    }

    /** Creates a counter that continues the log of the given counter. The caller must hold the lock. */
    private LocalLog(CounterFamily family, LocalLog before) {
        super(family, before);
        this.log = before.log;
        log.allow(most());
        updateEmptyAt();
    }

    /** Waits until no call is borrowing permits. Later refunds go to the same log. */
    @Override
    public Counter replacedBy(CounterFamily next) {
        retire();
        int tries = 0;
        while (true) {
            synchronized (log) {
                if (borrowers == 0) {
                    return new LocalLog(next, this);
                }
            }
            tries = Pool.waitForBorrower(tries);
        }
    }

    @Override
    public long take(long cost, long remaining, int newBorrowers, long nowMillis) {
        int tries = 0;
        long withheld = withheldOverage(); // outside the lock, because it can call application code
        while (true) {
            synchronized (log) {
                if (retired) {
                    return CLOSED;
                }
                if (log.take(cost, remaining + withheld, moment(nowMillis))) {
                    borrowers += newBorrowers;
                    updateEmptyAt();
                    return log.left();
                }
                if (borrowers == 0) {
                    return TOO_FEW;
                }
            }
            tries = Pool.waitForBorrower(tries);
        }
    }

    /**
     * Returns the time at which a call is counted. This is the call's own time or, if that is stale, the clock's
     * current time. The calling method must hold the lock.
     */
    private long moment(long nowMillis) {
        return log.isFarAheadOf(nowMillis) ? Math.max(nowMillis, clockMillis()) : nowMillis;
    }

    @Override
    public void keep() {
        synchronized (log) {
            borrowers--;
        }
    }

    @Override
    public void putBack(long cost, long state, long takenAtMillis) {
        synchronized (log) {
            log.putBack(cost, takenAtMillis);
            updateEmptyAt();
        }
    }

    @Override
    public long charge(long amount, long nowMillis) {
        synchronized (log) {
            long now = moment(nowMillis);
            long taken = Math.max(0, Math.min(amount, log.left(now)));
            log.take(taken, 0, now);
            updateEmptyAt();
            return taken;
        }
    }

    @Override
    public boolean hasUndecidedCalls() {
        synchronized (log) {
            return borrowers > 0;
        }
    }

    @Override
    public boolean surelyShortOf(long cost, long nowMillis) {
        long withheld = withheldOverage();
        synchronized (log) {
            return !retired && borrowers == 0 && log.left(moment(nowMillis)) < cost + withheld;
        }
    }

    @Override
    public long available(long state, long nowMillis) {
        return Math.max(0, state);
    }

    @Override
    public long state(long nowMillis) {
        synchronized (log) {
            return log.left(moment(nowMillis));
        }
    }

    @Override
    public long resetMillis(long state, long nowMillis) {
        return log.millisUntilEmpty((long) EMPTY_AT.getOpaque(this), nowMillis);
    }

    /**
     * Updates the time when the log will be empty. The calling method must hold the lock. The field is not volatile,
     * because a volatile write would double the cost of the lock.
     */
    private void updateEmptyAt() {
        EMPTY_AT.setOpaque(this, log.emptyAtMillis());
    }

    @Override
    public long retryMillis(long cost, long nowMillis) {
        synchronized (log) {
            return log.millisUntil(cost + elasticOverage(), moment(nowMillis));
        }
    }

    @Override
    public void retire() {
        synchronized (log) {
            retired = true;
        }
    }

    @Override
    public boolean retireIfIdle(long nowMillis) {
        synchronized (log) {
            retired = retired || (borrowers == 0 && log.millisUntilEmpty(log.emptyAtMillis(), nowMillis) == 0);
            return retired;
        }
    }

    @Override
    public boolean isRetired() {
        return retired;
    }
}
