package dev.sluice.internal.store.admin;

import dev.sluice.limits.ClientOverride;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Stores client overrides in memory until this process ends. Thread-safe. */
public final class InMemoryOverrideStore implements OverrideStore {

    private final InstantSource clock;
    private final Map<String, StoredOverride> limits = new LinkedHashMap<>();
    private final Deque<StoredOverride> history = new ArrayDeque<>();
    private long version;

    /** Creates a store without overrides. */
    public InMemoryOverrideStore(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public synchronized CompletionStage<List<StoredOverride>> all() {
        removeEnded();
        return CompletableFuture.completedFuture(List.copyOf(limits.values()));
    }

    @Override
    public synchronized CompletionStage<String> version() {
        removeEnded();
        return CompletableFuture.completedFuture(String.valueOf(version));
    }

    @Override
    public synchronized CompletionStage<Boolean> set(ClientOverride limit, StoredOverride.Note note) {
        if (limits.size() >= MOST) {
            return CompletableFuture.failedFuture(new IllegalStateException("there are " + MOST + " limits already"));
        }
        StoredOverride set = StoredOverride.changed(limit, note, clock.millis());
        limits.put(StoredOverride.field(limit), set);
        remember(set);
        version++;
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public synchronized CompletionStage<Boolean> unset(ClientOverride limit, StoredOverride.Note note) {
        boolean was = limits.remove(StoredOverride.field(limit)) != null;
        if (was) {
            remember(StoredOverride.changed(limit.withoutTiers(), note, clock.millis()));
            version++;
        }
        return CompletableFuture.completedFuture(was);
    }

    @Override
    public synchronized CompletionStage<Boolean> remember(ClientOverride done, StoredOverride.Note note) {
        remember(StoredOverride.changed(done, note, clock.millis()));
        return CompletableFuture.completedFuture(true);
    }

    private void remember(StoredOverride change) {
        forgetOld();
        history.addFirst(change);
        if (history.size() > MOST_HISTORY) {
            history.removeLast();
        }
    }

    private void forgetOld() {
        long oldest = clock.millis() - HISTORY_LASTS.toMillis();
        while (!history.isEmpty() && history.getLast().setMillis() < oldest) {
            history.removeLast();
        }
    }

    @Override
    public synchronized CompletionStage<List<StoredOverride>> history() {
        forgetOld();
        return CompletableFuture.completedFuture(List.copyOf(history));
    }

    @Override
    public CompletionStage<Boolean> connected() {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public synchronized CompletionStage<Optional<Overrides>> changedSince(String known) {
        removeEnded();
        String now = String.valueOf(version);
        return CompletableFuture.completedFuture(
                now.equals(known)
                        ? Optional.empty()
                        : Optional.of(StoredOverride.overrides(now, List.copyOf(limits.values()), clock.millis())));
    }

    private void removeEnded() {
        long now = clock.millis();
        if (limits.values().removeIf(limit -> limit.untilMillis() != 0 && limit.untilMillis() <= now)) {
            version++;
        }
    }
}
