package dev.sluice.internal.limiter.counter;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The permits that calls in flight took from one counter and could return. This object stores their number, their
 * window, and the line of calls that await the outcomes. One word contains the number of permits in its lower bits and
 * the lowest bits of the window number in its upper bits. Thread-safe.
 */
public final class RefundableUse {

    private static final int BITS = 48;
    private static final long AMOUNT = (1L << BITS) - 1;

    private final AtomicLong word = new AtomicLong();
    private volatile @Nullable CallLine line;

    /**
     * Adds permits that could be returned in the given window, or subtracts the permits of calls whose outcome is now
     * known. The change is ignored if a later window is already recorded.
     */
    public void change(long windowNumber, long change) {
        word.updateAndGet(seen -> changed(seen, windowNumber << BITS, change));
    }

    /** Returns the line of calls that await the outcomes of calls in flight. */
    CallLine openLine() {
        CallLine known = line;
        return known != null ? known : newLine();
    }

    private synchronized CallLine newLine() {
        CallLine opened = line == null ? new CallLine() : line;
        line = opened;
        return opened;
    }

    boolean isAnyInLine() {
        CallLine known = line;
        return known != null && !known.isEmpty();
    }

    private static long changed(long seen, long tag, long change) {
        long known = seen & AMOUNT;
        boolean isLater = tag - (seen & ~AMOUNT) > 0;
        if ((seen & ~AMOUNT) == tag) {
            return tag + Math.max(0, known + change);
        }
        return change > 0 && (isLater || known == 0) ? tag + change : seen;
    }

    /** Returns the number of permits that were taken in the given window and could be returned. */
    long in(long windowNumber) {
        long seen = word.get();
        return (seen & ~AMOUNT) == windowNumber << BITS ? seen & AMOUNT : 0;
    }
}
