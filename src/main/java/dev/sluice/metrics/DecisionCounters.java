package dev.sluice.metrics;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts decisions by endpoint, tier and outcome. There are as many series as the limits have tiers, whatever callers
 * send. Safe for any threads.
 */
final class DecisionCounters {

    private final MeterRegistry registry;
    /** By the endpoint's id, then by the tier's name. */
    private final Map<String, Map<String, Map<Outcome, Counter>>> counters = new ConcurrentHashMap<>();

    DecisionCounters(MeterRegistry registry) {
        this.registry = registry;
    }

    void count(Decision decision) {
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
                byOutcome.put(outcome, SluiceMeter.DECISIONS.counter(registry, endpoint, tier, text(outcome)));
            }
        }
        return byOutcome;
    }

    /** For example {@code would-refuse}. */
    private static String text(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
