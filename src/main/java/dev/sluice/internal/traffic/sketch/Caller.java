package dev.sluice.internal.traffic.sketch;

import dev.sluice.CallerSubjects;
import dev.sluice.Subject;
import java.util.Comparator;
import java.util.List;

/**
 * One caller at one endpoint. Immutable. Has a total order, so that maps stay fast even if many callers have the same
 * hash, which callers could construct.
 *
 * @param endpoint the endpoint's id
 * @param subjects the caller; empty for all callers together
 */
public record Caller(String endpoint, List<Subject> subjects) implements Comparable<Caller> {

    private static final Comparator<Caller> ORDER =
            Comparator.comparing(Caller::subjects, CallerSubjects.ORDER).thenComparing(Caller::endpoint);

    @Override
    public int compareTo(Caller other) {
        return ORDER.compare(this, other);
    }
}
