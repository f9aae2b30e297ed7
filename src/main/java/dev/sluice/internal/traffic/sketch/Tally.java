package dev.sluice.internal.traffic.sketch;

import dev.sluice.Decision;
import dev.sluice.tier.Tier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one caller in one time slice, by outcome. Immutable.
 *
 * @param caller the caller
 * @param missed the most calls of this caller in the slice that were not counted
 * @param allowed how many calls passed
 * @param refused how many calls were refused
 * @param wouldRefuse how many calls passed only because of a dry run
 * @param tier the tier that was reported last; {@code null} if none was
 * @param remaining how many more calls it would have admitted after that
 * @param resetAtMillis when its whole limit is available again
 * @param latestMillis the time of the latest call
 * @param seconds the latest seconds with calls, newest first
 */
public record Tally(
        Caller caller,
        long missed,
        long allowed,
        long refused,
        long wouldRefuse,
        @Nullable Tier tier,
        long remaining,
        long resetAtMillis,
        long latestMillis,
        List<Second> seconds) {

    public Tally {
        seconds = List.copyOf(seconds);
    }

    /** A second with calls: its start, and the tier that was reported last in it. */
    public record Second(long millis, Tier tier) {}

    /** The kinds of outcomes. */
    public enum Kind {
        ALLOWED(0),
        REFUSED(1),
        WOULD_REFUSE(2);

        /** Its index in an array of counts by kind. */
        public final int at;

        Kind(int at) {
            this.at = at;
        }

        /** The kind of a decision. */
        public static Kind of(Decision decision) {
            if (!decision.admitted()) {
                return REFUSED;
            }
            return decision.outcome() == Decision.Outcome.WOULD_REFUSE ? WOULD_REFUSE : ALLOWED;
        }
    }

    /** The number of calls of a kind. */
    public long calls(Kind kind) {
        return switch (kind) {
            case ALLOWED -> allowed;
            case REFUSED -> refused;
            case WOULD_REFUSE -> wouldRefuse;
        };
    }
}
