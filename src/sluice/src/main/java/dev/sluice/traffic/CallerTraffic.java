package dev.sluice.traffic;

import dev.sluice.Subject;
import dev.sluice.internal.text.CallerText;
import dev.sluice.tier.Tier;
import java.util.List;

/**
 * The calls of one caller at one endpoint within a minute, and the caller's state after its latest decision. Immutable.
 *
 * <p>The counts are exact as long as all callers fit (see {@link Traffic}). Otherwise, they can be too small, but never
 * too large.
 *
 * @param endpoint the endpoint id
 * @param subjects the caller's subjects, with unescaped values; empty if all callers are counted together
 * @param name the caller's display name; empty if it has none
 * @param calls the caller's calls
 * @param latest the caller's state after its latest call
 * @param lastRefusals the most recent seconds with refusals, including refusals in a dry run, newest first; at most
 *     {@link #MOST_REFUSALS}
 */
public record CallerTraffic(
        String endpoint, List<Subject> subjects, String name, Calls calls, State latest, List<Refusal> lastRefusals) {

    /**
     * A caller's calls by outcome.
     *
     * @param allowed the number of calls that passed, excluding those that a dry run would have refused
     * @param refused the number of refused calls
     * @param wouldRefuse the number of calls that passed only because of a dry run
     */
    public record Calls(long allowed, long refused, long wouldRefuse) {

        /** Returns the number of all tallied calls. */
        public long all() {
            return allowed + refused + wouldRefuse;
        }
    }

    /**
     * The state of a caller after a call.
     *
     * @param tier the tier that the decision reported
     * @param remaining the number of further calls that the tier would have admitted. If the whole limit has become
     *     available again in the meantime, this is the tier's whole capacity
     * @param resetAtMillis the end of the tier's window, or the time when its whole limit is available again, in
     *     milliseconds since 1970
     * @param atMillis the time of the call, in milliseconds since 1970
     */
    public record State(Tier tier, long remaining, long resetAtMillis, long atMillis) {

        /**
         * Returns the number of calls that the tier admits in a burst after an idle time: the threshold, or the burst
         * of a bucket.
         */
        public long capacity() {
            return tier.limit().capacity();
        }

        /** Returns how much of the capacity is used. */
        public long used() {
            return Math.max(0, capacity() - remaining);
        }
    }

    /** A second with refusals, and the tier of the latest refusal. */
    public record Refusal(long atMillis, Tier tier) {}

    /** The maximum number of seconds in {@code lastRefusals}. */
    public static final int MOST_REFUSALS = 10;

    public CallerTraffic {
        subjects = List.copyOf(subjects);
        lastRefusals = List.copyOf(lastRefusals);
    }

    /**
     * Describes the caller for people, either by its display name or by its subjects, such as {@code tenant=acme},
     * separated by commas. A display name never looks like the latter. The text can contain input from callers, so
     * escape it.
     */
    public String client() {
        if (!name.isEmpty()) {
            return name;
        }
        return subjects.isEmpty() ? "everybody" : CallerText.of(subjects, Subject::value);
    }
}
