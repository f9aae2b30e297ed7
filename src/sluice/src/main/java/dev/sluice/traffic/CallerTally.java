package dev.sluice.traffic;

import dev.sluice.Decision;
import dev.sluice.Subject;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.CallerTraffic.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one caller at one endpoint in one time slice, and the caller's state after its latest call. Counting
 * takes no lock and allocates nothing. If threads race, the state can be that after a slightly earlier call.
 * Thread-safe.
 */
final class CallerTally {

    /** The count of a closed tally. It stays negative no matter how many calls are added. */
    private static final long CLOSED = Long.MIN_VALUE;

    private static final int REMAINING = Kind.COUNT;
    private static final int RESET_AT = REMAINING + 1;
    private static final int LATEST = RESET_AT + 1;
    private static final int WORDS = LATEST + 1;

    private static final long SECOND_MILLIS = 1_000;

    /** The caller's number. */
    final long caller;

    final String endpoint;
    final List<Subject> subjects;

    /**
     * The number of calls of each kind, and the state. They are primitive numbers in adjacent memory, so that the
     * garbage collector has nothing to trace.
     */
    private final AtomicLongArray words = new AtomicLongArray(WORDS);

    /** The tier that the latest call reported. */
    private volatile @Nullable Tier tier;

    /** A ring buffer of the tiers reported in the last few seconds; {@code null} if it is not needed. */
    private final @Nullable AtomicReferenceArray<@Nullable Tier> tiersOfSeconds;

    /**
     * Creates a tally without calls.
     *
     * @param caller the caller's number
     * @param seconds the number of seconds for which reported tiers are stored
     */
    CallerTally(long caller, String endpoint, List<Subject> subjects, int seconds) {
        this.caller = caller;
        this.endpoint = endpoint;
        this.subjects = subjects;
        this.tiersOfSeconds = seconds == 0 ? null : new AtomicReferenceArray<>(seconds);
    }

    /**
     * Counts a call. Returns the number of earlier calls of the same kind. Returns a negative number if the tally is
     * closed and did not count the call.
     */
    long count(Kind kind, Decision decision, long nowMillis) {
        long before = words.getAndIncrement(kind.at);
        if (before < 0) {
            return before;
        }
        Tier reported = decision.tier();
        boolean isOtherTier = !isReported(reported);
        if (isOtherTier) {
            tier = reported;
        }
        if (tiersOfSeconds != null) {
            long second = nowMillis / SECOND_MILLIS;
            if (isOtherTier || words.getPlain(LATEST) / SECOND_MILLIS != second) {
                tiersOfSeconds.setOpaque(Math.floorMod(second, tiersOfSeconds.length()), reported);
            }
        }
        words.setOpaque(REMAINING, decision.remaining());
        words.setOpaque(RESET_AT, nowMillis + decision.resetAfterMillis());
        words.setOpaque(LATEST, nowMillis);
        return before;
    }

    /**
     * Whether this tier is already stored as the reported tier. Compares references. An equal tier that is a different
     * object is needlessly stored again.
     */
    @SuppressWarnings("ReferenceEquality")
    private boolean isReported(@Nullable Tier other) {
        return tier == other;
    }

    /**
     * Closes the tally, and returns its numbers of calls by kind. No call is lost, because {@link #count} reports every
     * later call as not counted.
     */
    long[] close() {
        long[] calls = new long[Kind.COUNT];
        for (int kind = 0; kind < calls.length; kind++) {
            calls[kind] = Math.max(0, words.getAndSet(kind, CLOSED));
        }
        return calls;
    }

    long calls(Kind kind) {
        return Math.max(0, words.get(kind.at));
    }

    /** Returns the tier that the latest call reported; {@code null} before the first call. */
    @Nullable Tier tier() {
        return tier;
    }

    /** Returns the number of further calls that the tier would have admitted after the latest call. */
    long remaining() {
        return words.get(REMAINING);
    }

    long resetAtMillis() {
        return words.get(RESET_AT);
    }

    long latestMillis() {
        return words.get(LATEST);
    }

    /**
     * Returns the most recent seconds with calls, newest first. Each contains the last tier that was reported in that
     * second.
     */
    List<Refusal> seconds() {
        List<Refusal> known = new ArrayList<>();
        if (tiersOfSeconds != null) {
            long latest = latestMillis() / SECOND_MILLIS;
            for (long second = latest; second > latest - tiersOfSeconds.length(); second--) {
                Tier reported = tiersOfSeconds.get(Math.floorMod(second, tiersOfSeconds.length()));
                if (reported != null) {
                    known.add(new Refusal(second * SECOND_MILLIS, reported));
                }
            }
        }
        return known;
    }
}
