package dev.sluice.limiter.counter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The calls that one window of one counter may still admit here: a number that any number of threads take from at once,
 * never below zero and without a lock.
 *
 * <p>One word carries it all, so that one compare-and-set does everything: the lowest 48 bits are the permits, the next
 * 15 the calls that hold some, the highest says that the window is closed and nothing can be taken any more.
 */
public final class Permits {

    /**
     * More than is ever taken. Whoever begins with all of them counts what was taken, and can let a limit change
     * meanwhile.
     */
    public static final long ALL = 1L << 46;

    private static final long NUMBER = (1L << 48) - 1;
    private static final long ONE_HELD = 1L << 48;
    private static final long CLOSED_BIT = Long.MIN_VALUE;
    private static final VarHandle WORD = FieldHandles.of(MethodHandles.lookup(), "word", long.class);

    private volatile long word;

    public Permits(long number) {
        this.word = number;
    }

    /**
     * Takes permits, as long as so many remain; how many are left, {@link Pool#TOO_FEW} or {@link Pool#CLOSED}.
     *
     * @param holders 1 if they are taken until {@link #keep()} or {@link #release(long)}, 0 if for good
     */
    public long take(long cost, long remaining, int holders) {
        int tries = 0;
        while (true) {
            long seen = word;
            long left = (seen & NUMBER) - cost;
            if (seen < 0) {
                return Pool.CLOSED;
            }
            if (left >= remaining) {
                if (WORD.compareAndSet(this, seen, seen - cost + holders * ONE_HELD)) {
                    return left;
                }
                Thread.onSpinWait();
            } else if (seen < ONE_HELD) {
                return Pool.TOO_FEW;
            } else {
                tries = Pool.waitForHolder(tries);
            }
        }
    }

    /** What was held is taken for good. */
    public void keep() {
        WORD.getAndAdd(this, -ONE_HELD);
    }

    /** What was held is returned. */
    public void release(long cost) {
        WORD.getAndAdd(this, cost - ONE_HELD);
    }

    /** Adds permits. */
    public void pour(long more) {
        WORD.getAndAdd(this, more);
    }

    /** Takes as many as there are, at most {@code atMost}, also from a closed window; how many it was. */
    public long drain(long atMost) {
        return drain(atMost, 0);
    }

    /** Takes as many as there are beyond so many that remain, at most {@code atMost}; how many it was. */
    public long drain(long atMost, long remaining) {
        while (true) {
            long seen = word;
            long taken = Math.min((seen & NUMBER) - remaining, atMost);
            if (taken <= 0 || WORD.compareAndSet(this, seen, seen - taken)) {
                return Math.max(taken, 0);
            }
            Thread.onSpinWait();
        }
    }

    /** From now on nothing can be taken. What is held at this moment is still kept or returned. */
    public void close() {
        WORD.getAndBitwiseOr(this, CLOSED_BIT);
    }

    /** Closes the window if there are so many and none is held; whether it did. */
    public boolean closeIfThereAre(long number) {
        return WORD.compareAndSet(this, number, number | CLOSED_BIT);
    }

    /** How many there are, whether they can be taken or not. */
    public long number() {
        return word & NUMBER;
    }

    public boolean isClosed() {
        return word < 0;
    }

    /** How many can be taken at this moment. */
    public long left() {
        long seen = word;
        return seen < 0 ? 0 : seen & NUMBER;
    }

    /** Whether there are too few and none are held that might come back. */
    public boolean surelyShortOf(long cost) {
        long seen = word;
        return seen >= 0 && seen < ONE_HELD && seen < cost;
    }

    /** Whether some call has not yet decided to keep or return what it holds. */
    public boolean hasUndecidedCalls() {
        return (word & ~CLOSED_BIT) >= ONE_HELD;
    }
}
