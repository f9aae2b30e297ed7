package dev.sluice.open;

import dev.sluice.CounterKey;
import dev.sluice.internal.instance.CountersOfCallers;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.NamedCounter;
import dev.sluice.internal.limiter.rule.SharedLimits;
import dev.sluice.internal.store.admin.CounterReset;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.limits.CallerCounters;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/** Finds the counters of a client, gives back what they count as used, and notes that in the history. Thread-safe. */
record CallsGivenBack(CountingRateLimiter limiter, BackgroundTasks tasks) {

    CompletionStage<Map<CounterKey, Long>> giveBack(ClientOverride client, long most, StoredOverride.Note note) {
        CounterReset reset = tasks.reset();
        List<LiveCounter> counters = counters(client);
        if (counters.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        return reset.giveBack(counters, most).thenCompose(all -> {
            Map<CounterKey, Long> given = new LinkedHashMap<>();
            all.stream().filter(one -> one.given() > 0).forEach(one -> given.put(one.key(), one.given()));
            return given.isEmpty()
                    ? CompletableFuture.completedFuture(given)
                    : remember(client, given, most, note).thenApply(done -> given);
        });
    }

    private CompletionStage<Boolean> remember(
            ClientOverride client, Map<CounterKey, Long> given, long most, StoredOverride.Note note) {
        String word = most == Long.MAX_VALUE ? StoredOverride.RESET : StoredOverride.GIVE;
        String what = given.entrySet().stream()
                .map(one -> one.getValue() + " in " + one.getKey().tier()
                        + (one.getKey().method().equals("*")
                                ? ""
                                : " of " + one.getKey().method()))
                .collect(Collectors.joining(", "));
        return tasks.overrides()
                .remember(new ClientOverride(client.subject(), client.value(), client.endpoint(), word + what), note);
    }

    /** The counters of the present windows, with the smallest limit that the client may have there. */
    private List<LiveCounter> counters(ClientOverride client) {
        List<SubjectSource> chain = limiter.limits().subjects().getOrDefault(client.subject(), List.of());
        if (chain.stream().anyMatch(SubjectSource::isSecret)) {
            throw new IllegalArgumentException("the subject " + client.subject()
                    + " is secret; use the command line instead: sluice limits give, or reset, with --config FILE");
        }
        long now = limiter.nowMillis();
        Map<CounterKey, Tier> tiers = new HashMap<>();
        for (CallerCounters.Found found :
                new CountersOfCallers(limiter).find(client.endpoint(), Map.of(client.subject(), client.value()))) {
            if (found instanceof NamedCounter counter && counter.tier().limit().isFleetWide()) {
                CounterKey key = counter.family().keyAt(counter.subjects(), now);
                tiers.merge(key, counter.tier(), (one, other) -> other.most() < one.most() ? other : one);
            }
        }
        List<LiveCounter> counters = new ArrayList<>();
        tiers.forEach((key, tier) -> {
            LiveCounter counter = new LiveCounter(
                    key, SharedLimits.of(tier, key.start(), key.end()).rule());
            if (CounterReset.isPossible(counter.rule())) {
                counters.add(counter);
            }
        });
        return counters;
    }
}
