package dev.sluice.traffic;

import dev.sluice.Subject;
import dev.sluice.internal.text.CallerText;
import dev.sluice.tier.Tier;
import java.util.List;

/**
 * The calls of one caller at one endpoint within a minute, and its state after its latest decision. Immutable.
 *
 * <p>The counts are exact while all callers fit, see {@link Traffic}. Otherwise they may be too small, but never too
 * large.
 *
 * @param endpoint the endpoint's id
 * @param subjects the caller, with values as callers wrote them; empty for all callers together
 * @param name the caller's name for people; empty if it has none
 * @param calls its calls
 * @param latest its state after the latest call
 * @param lastRefusals the latest seconds with refusals, including those of a dry run, newest first; at most {@link
 *     #MOST_REFUSALS}
 */
public record CallerTraffic(
        String endpoint, List<Subject> subjects, String name, Calls calls, State latest, List<Refusal> lastRefusals) {

    /**
     * The calls of a caller, by their outcome.
     *
     * @param allowed how many calls passed, without those that a dry run would have refused
     * @param refused how many calls were refused
     * @param wouldRefuse how many calls passed only because of a dry run
     */
    public record Calls(long allowed, long refused, long wouldRefuse) {

        /** All tallied calls. */
        public long all() {
            return allowed + refused + wouldRefuse;
        }
    }

    /**
     * The state of a caller after a call.
     *
     * @param tier the tier that the decision reported
     * @param remaining how many more calls it would have admitted; its whole capacity if the whole limit has become
     *     available again since
     * @param resetAtMillis when its window ends, or its whole limit is available again, in milliseconds since 1970
     * @param atMillis the time of the call, in milliseconds since 1970
     */
    public record State(Tier tier, long remaining, long resetAtMillis, long atMillis) {

        /**
         * How many calls the tier admits at one moment after an idle time: the threshold, or the burst of a bucket.
         */
        public long capacity() {
            return tier.limit().capacity();
        }

        /** How much of the capacity is used. */
        public long used() {
            return Math.max(0, capacity() - remaining);
        }
    }

    /** A second with refusals, and the tier of the latest one. */
    public record Refusal(long atMillis, Tier tier) {}

    /** The maximum number of seconds in {@code lastRefusals}. */
    public static final int MOST_REFUSALS = 10;

    public CallerTraffic {
        subjects = List.copyOf(subjects);
        lastRefusals = List.copyOf(lastRefusals);
    }

    /**
     * The caller as people should see it: its name, or its subjects such as {@code tenant=acme}, separated by commas. A
     * name never looks like a value that a caller wrote. The text may contain text from callers, so escape it.
     */
    public String client() {
        if (!name.isEmpty()) {
            return name;
        }
        return subjects.isEmpty() ? "everybody" : CallerText.of(subjects, Subject::value);
    }
}
