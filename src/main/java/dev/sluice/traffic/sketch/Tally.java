package dev.sluice.traffic.sketch;

import dev.sluice.tier.Tier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one caller in one slice of time, by what became of them.
 *
 * @param caller whose calls they are
 * @param missed how many calls this caller may have had in the slice, at most, that were not counted
 * @param allowed how many passed
 * @param refused how many did not
 * @param wouldRefuse how many passed only because of a dry run
 * @param tier which tier spoke last, {@code null} before one did
 * @param remaining how many calls it would have admitted after that
 * @param resetAtMillis when all of it is there again
 * @param latestMillis when the caller called last
 * @param seconds in which calls came of late, the latest first
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

    /** A second in which calls came, when it began, and which tier spoke last in it. */
    public record Second(long millis, Tier tier) {}

    /** What is counted apart. */
    public enum Kind {
        ALLOWED(0),
        REFUSED(1),
        WOULD_REFUSE(2);

        /** Where it stands in an array with one entry for each kind. */
        public final int at;

        Kind(int at) {
            this.at = at;
        }
    }

    /** How many were counted. */
    public long calls(Kind kind) {
        return switch (kind) {
            case ALLOWED -> allowed;
            case REFUSED -> refused;
            case WOULD_REFUSE -> wouldRefuse;
        };
    }

    /** All that were counted, and those that may have been missed. */
    long estimate() {
        return missed + allowed + refused + wouldRefuse;
    }
}
