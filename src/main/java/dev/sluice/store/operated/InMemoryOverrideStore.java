package dev.sluice.store.operated;

import dev.sluice.limits.ClientOverride;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Limits of clients that are kept in this process only, until it ends. Safe for any threads. */
public final class InMemoryOverrideStore implements OverrideStore {

    private final InstantSource clock;
    private final Map<String, StoredOverride> limits = new LinkedHashMap<>();
    private long version;

    /** Creates it without limits. */
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
        long now = clock.millis();
        long until = note.lasts().isZero() ? 0 : now + note.lasts().toMillis();
        limits.put(StoredOverride.field(limit), new StoredOverride(limit, until, now, note.by(), note.why()));
        version++;
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public synchronized CompletionStage<Boolean> unset(ClientOverride limit) {
        boolean was = limits.remove(StoredOverride.field(limit)) != null;
        version += was ? 1 : 0;
        return CompletableFuture.completedFuture(was);
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
