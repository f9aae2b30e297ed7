package dev.sluice.traffic;

import dev.sluice.Subject;
import dev.sluice.tier.Tier;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The calls of one caller at one endpoint within a minute, and its state after its latest decision. Immutable.
 *
 * <p>The counts are exact while all callers fit, see {@link Traffic}. Otherwise they may be too small, never too large.
 *
 * @param endpoint the endpoint's id
 * @param subjects the caller, with values as callers wrote them; empty for all callers together
 * @param allowed how many calls passed, without those that a dry run would have refused
 * @param refused how many calls were refused
 * @param wouldRefuse how many calls passed only because of a dry run
 * @param tier the name of the tier that the latest decision reported
 * @param limit its threshold
 * @param periodMillis its period; 0 if it counts calls under way
 * @param capacity how many calls it admits at one moment after an idle time: the threshold, or the burst of a bucket
 * @param hasQueue whether all of these but the first wait in a queue for their turn
 * @param remaining how many more calls it would have admitted after the latest one; the whole capacity if it was reset
 *     since
 * @param resetAtMillis when its window ends, or its whole limit is available again, in milliseconds since 1970
 * @param lastMillis the time of the latest call, in milliseconds since 1970
 * @param name the caller's name for people; empty if it has none
 * @param lastRefusals the latest seconds with refusals, including those of a dry run, newest first; at most
 *     {@link #MOST_REFUSALS}
 */
public record CallerTraffic(
        String endpoint,
        List<Subject> subjects,
        long allowed,
        long refused,
        long wouldRefuse,
        String tier,
        long limit,
        long periodMillis,
        long capacity,
        boolean hasQueue,
        long remaining,
        long resetAtMillis,
        long lastMillis,
        String name,
        List<Refusal> lastRefusals) {

    /** A second with refusals, and the tier of the latest one. */
    public record Refusal(long atMillis, Tier tier) {}

    /** The most seconds in {@code lastRefusals}. */
    public static final int MOST_REFUSALS = 10;

    public CallerTraffic {
        subjects = List.copyOf(subjects);
        lastRefusals = List.copyOf(lastRefusals);
    }

    /** All counted calls. */
    public long calls() {
        return allowed + refused + wouldRefuse;
    }

    /** How much of the capacity is used. */
    public long used() {
        return Math.max(0, capacity - remaining);
    }

    /**
     * The caller for people: its name, or {@code tenant=acme}, several separated by commas. A name never looks like a
     * value that a caller wrote. The text may contain what callers wrote: escape it.
     */
    public String client() {
        if (!name.isEmpty()) {
            return name;
        }
        return subjects.isEmpty()
                ? "everybody"
                : subjects.stream()
                        .map(subject -> subject.name() + '=' + subject.value())
                        .collect(Collectors.joining(","));
    }
}
