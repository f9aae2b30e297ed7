package dev.sluice.traffic;

import static java.util.Objects.requireNonNull;

import dev.sluice.Subject;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.sketch.Caller;
import dev.sluice.traffic.sketch.Tally;
import dev.sluice.traffic.sketch.Tally.Kind;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One caller at one endpoint within a minute, and where it stands by its last decision.
 *
 * @param endpoint the endpoint's id
 * @param subjects who is counted there, as callers wrote it; empty for all callers together
 * @param allowed how many calls passed; those that a dry run would have refused not among them
 * @param refused how many did not
 * @param wouldRefuse how many passed only because of a dry run
 * @param missed how many calls more there may have been at most, of any kind; 0 as long as all callers fit
 * @param tier the name of the tier that spoke last
 * @param limit its threshold
 * @param periodMillis its period; 0 if it counts calls under way
 * @param capacity how many calls it lets pass at one moment where none came before: the limit, or the burst of a bucket
 * @param remaining how many calls it would have admitted after the last; all, if it has been reset since
 * @param resetAtMillis when its window ends, or all of the limit is there again, in milliseconds since 1970
 * @param lastMillis when the caller called last, likewise
 * @param lastRefusals in which seconds it was refused last, or would have been, the latest first; {@link #MOST_REFUSALS} at
 *     most
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
        List<Refusal> lastRefusals) {

    /** That calls were refused in the second that began then, and the tier that refused the last of them, as it was. */
    public record Refusal(long atMillis, Tier tier) {}

    /** Of so many seconds it is known at most that calls were refused. */
    public static final int MOST_REFUSALS = 10;

    public CallerTraffic {
        subjects = List.copyOf(subjects);
        lastRefusals = List.copyOf(lastRefusals);
    }

    /** How the last decision leaves a caller. */
    static CallerTraffic of(
            Caller caller, long[] counts, long missed, Tally latest, List<Refusal> lastRefusals, long nowMillis) {
        Tier tier = requireNonNull(latest.tier());
        long resetAt = latest.resetAtMillis();
        long capacity = tier.limit().capacity();
        return new CallerTraffic(
                caller.endpoint(),
                caller.subjects(),
                counts[Kind.ALLOWED.at],
                counts[Kind.REFUSED.at],
                counts[Kind.WOULD_REFUSE.at],
                missed,
                tier.name(),
                tier.limit().threshold(),
                tier.limit().period().toMillis(),
                capacity,
                nowMillis >= resetAt ? capacity : latest.remaining(),
                resetAt,
                latest.latestMillis(),
                lastRefusals);
    }

    /** All calls that were counted. */
    public long calls() {
        return allowed + refused + wouldRefuse;
    }

    /** How much of the capacity is used. */
    public long used() {
        return Math.max(0, capacity - remaining);
    }

    /** Who it is, for people: {@code tenant=acme}, several with commas. It holds what callers wrote: escape it. */
    public String client() {
        return subjects.isEmpty()
                ? "everybody"
                : subjects.stream()
                        .map(subject -> subject.name() + '=' + subject.value())
                        .collect(Collectors.joining(","));
    }
}
