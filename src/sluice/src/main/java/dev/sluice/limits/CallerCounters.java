package dev.sluice.limits;

import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.tier.Tier;
import java.util.List;
import java.util.Map;

/**
 * The counters of a limiter that counts alone, found by endpoint and caller. {@code dev.sluice.test} receives it
 * through a {@link Reader}, so that tests of applications can inspect counters, use them up and reset them.
 * Thread-safe.
 */
public interface CallerCounters {

    /**
     * Finds the counters of a caller at an endpoint. There is one counter for each combination of tier, method, and
     * sources that can yield the caller's values.
     *
     * @param endpoint the endpoint id
     * @param caller the values of the caller's subjects, by subject name. These are the subjects that the endpoint is
     *     keyed by, the subjects that identify clients if clients have their own limits, and {@code plan} if the call
     *     states the caller's plan
     * @return the counters; empty if the endpoint is off for this caller
     * @throws IllegalArgumentException if the endpoint or a subject does not exist, or a subject is missing; the
     *     message explains what to write
     */
    List<Found> find(String endpoint, Map<String, String> caller);

    /** Resets all counts and blocks. Slots of calls in flight become free. */
    void forget();

    /** One counter of a caller. */
    interface Found {

        /** The endpoint as it applies to this caller. */
        Endpoint endpoint();

        /** Whether the caller is exempt. If so, this counter refuses no call. */
        boolean isExempt();

        /** The tier as it applies to this caller. */
        Tier tier();

        /** The caller. */
        List<Subject> subjects();

        /** How many more calls the counter would admit now, without overage. Headers show the same number. */
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
