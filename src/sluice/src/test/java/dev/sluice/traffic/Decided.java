package dev.sluice.traffic;

import dev.sluice.CallerSubjects;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Decisions for tests. */
public final class Decided {

    public static final long LIMIT = 100;

    public static final Tier TIER = new Tier("10s", new Limit.FixedWindow(LIMIT, Duration.ofSeconds(10)));

    private Decided() {}

    public static Endpoint endpoint(String id) {
        return new Endpoint(id, Set.of(), "/" + id, List.of("tenant"), Mode.ENFORCE, List.of(TIER));
    }

    public static List<Subject> tenant(String value) {
        return List.of(new Subject("tenant", "header:X-Org-Id", value));
    }

    public static Decision of(Endpoint endpoint, String tenant, Outcome outcome, long remaining, long resetMillis) {
        return new Decision(outcome, endpoint, TIER, tenant(tenant), remaining, resetMillis, 0, null);
    }

    /** The same for a caller whose subjects carry its number, as the limiter creates them. */
    public static Decision carrying(Endpoint endpoint, Decision decision) {
        return new Decision(
                decision.outcome(),
                endpoint,
                decision.tier(),
                new CallerSubjects(endpoint.id(), decision.subjects()),
                decision.remaining(),
                decision.resetAfterMillis(),
                0,
                null);
    }
}
