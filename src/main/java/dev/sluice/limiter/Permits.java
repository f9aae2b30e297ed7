package dev.sluice.limiter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The calls that one window of one counter may still admit here: a number that any number of threads take from at once, never
 * below zero and without a lock.
 *
 * <p>A call judged by several counters must take from all or from none, and a call that is refused by the second must not
 * for a moment be seen in the first: somebody else could be refused by it. So such a call first <em>holds</em> its permits,
 * counter by counter in the order of their numbers, and then either keeps or returns them all. Whoever finds too few
 * permits while some are held waits the few nanoseconds until that is settled; the order makes sure that nobody waits in a
 * circle. Calls with one counter, and all calls that find enough, never wait.
 *
 * <p>One word carries it all, so that one compare-and-set does everything: the lowest 48 bits are the permits, the next 15 the
 * calls that hold some, the highest says that the window is closed and nothing can be taken any more.
 */
final class Permits {

    /** Answers of the taking methods that are no number of permits left. */
    static final long TOO_FEW = -1;

    static final long CLOSED = -2;

    private static final long NUMBER = (1L << 48) - 1;
    private static final long ONE_HELD = 1L << 48;
    private static final long CLOSED_BIT = Long.MIN_VALUE;
    private static final int SPINS_BEFORE_YIELD = 64;
    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(Permits.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile long word;

    Permits(long number) {
        this.word = number;
    }

    /** Takes permits for good; how many are left, {@link #TOO_FEW} or {@link #CLOSED}. */
    long take(long cost) {
        return take(cost, 0);
    }

    /** Takes permits until {@link #keep()} or {@link #giveBack(long)}; how many are left, {@link #TOO_FEW} or {@link #CLOSED}. */
    long hold(long cost) {
        return take(cost, ONE_HELD);
    }

    @SuppressWarnings("ThreadPriorityCheck") // yields only so that a suspended holder can run; nothing depends on it
    private long take(long cost, long mark) {
        int spins = 0;
        while (true) {
            long seen = word;
            long left = (seen & NUMBER) - cost;
            if (seen < 0) {
                return CLOSED;
            }
            if (left >= 0) {
                if (WORD.compareAndSet(this, seen, seen - cost + mark)) {
                    return left;
                }
                Thread.onSpinWait();
            } else if (seen < ONE_HELD) {
                return TOO_FEW;
            } else if (++spins % SPINS_BEFORE_YIELD == 0) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /** What was held is taken for good. */
    void keep() {
        WORD.getAndAdd(this, -ONE_HELD);
    }

    /** What was held is returned. */
    void giveBack(long cost) {
        WORD.getAndAdd(this, cost - ONE_HELD);
    }

    /** Adds permits. */
    void pour(long more) {
        WORD.getAndAdd(this, more);
    }

    /** Takes as many as there are, at most {@code atMost}, also from a closed window; how many it was. */
    long drain(long atMost) {
        while (true) {
            long seen = word;
            long taken = Math.min(seen & NUMBER, atMost);
            if (taken <= 0 || WORD.compareAndSet(this, seen, seen - taken)) {
                return Math.max(taken, 0);
            }
            Thread.onSpinWait();
        }
    }

    /** From now on nothing can be taken. What is held at this moment is still kept or returned. */
    void close() {
        WORD.getAndBitwiseOr(this, CLOSED_BIT);
    }

    /** How many there are, whether they can be taken or not. */
    long number() {
        return word & NUMBER;
    }

    boolean isClosed() {
        return word < 0;
    }

    /** How many can be taken at this moment. */
    long left() {
        long seen = word;
        return seen < 0 ? 0 : seen & NUMBER;
    }

    /** Whether there are too few and none are held that might come back. */
    boolean surelyShortOf(long cost) {
        long seen = word;
        return seen >= 0 && seen < ONE_HELD && seen < cost;
    }

    /** Whether some call has not yet decided to keep or return what it holds. */
    boolean unsettled() {
        return (word & ~CLOSED_BIT) >= ONE_HELD;
    }
}
