package dev.sluice.metrics;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.Ticket;
import dev.sluice.tier.Tier;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;

/**
 * Tells the current observation of Micrometer, and so its trace, which calls were refused or had to wait: the span of such
 * a request has these keys, and that of any other has none.
 *
 * <pre>
 *   sluice.endpoint   the endpoint of the file that decided
 *   sluice.tier       its tier
 *   sluice.outcome    refused, refused-busy, refused-blocked, admitted and so on
 *   sluice.waited     store, outcomes or turn; only if it waited
 * </pre>
 *
 * <p>Their values are few. Still they are keys of high cardinality: those of low cardinality are also tags of meters, and
 * Prometheus drops a meter whose tags differ between calls. A call of a servlet that waits without a thread has no current
 * observation.
 *
 * <pre>{@code
 * Sluice sluice = Sluice.builder().listener(new ObservedCalls(observations)).open();
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class ObservedCalls implements RateLimitListener {

    private static final String WAITED = "sluice.waited";

    private final ObservationRegistry registry;

    public ObservedCalls(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void onStoreWait(long waitedNanos) {
        waited("store");
    }

    @Override
    public void onOutcomeWait(long waitedNanos) {
        waited("outcomes");
    }

    private void waited(String forWhat) {
        Observation current = registry.getCurrentObservation();
        if (current != null) {
            current.highCardinalityKeyValue(WAITED, forWhat);
        }
    }

    @Override
    public void onDecision(Call call, Decision decision) {
        Observation current = registry.getCurrentObservation();
        if (current == null) {
            return;
        }
        Ticket ticket = decision.ticket();
        if (ticket != null && ticket.delayMillis() > 0) {
            current.highCardinalityKeyValue(WAITED, "turn");
        }
        if (!decision.admitted() || current.getContext().getHighCardinalityKeyValue(WAITED) != null) {
            tell(current, decision);
        }
    }

    private static void tell(Observation current, Decision decision) {
        Endpoint endpoint = decision.endpoint();
        Tier tier = decision.tier();
        if (endpoint != null && tier != null) {
            current.highCardinalityKeyValue("sluice.endpoint", endpoint.id());
            current.highCardinalityKeyValue("sluice.tier", tier.name());
        }
        current.highCardinalityKeyValue(
                "sluice.outcome",
                decision.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
}
