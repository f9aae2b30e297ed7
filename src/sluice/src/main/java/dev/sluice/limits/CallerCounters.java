package dev.sluice.limits;

import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.tier.Tier;
import java.util.List;
import java.util.Map;

/**
 * Finds the counters of a limiter that counts alone, by endpoint and caller. {@code dev.sluice.test} obtains this
 * object through a {@link Reader}, so that application tests can inspect, use up and reset counters. Thread-safe.
 */
public interface CallerCounters {

    /**
     * Finds the counters of a caller at an endpoint. The result contains one counter for each combination of a tier, a
     * method, and the sources from which the caller's values can come.
     *
     * @param endpoint the endpoint id
     * @param caller the values of the caller's subjects, by subject name. Pass every subject by which the endpoint is
     *     keyed. If clients have their own limits, also pass the subjects that identify clients. If the call states the
     *     caller's plan, also pass {@code plan}
     * @return the counters; empty if the endpoint is off for this caller
     * @throws IllegalArgumentException if the endpoint or a subject does not exist, or a subject is missing; the
     *     message explains what to write
     */
    List<Found> find(String endpoint, Map<String, String> caller);

    /** Resets all counts and blocks. Frees the slots of calls in flight. */
    void forget();

    /** One counter of a caller. */
    interface Found {

        /** Returns the endpoint as it applies to this caller. */
        Endpoint endpoint();

        /** Whether the caller is exempt. If so, this counter never refuses the caller's calls. */
        boolean isExempt();

        /** Returns the tier as it applies to this caller. */
        Tier tier();

        /** Returns the caller's subjects. */
        List<Subject> subjects();

        /**
         * Returns the number of further calls that the counter would admit now, excluding overage. This is the number
         * that headers show.
         */
        long remaining();

        /** Whether the counter would refuse a call now, because too few permits remain or the caller is blocked. */
        boolean isUsedUp();

        /** Takes all remaining permits, including overage. */
        void useUp();
    }

    /** A listener that also receives the counters of its limiter. */
    interface Reader extends RateLimitListener {

        /** Receives the counters. Called once, before the first decision. */
        void read(CallerCounters counters);
    }
}
