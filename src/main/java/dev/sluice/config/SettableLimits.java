package dev.sluice.config;

import dev.sluice.config.follow.OverrideRefresher;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.store.operated.KeptLimits;
import dev.sluice.store.operated.ProcessLimits;
import java.time.InstantSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where limits of single clients are kept outside the file, and followed. Where there is no such place, this process
 * becomes one with the first limit that is set. Safe for any threads.
 */
final class SettableLimits implements AutoCloseable {

    private final Function<ClientOverrideSource, OverrideRefresher> follower;
    private final InstantSource clock;
    private @Nullable ClientOverrideSource source;
    private @Nullable OverrideRefresher refresh;
    private boolean closed;

    /**
     * Follows what there is.
     *
     * @param source where limits are kept; {@code null} if nowhere
     * @param follower begins to follow such a place
     */
    SettableLimits(
            @Nullable ClientOverrideSource source,
            Function<ClientOverrideSource, OverrideRefresher> follower,
            InstantSource clock) {
        this.follower = follower;
        this.clock = clock;
        if (source != null) {
            follow(source);
        }
    }

    private synchronized void follow(ClientOverrideSource place) {
        source = place;
        refresh = follower.apply(place);
    }

    /**
     * Where limits can be set.
     *
     * @throws IllegalStateException if the application keeps them itself, or the limiter is closed
     */
    synchronized KeptLimits keeper() {
        if (closed) {
            throw new IllegalStateException("the limiter is closed");
        }
        if (source == null) {
            follow(new ProcessLimits(clock));
        }
        if (source instanceof KeptLimits kept) {
            return kept;
        }
        throw new IllegalStateException(
                "limits of clients are kept by this application's own ClientOverrideSource; set " + "them there");
    }

    @Override
    public synchronized void close() {
        closed = true;
        OverrideRefresher following = refresh;
        if (following != null) {
            following.close();
        }
    }
}
