package dev.sluice.limiter;

import dev.sluice.algorithm.SlidingLog;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A sliding log of this process, behind a lock that is held for arithmetic only. */
final class Log extends Pool {

    private static final VarHandle EMPTY_AT;

    static {
        try {
            EMPTY_AT = MethodHandles.lookup().findVarHandle(Log.class, "emptyAtMillis", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SlidingLog log;
    private int holders;
    private boolean closed;
    /** When the last call is forgotten; written with the lock, read without. */
    @SuppressWarnings("UnusedVariable") // by its handle
    private long emptyAtMillis;

    /** An empty log. */
    Log(Counter counter, SlidingLog log) {
        super(counter);
        this.log = log;
    }

    @Override
    long take(long cost, long nowMillis, int newHolders) {
        int tries = 0;
        while (true) {
            synchronized (log) {
                if (closed) {
                    return CLOSED;
                }
                if (log.take(cost, moment(nowMillis), shut())) {
                    holders += newHolders;
                    noteEnd();
                    return log.left();
                }
                if (holders == 0) {
                    return TOO_FEW;
                }
            }
            tries = waitForHolder(tries);
        }
    }

    /** The moment of a call, with the lock: the log is not too far ahead of it by the call's own fault. */
    private long moment(long nowMillis) {
        return log.isFarAheadOf(nowMillis) ? Math.max(nowMillis, clockMillis()) : nowMillis;
    }

    @Override
    void keep() {
        synchronized (log) {
            holders--;
        }
    }

    @Override
    void giveBack(long cost, long reading, long takenAtMillis) {
        synchronized (log) {
            holders--;
            log.putBack(cost, takenAtMillis);
            noteEnd();
        }
    }

    @Override
    void putBack(long cost, long reading, long takenAtMillis) {
        synchronized (log) {
            log.putBack(cost, takenAtMillis);
            noteEnd();
        }
    }

    @Override
    void charge(long amount, long nowMillis) {
        synchronized (log) {
            long now = moment(nowMillis);
            log.take(Math.min(amount, log.left(now)), now, 0);
            noteEnd();
        }
    }

    @Override
    boolean surelyShortOf(long cost, long nowMillis) {
        synchronized (log) {
            return !closed && holders == 0 && log.left(moment(nowMillis)) < cost + shut();
        }
    }

    @Override
    long rest(long reading, long nowMillis) {
        return reading;
    }

    @Override
    long reading(long nowMillis) {
        synchronized (log) {
            return log.left(moment(nowMillis));
        }
    }

    @Override
    long resetMillis(long reading, long nowMillis) {
        return log.millisUntilEmpty((long) EMPTY_AT.getOpaque(this), nowMillis);
    }

    /** With the lock. A volatile write would cost as much again as the lock. */
    private void noteEnd() {
        EMPTY_AT.setOpaque(this, log.emptyAtMillis());
    }

    @Override
    long retryMillis(long cost, long nowMillis) {
        synchronized (log) {
            return log.millisUntil(cost + elastic(), moment(nowMillis));
        }
    }

    @Override
    void close() {
        synchronized (log) {
            closed = true;
        }
    }

    @Override
    boolean closeIfIdle(long nowMillis) {
        synchronized (log) {
            closed = closed || (holders == 0 && log.millisUntilEmpty(log.emptyAtMillis(), nowMillis) == 0);
            return closed;
        }
    }
}
