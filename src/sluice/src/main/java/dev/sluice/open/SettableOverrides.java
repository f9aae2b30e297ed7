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
 * Follows the source of overrides, and sets overrides in it. Without a source, the first override that is set is kept
 * in this process, which then is the source. Thread-safe.
 */
final class SettableOverrides implements AutoCloseable {

    private final Function<ClientOverrideSource, OverrideRefresher> follower;
    private final InstantSource clock;
    private @Nullable ClientOverrideSource source;
    private @Nullable OverrideRefresher refresher;
    private boolean closed;

    /**
     * Starts to follow the source, if there is one.
     *
     * @param source the source of overrides; {@code null} if there is none
     * @param follower starts to follow a source
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
     * The store in which overrides can be set.
     *
     * @throws IllegalStateException if they come from the application, or the limiter is closed
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

    /** Adds what was done to counters to the history, unless overrides come from the application. */
    synchronized CompletionStage<Boolean> remember(ClientOverride done, StoredOverride.Note note) {
        return source instanceof OverrideStore kept
                ? kept.remember(done, note)
                : CompletableFuture.completedFuture(false);
    }

    /** All changes of overrides; empty if overrides come from the application, or nobody has set any. */
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
