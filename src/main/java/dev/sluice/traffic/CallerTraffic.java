package dev.sluice.traffic;

import dev.sluice.Subject;
import dev.sluice.tier.Tier;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The calls of one caller at one endpoint within a minute, and its state after its last decision.
 *
 * @param endpoint the endpoint's id
 * @param subjects the caller, with values as callers wrote them; empty for all callers together
 * @param allowed how many calls passed, without those that a dry run would have refused
 * @param refused how many did not pass
 * @param wouldRefuse how many passed only because of a dry run
 * @param missed how many further calls there may have been at most; 0 as long as all callers fit
 * @param tier the name of the tier that its last decision reported
 * @param limit its threshold
 * @param periodMillis its period; 0 if it counts calls under way
 * @param capacity how many calls it admits at one moment after an idle time: the limit, or the burst of a bucket
 * @param remaining how many more calls it would have admitted after the last one; all of them if it was reset since
 * @param resetAtMillis when its window ends, or its whole limit is available again, in milliseconds since 1970
 * @param lastMillis the time of its last call, likewise
 * @param name what people call the caller; empty if it has no name of its own
 * @param lastRefusals the last seconds with refusals, also those of a dry run, latest first; at most
 *     {@link #MOST_REFUSALS}
 */
public record CallerTraffic(
        String endpoint,
        List<Subject> subjects,
        long allowed,
        long refused,
        long wouldRefuse,
        long missed,
        String tier,
        long limit,
        long periodMillis,
        long capacity,
        long remaining,
        long resetAtMillis,
        long lastMillis,
        String name,
        List<Refusal> lastRefusals) {

    /** A second with refusals, and the tier of the last one. */
    public record Refusal(long atMillis, Tier tier) {}

    /** The most seconds with refusals. */
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
     * The caller for people: its name, or {@code tenant=acme}, several separated by commas. No name looks like a value
     * that a caller wrote. It contains what callers wrote: escape it.
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
