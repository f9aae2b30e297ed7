package dev.sluice.limits;

import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.tier.Tier;
import java.util.List;
import java.util.Map;

/**
 * The counters of a limiter that counts alone, by endpoint and caller rather than by calls. Tests of applications look at
 * them, use them up and forget them; they do so with {@code dev.sluice.test}, which receives this as a {@link Reader}. Safe
 * for any threads.
 */
public interface CallerCounters {

    /**
     * The counters of a caller's calls at an endpoint: one for each tier, method, and source that may yield the caller's
     * values.
     *
     * @param endpoint the endpoint's id
     * @param caller the values of subjects: of those that the endpoint counts by; where clients have limits of their own,
     *     also of those that identify clients; and the caller's {@code plan}, if the call says it
     * @return nothing if the endpoint is off for this caller
     * @throws IllegalArgumentException if there is no such endpoint or subject, or if one is missing; the message says what
     *     to write
     */
    List<Found> find(String endpoint, Map<String, String> caller);

    /** Forgets all that was counted, and all blocks. Places of calls under way are free again. */
    void forget();

    /** One counter of a caller. */
    interface Found {

        /** The endpoint as it is for this caller. */
        Endpoint endpoint();

        /** Whether the caller is exempt, so that this counter refuses no call. */
        boolean isExempt();

        /** The tier as it is for this caller. */
        Tier tier();

        /** Who is counted. */
        List<Subject> subjects();

        /** How many further calls it would admit now, without overage, as headers say. */
        long remaining();

        /** Whether it has too little left for a call, or has blocked the caller: it would refuse, if it is enforced. */
        boolean isUsedUp();

        /** Takes all that is left, with the overage. */
        void useUp();
    }

    /** A listener that also receives the counters of its limiter. */
    interface Reader extends RateLimitListener {

        /** Receives the counters; called once, before the first decision. */
        void read(CallerCounters counters);
    }
}
