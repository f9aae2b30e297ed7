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
 * Counts decisions by endpoint, tier and outcome. There are as many series as the limits have tiers, whatever callers
 * send. Safe for any threads.
 */
final class DecisionCounters {

    /** A power of two. */
    private static final int SLOTS = 1 << 10;
    /** A power of two: of so many look-ups by name, one is remembered where no slot is free. */
    private static final int REMEMBERED_OF = 1 << 8;

    private final MeterRegistry registry;
    /** By the endpoint's id, then by the tier's name, then by outcome; none for calls without a limit. */
    private final Map<String, Map<String, Map<Outcome, Counter>>> counters = new ConcurrentHashMap<>();
    /**
     * What was found last, where the hash of the tier itself leads to, or beside it: names, and maps of them, lie all over
     * memory.
     */
    private final AtomicReferenceArray<@Nullable Known> known = new AtomicReferenceArray<>(SLOTS);
    /** Threads may race for it, which does no harm. */
    private int lookedUp;

    /** The counters of a tier, told by itself and not by its name. */
    private record Known(Endpoint endpoint, Tier tier, Map<Outcome, Counter> byOutcome) {

        @SuppressWarnings("ReferenceEquality") // others that are equal are found by their names
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
            Known there = known.getAcquire(slot ^ i);
            if (there != null && there.isOf(endpoint, tier)) {
                return there.byOutcome;
            }
        }
        Map<Outcome, Counter> found = of(endpoint.id(), tier.name());
        int free = known.getAcquire(slot) == null ? slot : slot ^ 1;
        if (known.getAcquire(free) == null || (++lookedUp & (REMEMBERED_OF - 1)) == 0) {
            known.setRelease(free, new Known(endpoint, tier, found));
        }
        return found;
    }

    /** Looks before it computes: computing takes a lock. */
    private Map<Outcome, Counter> of(String endpoint, String tier) {
        Map<String, Map<Outcome, Counter>> byTier = counters.get(endpoint);
        Map<Outcome, Counter> made = byTier == null ? null : byTier.get(tier);
        return made != null
                ? made
                : counters.computeIfAbsent(endpoint, first -> new ConcurrentHashMap<>())
                        .computeIfAbsent(tier, first -> make(endpoint, tier));
    }

    /** One for each outcome, so that what has not happened yet shows as zero, and a first refusal as a rise. */
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
