package dev.sluice.open;

import dev.sluice.CounterKey;
import dev.sluice.Endpoint;
import dev.sluice.internal.instance.CountersOfCallers;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.NamedCounter;
import dev.sluice.internal.limiter.rule.SharedLimits;
import dev.sluice.internal.store.admin.CounterGifts;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.limits.CallerCounters;
import dev.sluice.limits.ClientOverride;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Gives calls to a client. This class finds the client's counters, adds the calls, and records the change in the
 * history. Thread-safe.
 */
record GivenCalls(CountingRateLimiter limiter, BackgroundTasks tasks) {

    CompletionStage<Map<CounterKey, Long>> give(ClientOverride client, long calls, StoredOverride.Note note) {
        CounterGifts gifts = tasks.gifts();
        List<LiveCounter> counters = counters(client);
        return gifts.give(counters, calls).thenCompose(all -> noted(StoredOverride.GIVE, client, all, note));
    }

    CompletionStage<Map<CounterKey, Long>> reset(ClientOverride client, StoredOverride.Note note) {
        CounterGifts gifts = tasks.gifts();
        List<LiveCounter> counters = counters(client);
        return gifts.reset(counters).thenCompose(all -> noted(StoredOverride.RESET, client, all, note));
    }

    private CompletionStage<Map<CounterKey, Long>> noted(
            String word, ClientOverride client, List<CounterGifts.Given> all, StoredOverride.Note note) {
        Map<CounterKey, Long> given = new LinkedHashMap<>();
        all.stream().filter(one -> one.given() > 0).forEach(one -> given.put(one.key(), one.given()));
        Map<String, String> byEndpoint = given.entrySet().stream()
                .collect(Collectors.groupingBy(
                        one -> one.getKey().endpoint(),
                        LinkedHashMap::new,
                        Collectors.mapping(
                                (Map.Entry<CounterKey, Long> one) ->
                                        one.getValue() + " in " + one.getKey().tier()
                                                + (one.getKey().method().equals("*")
                                                        ? ""
                                                        : " of " + one.getKey().method()),
                                Collectors.collectingAndThen(
                                        Collectors.toCollection(LinkedHashSet::new),
                                        each -> String.join(", ", each)))));
        CompletionStage<Boolean> done = CompletableFuture.completedFuture(true);
        for (Map.Entry<String, String> one : byEndpoint.entrySet()) {
            ClientOverride noted =
                    new ClientOverride(client.subject(), client.value(), one.getKey(), word + one.getValue());
            done = done.thenCompose(before -> tasks.overrides().remember(noted, note));
        }
        return done.thenApply(remembered -> given);
    }

    /**
     * Returns the client's counters for the current windows. Each counter has the smallest limit that could apply to
     * the client.
     */
    private List<LiveCounter> counters(ClientOverride client) {
        long now = limiter.nowMillis();
        Map<CounterKey, Tier> tiers = new HashMap<>();
        for (String endpoint : endpoints(client)) {
            for (CallerCounters.Found found :
                    new CountersOfCallers(limiter).find(endpoint, Map.of(client.subject(), client.value()))) {
                if (found instanceof NamedCounter counter
                        && counter.family().tier.limit().isFleetWide()) {
                    CounterKey key = counter.family().keyAt(counter.subjects(), now);
                    tiers.merge(key, counter.family().tier, (one, other) -> other.most() < one.most() ? other : one);
                }
            }
        }
        List<LiveCounter> counters = new ArrayList<>();
        tiers.forEach((key, tier) -> {
            LiveCounter counter = new LiveCounter(
                    key, SharedLimits.of(tier, key.start(), key.end()).rule());
            if (CounterGifts.isPossible(counter.rule())) {
                counters.add(counter);
            }
        });
        if (counters.isEmpty()) {
            throw new IllegalArgumentException(client.endpoint()
                    + " has no shared limit of calls per period; to allow more concurrent calls, set a higher limit");
        }
        return counters;
    }

    /**
     * Returns the endpoints to which the request applies. If it applies to all endpoints, returns the endpoints that
     * are keyed by its subject alone.
     */
    private List<String> endpoints(ClientOverride client) {
        return client.endpoint().equals(ClientOverride.ALL_ENDPOINTS)
                ? limiter.limits().endpoints().stream()
                        .filter(endpoint -> endpoint.per().equals(List.of(client.subject())))
                        .map(Endpoint::id)
                        .toList()
                : List.of(client.endpoint());
    }
}
