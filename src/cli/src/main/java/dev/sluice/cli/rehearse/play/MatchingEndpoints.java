package dev.sluice.cli.rehearse.play;

import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.cli.rehearse.format.LoggedCall;
import dev.sluice.limits.Client;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plan;
import dev.sluice.limits.Plans;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds all endpoints that match a call, and the caller that each endpoint counts. A decision reports only one
 * endpoint. If there are several endpoints, this class therefore also sends the call to a second limiter, which refuses
 * nobody and reports each endpoint. Not thread-safe.
 */
public final class MatchingEndpoints implements AutoCloseable {

    private static final List<Tier> ANY_TIER =
            List.of(new Tier("any", new Limit.FixedWindow(Limit.MAX_THRESHOLD, Limit.MAX_PERIOD)));

    private final @Nullable Player everyone;

    public MatchingEndpoints(Limits limits) {
        this.everyone = limits.endpoints().size() < 2 ? null : new Player(dryRunOf(limits));
    }

    /**
     * Returns one decision for each matching endpoint.
     *
     * @param decisions the decisions on the call; returned if there is only one endpoint
     */
    public List<Decision> of(LoggedCall call, List<Decision> decisions) {
        return everyone == null ? decisions : everyone.play(call);
    }

    private static Limits dryRunOf(Limits limits) {
        return new Limits(
                        limits.endpoints().stream()
                                .map(endpoint -> dryRunOf(endpoint, ANY_TIER))
                                .toList(),
                        limits.subjects(),
                        limits.caseSensitive(),
                        limits.maximumCounters(),
                        limits.responses())
                .withClients(limits.clients().stream()
                        .map(client -> dryRunOf(client, limits.endpoints()))
                        .toList())
                .withPlans(dryRunOf(limits.plans()));
    }

    /**
     * Returns a copy of the plans in dry-run mode. The copy contains only the names and modes of the plans. The
     * subjects by which an endpoint counts a caller are the same on every plan.
     */
    private static Plans dryRunOf(Plans plans) {
        return plans.changed(plan -> new Plan(plan.name(), false, BigDecimal.ONE, dryRunOf(plan.mode()), Map.of()));
    }

    private static @Nullable Mode dryRunOf(@Nullable Mode mode) {
        return mode == null || mode == Mode.OFF ? mode : Mode.DRY_RUN;
    }

    /** Returns a copy of the endpoint with the given tiers. Each call costs 1, and no call is refused. */
    public static Endpoint dryRunOf(Endpoint endpoint, List<Tier> tiers) {
        return new Endpoint(
                endpoint.id(),
                endpoint.methods(),
                endpoint.pathPatterns(),
                endpoint.except(),
                endpoint.on(),
                endpoint.per(),
                endpoint.mode() == Mode.OFF ? Mode.OFF : Mode.DRY_RUN,
                endpoint.when(),
                Set.of(),
                false,
                Cost.ONE,
                Endpoint.Headers.SHOWN,
                tiers);
    }

    /**
     * Returns a copy of the client that is never refused. At endpoints where the client has its own limits, the copy
     * also has its own limits, because they affect which subjects key the client's counters.
     */
    private static Client dryRunOf(Client client, List<Endpoint> endpoints) {
        Map<String, List<Tier>> own = endpoints.stream()
                .filter(endpoint -> client.endpoints().containsKey(endpoint.id())
                        || (client.multiplies() && !endpoint.per().stream().allMatch("server"::equals)))
                .collect(Collectors.toMap(Endpoint::id, endpoint -> ANY_TIER));
        return new Client(
                client.who(), false, BigDecimal.ONE, dryRunOf(client.mode()), own, client.plan(), client.displayName());
    }

    @Override
    public void close() {
        if (everyone != null) {
            everyone.close();
        }
    }
}
