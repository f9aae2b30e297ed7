package dev.sluice.metrics;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.Ticket;
import dev.sluice.internal.text.EnumWord;
import dev.sluice.tier.Tier;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Adds key values to the current Micrometer observation, and therefore to its trace, if the call was refused or
 * pending. Other calls get no key values.
 *
 * <pre>
 *   sluice.endpoint   the endpoint that decided
 *   sluice.tier       its tier
 *   sluice.outcome    refused, refused-busy, refused-blocked, admitted and so on
 *   sluice.pending    waiting, awaiting-outcomes or queued: why the call was pending; only if it was
 * </pre>
 *
 * <pre>{@code
 * Sluice sluice = Sluice.builder().listener(new ObservedCalls(observations)).open();
 * }</pre>
 *
 * <p>This class adds high-cardinality key values, although each key has only a few values. Low-cardinality key values
 * would also become tags of meters, and Prometheus drops a meter whose tags differ between calls. A parked servlet call
 * has no current observation, so no key values are added to it.
 *
 * <p>Thread-safe.
 */
public final class ObservedCalls implements RateLimitListener {

    private static final String PENDING = "sluice.pending";

    private final ObservationRegistry registry;

    /**
     * Creates a listener that adds key values to the current observation of this registry. The registry must not be
     * {@code null}.
     */
    public ObservedCalls(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void onStoreWait(long waitedNanos) {
        wasPending("waiting");
    }

    @Override
    public void onOutcomesAwaited(long awaitedNanos) {
        wasPending("awaiting-outcomes");
    }

    private void wasPending(String why) {
        Observation current = registry.getCurrentObservation();
        if (current != null) {
            current.highCardinalityKeyValue(PENDING, why);
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
            current.highCardinalityKeyValue(PENDING, "queued");
        }
        if (!decision.admitted() || current.getContext().getHighCardinalityKeyValue(PENDING) != null) {
            addKeys(current, decision);
        }
    }

    private static void addKeys(Observation current, Decision decision) {
        Endpoint endpoint = decision.endpoint();
        Tier tier = decision.tier();
        if (endpoint != null && tier != null) {
            current.highCardinalityKeyValue("sluice.endpoint", endpoint.id());
            current.highCardinalityKeyValue("sluice.tier", tier.name());
        }
        current.highCardinalityKeyValue("sluice.outcome", EnumWord.of(decision.outcome()));
    }
}
