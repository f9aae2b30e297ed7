package dev.sluice.cli.rehearse.play;

import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.limits.Client;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds all endpoints that match a call, and the caller that each of them counts. A decision reports one endpoint only.
 * So if there are several, the call is also made to a limiter that refuses nobody, and reports each of them.
 */
public final class MatchingEndpoints implements AutoCloseable {

    private static final Limit ANYTHING = new Limit.FixedWindow(Limit.MAX_THRESHOLD, Limit.MAX_PERIOD);

    private final @Nullable Player everyone;

    public MatchingEndpoints(Limits limits) {
        this.everyone = limits.endpoints().size() < 2 ? null : new Player(dryRunOf(limits));
    }

    /** One decision of each matching endpoint, given the decisions on the call. */
    public List<Decision> of(LoggedCall call, List<Decision> decisions) {
        return everyone == null ? decisions : everyone.play(call);
    }

    private static Limits dryRunOf(Limits limits) {
        return new Limits(
                        limits.endpoints().stream()
                                .map(MatchingEndpoints::dryRunOf)
                                .toList(),
                        limits.subjects(),
                        limits.caseSensitive(),
                        limits.maximumCounters(),
                        limits.responses())
                .withClients(limits.clients().stream()
                        .map(MatchingEndpoints::dryRunOf)
                        .toList());
    }

    private static Endpoint dryRunOf(Endpoint endpoint) {
        return new Endpoint(
                endpoint.id(),
                endpoint.methods(),
                endpoint.pathPattern(),
                endpoint.per(),
                endpoint.mode() == Mode.OFF ? Mode.OFF : Mode.DRY_RUN,
                endpoint.when(),
                Set.of(),
                Cost.ONE,
                List.of(new Tier("any", ANYTHING)));
    }

    private static Client dryRunOf(Client client) {
        Mode mode = client.mode() == null || client.mode() == Mode.OFF ? client.mode() : Mode.DRY_RUN;
        return new Client(client.who(), false, BigDecimal.ONE, mode, Map.of());
    }

    @Override
    public void close() {
        if (everyone != null) {
            everyone.close();
        }
    }
}
