package dev.sluice.limiter;

import dev.sluice.algorithm.SlidingLog;

/** A sliding log of this process, behind a lock that is held for arithmetic only. */
final class Log extends Pool {

    private final SlidingLog log;
    private int holders;
    private boolean closed;
    /** When the last call is forgotten, read without the lock. */
    private volatile long emptyAtMillis;

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
                if (log.take(cost, nowMillis, shut())) {
                    holders += newHolders;
                    emptyAtMillis = log.emptyAtMillis();
                    return log.left();
                }
                if (holders == 0) {
                    return TOO_FEW;
                }
            }
            tries = waitForHolder(tries);
        }
    }

    @Override
    void keep() {
        synchronized (log) {
            holders--;
        }
    }

    @Override
    void giveBack(long cost, long takenAtMillis) {
        synchronized (log) {
            holders--;
            log.putBack(cost, takenAtMillis);
            emptyAtMillis = log.emptyAtMillis();
        }
    }

    @Override
    void putBack(long cost, long takenAtMillis) {
        synchronized (log) {
            log.putBack(cost, takenAtMillis);
            emptyAtMillis = log.emptyAtMillis();
        }
    }

    @Override
    void charge(long amount, long nowMillis) {
        synchronized (log) {
            log.take(Math.min(amount, log.left(nowMillis)), nowMillis, 0);
            emptyAtMillis = log.emptyAtMillis();
        }
    }

    @Override
    boolean surelyShortOf(long cost, long nowMillis) {
        synchronized (log) {
            return !closed && holders == 0 && log.left(nowMillis) < cost + shut();
        }
    }

    @Override
    long rest(long reading, long nowMillis) {
        return reading;
    }

    @Override
    long reading(long nowMillis) {
        synchronized (log) {
            return log.left(nowMillis);
        }
    }

    @Override
    long resetMillis(long nowMillis) {
        return log.millisUntilEmpty(emptyAtMillis, nowMillis);
    }

    @Override
    long retryMillis(long cost, long nowMillis) {
        synchronized (log) {
            return log.millisUntil(cost + elastic(), nowMillis);
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
