package dev.sluice.metrics;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.internal.text.EnumWord;
import dev.sluice.tier.Tier;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts decisions by endpoint, tier and outcome. Also counts each call at every applicable endpoint, by the outcome at
 * that endpoint. The number of series depends only on the endpoints and tiers in the file, not on what callers send.
 * Thread-safe.
 */
final class DecisionCounters {

    /** The number of slots in the cache, a power of two. */
    private static final int SLOTS = 1 << 10;
    /**
     * If a look-up by name finds both slots occupied, it replaces an entry only once in this many look-ups. A power of
     * two.
     */
    private static final int REMEMBERED_OF = 1 << 8;

    /** The outcome at an endpoint that would have admitted a call, if a different endpoint refused it. */
    private static final String OTHER_REFUSED = "other-refused";

    private final MeterRegistry registry;
    /** The counters of endpoints, by endpoint id. */
    private final Map<String, EndpointCounters> endpoints = new ConcurrentHashMap<>();
    /** The counters of tiers, by endpoint id and then by tier name. Calls to which no limit applies have no counter. */
    private final Map<String, Map<String, TierCounters>> counters = new ConcurrentHashMap<>();
    /**
     * A cache keyed by the identity of the tier. Each tier has two possible slots. We need the cache because a look-up
     * by name would touch more memory.
     */
    private final AtomicReferenceArray<@Nullable CachedCounters> cache = new AtomicReferenceArray<>(SLOTS);
    /** The number of look-ups by name. Updated without a lock, because lost updates are harmless. */
    private int lookedUp;

    /** The counters for a tier's decisions and for its endpoint's calls. */
    private record TierCounters(Map<Outcome, Counter> decisions, EndpointCounters calls) {}

    /**
     * The counters for an endpoint's calls: one for each outcome of the endpoint's own decision, and one for calls that
     * a different endpoint refused.
     */
    private record EndpointCounters(Map<Outcome, Counter> byOutcome, Counter otherRefused) {}

    /** An entry of the cache: the counters of a tier, found by the tier's identity. */
    private record CachedCounters(Endpoint endpoint, Tier tier, TierCounters counters) {

        @SuppressWarnings("ReferenceEquality") // an equal tier that is a different object is found by name
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
            TierCounters found = of(endpoint, tier);
            increment(found.decisions, decision.outcome());
            increment(found.calls.byOutcome, decision.outcome());
        }
        List<Endpoint> others = decision.otherEndpoints();
        for (int i = 0; i < others.size(); i++) {
            countOther(of(others.get(i).id()), decision);
        }
    }

    private static void countOther(EndpointCounters calls, Decision decision) {
        if (decision.admitted()) {
            increment(calls.byOutcome, Outcome.ADMITTED);
        } else {
            calls.otherRefused.increment();
        }
    }

    private static void increment(Map<Outcome, Counter> byOutcome, Outcome outcome) {
        Counter counter = byOutcome.get(outcome);
        if (counter != null) {
            counter.increment();
        }
    }

    private TierCounters of(Endpoint endpoint, Tier tier) {
        int slot = System.identityHashCode(tier) & (SLOTS - 1);
        for (int i = 0; i <= 1; i++) {
            CachedCounters there = cache.getAcquire(slot ^ i);
            if (there != null && there.isOf(endpoint, tier)) {
                return there.counters;
            }
        }
        TierCounters found = of(endpoint.id(), tier.name());
        int free = cache.getAcquire(slot) == null ? slot : slot ^ 1;
        if (cache.getAcquire(free) == null || (++lookedUp & (REMEMBERED_OF - 1)) == 0) {
            cache.setRelease(free, new CachedCounters(endpoint, tier, found));
        }
        return found;
    }

    /**
     * Returns the counters of a tier, found by name. Tries a plain look-up first, because {@code computeIfAbsent} takes
     * a lock.
     */
    private TierCounters of(String endpoint, String tier) {
        Map<String, TierCounters> byTier = counters.get(endpoint);
        TierCounters made = byTier == null ? null : byTier.get(tier);
        return made != null
                ? made
                : counters.computeIfAbsent(endpoint, first -> new ConcurrentHashMap<>())
                        .computeIfAbsent(
                                tier,
                                first -> new TierCounters(
                                        byOutcome(outcome ->
                                                MeterDefinition.DECISIONS.counter(registry, endpoint, tier, outcome)),
                                        of(endpoint)));
    }

    private EndpointCounters of(String endpoint) {
        EndpointCounters made = endpoints.get(endpoint);
        return made != null
                ? made
                : endpoints.computeIfAbsent(
                        endpoint,
                        first -> new EndpointCounters(
                                byOutcome(outcome -> callsAt(endpoint, outcome)), callsAt(endpoint, OTHER_REFUSED)));
    }

    private Counter callsAt(String endpoint, String outcome) {
        return MeterDefinition.ENDPOINT_CALLS.counter(registry, endpoint, outcome);
    }

    /**
     * Creates the counters of all outcomes in advance. An outcome that has not occurred yet is then reported as 0, so
     * that the first refusal shows up as an increase.
     */
    private static Map<Outcome, Counter> byOutcome(Function<String, Counter> make) {
        Map<Outcome, Counter> byOutcome = new EnumMap<>(Outcome.class);
        for (Outcome outcome : Outcome.values()) {
            if (outcome != Outcome.UNLIMITED) {
                byOutcome.put(outcome, make.apply(EnumWord.of(outcome)));
            }
        }
        return byOutcome;
    }
}
