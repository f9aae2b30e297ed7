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
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Counts decisions by endpoint, tier and outcome. The number of series depends only on the tiers in the file, whatever
 * callers send. Thread-safe.
 */
final class DecisionCounters {

    /** A power of two. */
    private static final int SLOTS = 1 << 10;
    /** If no slot is free, one in this many look-ups by name replaces a slot. A power of two. */
    private static final int REMEMBERED_OF = 1 << 8;

    private final MeterRegistry registry;
    /** By the endpoint's id, then the tier's name, then the outcome. Calls without a limit have no counter. */
    private final Map<String, Map<String, Map<Outcome, Counter>>> counters = new ConcurrentHashMap<>();
    /** A cache by the identity of the tier; each tier has two slots. Looking up names would touch more memory. */
    private final AtomicReferenceArray<@Nullable CachedCounters> cache = new AtomicReferenceArray<>(SLOTS);
    /** Updated without a lock; lost updates are harmless. */
    private int lookedUp;

    /** The counters of a tier, found by its identity. */
    private record CachedCounters(Endpoint endpoint, Tier tier, Map<Outcome, Counter> byOutcome) {

        @SuppressWarnings("ReferenceEquality") // equal ones with another identity are found by their names
        private boolean isOf(Endpoint ofEndpoint, Tier ofTier) {
            return tier == ofTier && endpoint == ofEndpoint;
        }
    }

    DecisionCounters(MeterRegistry registry) {
        this.registry = registry;
    }

    void count(Decision decision) {
        Endpoint endpoint = decision.endpoint();
        Tier tier = decision.tier();
        if (endpoint != null && tier != null) {
            Counter counter = of(endpoint, tier).get(decision.outcome());
            if (counter != null) {
                counter.increment();
            }
        }
    }

    private Map<Outcome, Counter> of(Endpoint endpoint, Tier tier) {
        int slot = System.identityHashCode(tier) & (SLOTS - 1);
        for (int i = 0; i <= 1; i++) {
            CachedCounters there = cache.getAcquire(slot ^ i);
            if (there != null && there.isOf(endpoint, tier)) {
                return there.byOutcome;
            }
        }
        Map<Outcome, Counter> found = of(endpoint.id(), tier.name());
        int free = cache.getAcquire(slot) == null ? slot : slot ^ 1;
        if (cache.getAcquire(free) == null || (++lookedUp & (REMEMBERED_OF - 1)) == 0) {
            cache.setRelease(free, new CachedCounters(endpoint, tier, found));
        }
        return found;
    }

    /** Looks up before computing, because computing takes a lock. */
    private Map<Outcome, Counter> of(String endpoint, String tier) {
        Map<String, Map<Outcome, Counter>> byTier = counters.get(endpoint);
        Map<Outcome, Counter> made = byTier == null ? null : byTier.get(tier);
        return made != null
                ? made
                : counters.computeIfAbsent(endpoint, first -> new ConcurrentHashMap<>())
                        .computeIfAbsent(tier, first -> make(endpoint, tier));
    }

    /**
     * Creates a counter for each outcome, so that outcomes that have not occurred show as 0, and a first refusal as an
     * increase.
     */
    private Map<Outcome, Counter> make(String endpoint, String tier) {
        Map<Outcome, Counter> byOutcome = new EnumMap<>(Outcome.class);
        for (Outcome outcome : Outcome.values()) {
            if (outcome != Outcome.UNLIMITED) {
                byOutcome.put(outcome, MeterDefinition.DECISIONS.counter(registry, endpoint, tier, text(outcome)));
            }
        }
        return byOutcome;
    }

    /** For example {@code would-refuse}. */
    private static String text(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
