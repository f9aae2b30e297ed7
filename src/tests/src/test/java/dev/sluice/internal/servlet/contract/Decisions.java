package dev.sluice.internal.servlet.contract;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Decisions as a limiter might make them. */
public final class Decisions {

    public static final Endpoint PRODUCT =
            endpoint("get-product", Mode.ENFORCE, tier("10s", 1000, Duration.ofSeconds(10)));

    private Decisions() {}

    public static Tier tier(String name, long threshold, Duration period) {
        return new Tier(name, new Limit.FixedWindow(threshold, period));
    }

    public static Endpoint endpoint(String id, Mode mode, Tier... tiers) {
        return new Endpoint(id, Set.of("GET"), "/product/*", List.of("tenant"), mode, Arrays.asList(tiers));
    }

    /** The same endpoint, which shows no headers. */
    public static Endpoint hidden(Endpoint of) {
        return new Endpoint(
                of.id(),
                of.methods(),
                of.pathPatterns(),
                of.except(),
                of.on(),
                of.per(),
                of.mode(),
                of.when(),
                of.countedStatuses(),
                of.countsFailedLogins(),
                of.cost(),
                Endpoint.Headers.NONE,
                of.tiers());
    }

    public static Decision admitted(Endpoint endpoint, long remaining, long resetAfterMillis) {
        return decision(Outcome.ADMITTED, endpoint, 0, remaining, resetAfterMillis, 0);
    }

    public static Decision refused(Endpoint endpoint, long retryAfterMillis) {
        return decision(Outcome.REFUSED, endpoint, 0, 0, retryAfterMillis, retryAfterMillis);
    }

    public static Decision decision(
            Outcome outcome, Endpoint endpoint, int tier, long remaining, long resetMillis, long retryMillis) {
        return new Decision(
                outcome, endpoint, endpoint.tiers().get(tier), List.of(), remaining, resetMillis, retryMillis, null);
    }
}
