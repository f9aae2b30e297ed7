package dev.sluice.metrics;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.listener.RateLimitListener;
import dev.sluice.tier.Tier;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts decisions in a Micrometer registry: the meter {@code sluice.decisions}, by endpoint, tier and outcome. There
 * are as many series as the limits have tiers, whatever callers send: who calls is in no tag. Safe for any threads.
 */
public final class DecisionMeters implements RateLimitListener {

    private static final String DECISIONS = "sluice.decisions";

    private final MeterRegistry registry;
    /** By the endpoint's id, then by the tier's name. */
    private final Map<String, Map<String, Map<Outcome, Counter>>> counters = new ConcurrentHashMap<>();

    /** Counts in this registry. */
    public DecisionMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void onDecision(Call call, Decision decision) {
        Endpoint endpoint = decision.endpoint();
        Tier tier = decision.tier();
        if (endpoint != null && tier != null) {
            Counter counter = of(endpoint.id(), tier.name()).get(decision.outcome());
            if (counter != null) {
                counter.increment();
            }
        }
    }

    /** Looks before it computes: computing takes a lock. */
    private Map<Outcome, Counter> of(String endpoint, String tier) {
        Map<String, Map<Outcome, Counter>> byTier = counters.get(endpoint);
        Map<Outcome, Counter> known = byTier == null ? null : byTier.get(tier);
        return known != null
                ? known
                : counters.computeIfAbsent(endpoint, first -> new ConcurrentHashMap<>())
                        .computeIfAbsent(tier, first -> make(endpoint, tier));
    }

    /** One for each outcome, so that what has not happened yet shows as zero, and a first refusal as a rise. */
    private Map<Outcome, Counter> make(String endpoint, String tier) {
        Map<Outcome, Counter> byOutcome = new EnumMap<>(Outcome.class);
        for (Outcome outcome : Outcome.values()) {
            if (outcome != Outcome.UNLIMITED) {
                byOutcome.put(
                        outcome,
                        Counter.builder(DECISIONS)
                                .description("Calls that a limit spoke of, by what became of them")
                                .tag("endpoint", endpoint)
                                .tag("tier", tier)
                                .tag("outcome", text(outcome))
                                .register(registry));
            }
        }
        return byOutcome;
    }

    /** For example {@code would-refuse}. */
    private static String text(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
