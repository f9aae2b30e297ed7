package dev.sluice.limiter;

import dev.sluice.algorithm.Gcra;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongUnaryOperator;

/**
 * A token or leaky bucket of this process. All that it holds is one word, the theoretical arrival time, which calls move ahead by
 * compare-and-set; its sign bit says that the bucket is closed.
 *
 * <p>A call that may yet give back what it takes is noted in a second word before it takes: how many such calls there are now, and how many
 * there ever were. Whoever finds too little waits while there are any, and believes what it found only if that word has not changed
 * meanwhile, so that nobody is refused by what comes back.
 */
final class Bucket extends Pool {

    private static final long CLOSED_BIT = Long.MIN_VALUE;
    private static final long HOLDERS_NOW = (1L << 16) - 1;
    private static final long ONE_MORE_HOLDER = (1L << 16) + 1;
    private static final long ONE_LESS_HOLDER = -1;

    private static final VarHandle ARRIVAL;
    private static final VarHandle HOLDERS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ARRIVAL = lookup.findVarHandle(Bucket.class, "arrival", long.class);
            HOLDERS = lookup.findVarHandle(Bucket.class, "holders", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Gcra gcra;
    private final boolean queues;
    private volatile long arrival = Gcra.FULL;
    private volatile long holders;

    /**
     * A full bucket.
     *
     * @param queues whether calls wait for their turn
     */
    Bucket(Counter counter, Gcra gcra, boolean queues) {
        super(counter);
        this.gcra = gcra;
        this.queues = queues;
    }

    @Override
    long take(long cost, long nowMillis, int newHolders) {
        int tries = 0;
        while (true) {
            long noted = holders;
            long seen = arrival;
            if (seen < 0) {
                return CLOSED;
            }
            long believed = gcra.believed(seen, nowMillis);
            long taken = gcra.take(believed, nowMillis, cost, shut());
            if (taken != Gcra.TOO_FEW) {
                if (move(seen, taken, newHolders)) {
                    return taken;
                }
            } else if (believed != seen) {
                move(seen, believed, 0);
            } else if ((noted & HOLDERS_NOW) > 0) {
                tries = waitForHolder(tries);
            } else if (holders == noted) {
                return TOO_FEW;
            }
        }
    }

    private boolean move(long seen, long next, int newHolders) {
        if (newHolders == 0) {
            return ARRIVAL.compareAndSet(this, seen, next);
        }
        HOLDERS.getAndAdd(this, ONE_MORE_HOLDER);
        boolean moved = ARRIVAL.compareAndSet(this, seen, next);
        if (!moved) {
            HOLDERS.getAndAdd(this, ONE_LESS_HOLDER);
        }
        return moved;
    }

    /** Changes the arrival time, also of a bucket that is closed and stays so. */
    private void update(LongUnaryOperator change) {
        long seen;
        do {
            seen = arrival;
        } while (!move(seen, change.applyAsLong(seen & ~CLOSED_BIT) | (seen & CLOSED_BIT), 0));
    }

    @Override
    void keep() {
        HOLDERS.getAndAdd(this, ONE_LESS_HOLDER);
    }

    @Override
    void giveBack(long cost, long takenAtMillis) {
        putBack(cost, takenAtMillis);
        HOLDERS.getAndAdd(this, ONE_LESS_HOLDER);
    }

    @Override
    void putBack(long cost, long takenAtMillis) {
        update(seen -> gcra.putBack(seen, cost));
    }

    @Override
    void charge(long amount, long nowMillis) {
        update(seen -> gcra.charge(seen, nowMillis, amount));
    }

    @Override
    boolean surelyShortOf(long cost, long nowMillis) {
        long noted = holders;
        long seen = arrival;
        return seen >= 0
                && (noted & HOLDERS_NOW) == 0
                && gcra.believed(seen, nowMillis) == seen
                && gcra.take(seen, nowMillis, cost, shut()) == Gcra.TOO_FEW
                && holders == noted;
    }

    /** The theoretical arrival time. */
    @Override
    long reading(long nowMillis) {
        return arrival & ~CLOSED_BIT;
    }

    @Override
    long rest(long reading, long nowMillis) {
        return Math.max(0, gcra.tokens(reading, nowMillis));
    }

    @Override
    long delayMillis(long reading, long cost, long nowMillis) {
        return queues ? gcra.millisUntilFull(gcra.putBack(reading, cost), nowMillis) : 0;
    }

    @Override
    long resetMillis(long nowMillis) {
        return gcra.millisUntilFull(reading(nowMillis), nowMillis);
    }

    @Override
    long retryMillis(long cost, long nowMillis) {
        return gcra.millisUntil(cost + elastic(), reading(nowMillis), nowMillis);
    }

    @Override
    void close() {
        ARRIVAL.getAndBitwiseOr(this, CLOSED_BIT);
    }

    @Override
    boolean closeIfIdle(long nowMillis) {
        long seen = arrival;
        boolean idle = (holders & HOLDERS_NOW) == 0 && gcra.millisUntilFull(seen & ~CLOSED_BIT, nowMillis) == 0;
        return idle && move(seen, seen | CLOSED_BIT, 0);
    }
}
