package dev.sluice.open;

import dev.sluice.internal.instance.reload.OverrideRefresher;
import dev.sluice.internal.store.admin.InMemoryOverrideStore;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Follows the override source, and sets overrides in it. If there is no source, setting the first override creates one
 * in this process. Thread-safe.
 */
final class SettableOverrides implements AutoCloseable {

    private final Function<ClientOverrideSource, OverrideRefresher> follower;
    private final InstantSource clock;
    private @Nullable ClientOverrideSource source;
    private @Nullable OverrideRefresher refresher;
    private boolean closed;

    /**
     * Starts following the source, if there is one.
     *
     * @param source the override source; {@code null} if there is none
     * @param follower the function that starts following a source
     */
    SettableOverrides(
            @Nullable ClientOverrideSource source,
            Function<ClientOverrideSource, OverrideRefresher> follower,
            InstantSource clock) {
        this.follower = follower;
        this.clock = clock;
        if (source != null) {
            follow(source);
        }
    }

    private synchronized void follow(ClientOverrideSource from) {
        source = from;
        refresher = follower.apply(from);
    }

    /**
     * Returns the store in which overrides can be set.
     *
     * @throws IllegalStateException if overrides come from the application, or the limiter is closed
     */
    synchronized OverrideStore store() {
        if (closed) {
            throw new IllegalStateException("the limiter is closed");
        }
        if (source == null) {
            follow(new InMemoryOverrideStore(clock));
        }
        if (source instanceof OverrideStore kept) {
            return kept;
        }
        throw new IllegalStateException(
                "this application has its own ClientOverrideSource for limits of clients; set them there");
    }

    /** Records in the history an action on counters, unless overrides come from the application. */
    synchronized CompletionStage<Boolean> remember(ClientOverride done, StoredOverride.Note note) {
        return source instanceof OverrideStore kept
                ? kept.remember(done, note)
                : CompletableFuture.completedFuture(false);
    }

    /**
     * Returns all changes of overrides. The list is empty if overrides come from the application, or if nobody has set
     * an override.
     */
    synchronized CompletionStage<List<StoredOverride>> history() {
        return source instanceof OverrideStore kept ? kept.history() : CompletableFuture.completedFuture(List.of());
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (refresher != null) {
            refresher.close();
        }
    }
}
