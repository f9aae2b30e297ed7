package dev.sluice.limiter;

import dev.sluice.algorithm.SlidingLog;

/** A sliding log of this process, behind a lock that is held for arithmetic only. */
final class Log extends Pool {

    private final Object lock = new Object();
    private final SlidingLog log;
    private int holders;
    private boolean closed;

    /** An empty log. */
    Log(Counter counter, SlidingLog log) {
        super(counter);
        this.log = log;
    }

    @Override
    long take(long cost, long nowMillis, int newHolders) {
        int tries = 0;
        while (true) {
            synchronized (lock) {
                if (closed) {
                    return CLOSED;
                }
                long left = log.left(nowMillis);
                if (left >= cost + shut() && log.take(cost, nowMillis)) {
                    holders += newHolders;
                    return left - cost;
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
        synchronized (lock) {
            holders--;
        }
    }

    @Override
    void giveBack(long cost, long takenAtMillis) {
        synchronized (lock) {
            holders--;
            log.putBack(cost, takenAtMillis);
        }
    }

    @Override
    void putBack(long cost, long takenAtMillis) {
        synchronized (lock) {
            log.putBack(cost, takenAtMillis);
        }
    }

    @Override
    void charge(long amount, long nowMillis) {
        synchronized (lock) {
            log.take(Math.min(amount, log.left(nowMillis)), nowMillis);
        }
    }

    @Override
    boolean surelyShortOf(long cost, long nowMillis) {
        synchronized (lock) {
            return !closed && holders == 0 && log.left(nowMillis) < cost + shut();
        }
    }

    @Override
    long rest(long reading, long nowMillis) {
        return reading;
    }

    @Override
    long reading(long nowMillis) {
        synchronized (lock) {
            return log.left(nowMillis);
        }
    }

    @Override
    long resetMillis(long nowMillis) {
        synchronized (lock) {
            return log.millisUntilEmpty(nowMillis);
        }
    }

    @Override
    long retryMillis(long cost, long nowMillis) {
        synchronized (lock) {
            return log.millisUntil(cost + elastic(), nowMillis);
        }
    }

    @Override
    void close() {
        synchronized (lock) {
            closed = true;
        }
    }

    @Override
    boolean closeIfIdle(long nowMillis) {
        synchronized (lock) {
            closed = closed || (holders == 0 && log.millisUntilEmpty(nowMillis) == 0);
            return closed;
        }
    }
}
