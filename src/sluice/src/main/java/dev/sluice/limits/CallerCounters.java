package dev.sluice.limits;

import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.tier.Tier;
import java.util.List;
import java.util.Map;

/**
 * The counters of a limiter that counts alone, found by endpoint and caller. {@code dev.sluice.test} uses it, so that
 * tests of applications can look at counters, use them up and reset them; it gets the counters through a
 * {@link Reader}. Thread-safe.
 */
public interface CallerCounters {

    /**
     * Finds the counters of a caller at an endpoint: one for each combination of tier, method, and sources that may
     * yield the caller's values.
     *
     * @param endpoint the endpoint's id
     * @param caller the values of subjects, by name. They are the subjects that the endpoint is keyed by, the subjects
     *     that identify clients if clients have their own limits, and {@code plan} if the call states the caller's plan
     * @return empty if the endpoint is off for this caller
     * @throws IllegalArgumentException if there is no such endpoint or subject, or a subject is missing; the message
     *     says what to write
     */
    List<Found> find(String endpoint, Map<String, String> caller);

    /** Resets all counts and blocks. Slots of calls in flight become free. */
    void forget();

    /** One counter of a caller. */
    interface Found {

        /** The endpoint as it applies to this caller. */
        Endpoint endpoint();

        /** Whether the caller is exempt, so that this counter refuses no call. */
        boolean isExempt();

        /** The tier as it applies to this caller. */
        Tier tier();

        /** The caller. */
        List<Subject> subjects();

        /** How many more calls the counter would admit now, without overage, as headers show it. */
        long remaining();

        /** Whether the counter would refuse a call now, because too few permits remain or the caller is blocked. */
        boolean isUsedUp();

        /** Takes all remaining permits, including overage. */
        void useUp();
    }

    /** A listener that also receives the counters of its limiter. */
    interface Reader extends RateLimitListener {

        /** Receives the counters; called once, before the first decision. */
        void read(CallerCounters counters);
    }
}
