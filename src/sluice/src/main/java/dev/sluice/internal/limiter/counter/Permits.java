package dev.sluice.internal.limiter.counter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The remaining permits in one window of one counter. Any number of threads can take permits without a lock. The number
 * of permits never becomes negative. Thread-safe.
 *
 * <p>A single word stores the whole state, so a single compare-and-set is enough. The lowest 48 bits contain the number
 * of permits. The next 15 bits contain the number of calls that are borrowing permits. The highest bit is set if the
 * window is closed.
 */
public final class Permits {

    /**
     * A number of permits that is too large for calls to exhaust. A counter that starts with this number effectively
     * counts the permits that calls have taken, so its limit can change later.
     */
    public static final long ALL = 1L << 46;

    private static final long NUMBER = (1L << 48) - 1;
    private static final long ONE_BORROWER = 1L << 48;
    private static final long CLOSED_BIT = Long.MIN_VALUE;
    private static final VarHandle WORD = FieldHandles.of(MethodHandles.lookup(), "word", long.class);

    private volatile long word;

    public Permits(long number) {
        this.word = number;
    }

    /**
     * Takes permits if at least {@code remaining} permits remain afterwards. Returns the number of remaining permits,
     * {@link Pool#TOO_FEW} or {@link Pool#CLOSED}.
     *
     * @param borrowers 1 to borrow until {@link #keep()} or {@link #release(long)}; 0 to take permanently
     */
    public long take(long cost, long remaining, int borrowers) {
        int tries = 0;
        while (true) {
            long seen = word;
            long left = (seen & NUMBER) - cost;
            if (seen < 0) {
                return Pool.CLOSED;
            }
            if (left >= remaining) {
                if (WORD.compareAndSet(this, seen, seen - cost + borrowers * ONE_BORROWER)) {
                    return left;
                }
                Thread.onSpinWait();
            } else if (seen < ONE_BORROWER) {
                return Pool.TOO_FEW;
            } else {
                tries = Pool.waitForBorrower(tries);
            }
        }
    }

    /** Keeps borrowed permits permanently. */
    public void keep() {
        WORD.getAndAdd(this, -ONE_BORROWER);
    }

    /** Releases borrowed permits. */
    public void release(long cost) {
        WORD.getAndAdd(this, cost - ONE_BORROWER);
    }

    /** Adds permits. */
    public void add(long more) {
        WORD.getAndAdd(this, more);
    }

    /** Takes up to {@code atMost} permits, even from a closed window. Returns the number of permits taken. */
    public long drain(long atMost) {
        return drain(atMost, 0);
    }

    /**
     * Takes up to {@code atMost} permits, but leaves at least {@code remaining}. Returns the number of permits taken.
     */
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

    /**
     * Closes the window. No permits can be taken from then on, but calls can still keep or release permits that they
     * have borrowed.
     */
    public void close() {
        WORD.getAndBitwiseOr(this, CLOSED_BIT);
    }

    /**
     * Closes the window if it has exactly the given number of permits and no permits are borrowed. Returns whether the
     * window was closed.
     */
    public boolean closeIfThereAre(long number) {
        return WORD.compareAndSet(this, number, number | CLOSED_BIT);
    }

    /** Returns the number of permits, even in a closed window. */
    public long number() {
        return word & NUMBER;
    }

    public boolean isClosed() {
        return word < 0;
    }

    /** Returns how many permits can be taken now. */
    public long left() {
        long seen = word;
        return seen < 0 ? 0 : seen & NUMBER;
    }

    /** Whether too few permits remain and no borrowed permits could still be released. */
    public boolean surelyShortOf(long cost) {
        long seen = word;
        return seen >= 0 && seen < ONE_BORROWER && seen < cost;
    }

    /** Whether a call has yet to keep or release permits that it borrowed. */
    public boolean hasUndecidedCalls() {
        return (word & ~CLOSED_BIT) >= ONE_BORROWER;
    }
}
