package dev.sluice.traffic;

import dev.sluice.Decision;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one caller in one slice of time, by what became of them. Counting takes no lock and makes no object. Once
 * it is closed, which is for ever, it counts no more, and says so.
 */
final class Tally {

    /** What is counted apart. */
    enum Kind {
        ALLOWED(0),
        REFUSED(1),
        WOULD_REFUSE(2);

        /** Where it stands in an array with one entry for each kind. */
        final int at;

        Kind(int at) {
            this.at = at;
        }
    }

    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long CLOSED = Long.MIN_VALUE;
    private static final int KINDS = Kind.values().length;

    final Caller caller;
    final int hash;
    /** How many calls this caller may have had in the slice, at most, that were not counted here. */
    final long missed;
    /** What {@link #estimate} was when {@link HeavyCallers} last looked; guarded by them. */
    long ranked;

    private final long[] counts = new long[KINDS];
    /** When the last calls came, in a ring; like what follows it is written without a lock, for people to read. */
    private final long[] times;

    private int nextTime;
    private @Nullable Decision latest;
    private long latestMillis;

    /**
     * Has counted nothing.
     *
     * @param times how many times of calls to keep
     */
    Tally(Caller caller, int hash, long missed, int times) {
        this.caller = caller;
        this.hash = hash;
        this.missed = missed;
        this.ranked = missed;
        this.times = new long[times];
    }

    /** Counts a call; whether it could. */
    boolean count(Kind kind, Decision decision, long nowMillis) {
        if ((long) COUNTS.getAndAdd(counts, kind.at, 1L) < 0) {
            return false;
        }
        latest = decision;
        latestMillis = nowMillis;
        if (times.length > 0) {
            int at = nextTime;
            times[at] = nowMillis;
            nextTime = (at + 1) % times.length;
        }
        return true;
    }

    /** How many were counted. */
    long calls(Kind kind) {
        return (long) COUNTS.getVolatile(counts, kind.at) & ~CLOSED;
    }

    /** All that were counted, and those that may have been missed. */
    long estimate() {
        long calls = missed;
        for (int kind = 0; kind < KINDS; kind++) {
            calls += (long) COUNTS.getVolatile(counts, kind) & ~CLOSED;
        }
        return calls;
    }

    /** What was decided last, {@code null} before it was. */
    @Nullable Decision latest() {
        return latest;
    }

    long latestMillis() {
        return latestMillis;
    }

    /** When the last calls came, in no order. */
    LongStream times() {
        return LongStream.of(times).filter(time -> time > 0);
    }

    /** Counts no more; what it has counted, by kind, exactly. */
    long[] close() {
        long[] counted = new long[KINDS];
        for (int kind = 0; kind < KINDS; kind++) {
            counted[kind] = (long) COUNTS.getAndBitwiseOr(counts, kind, CLOSED);
        }
        return counted;
    }

    boolean isClosed() {
        return (long) COUNTS.getVolatile(counts, 0) < 0;
    }
}
