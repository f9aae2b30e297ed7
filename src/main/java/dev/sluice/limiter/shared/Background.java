package dev.sluice.limiter.shared;

import dev.sluice.limiter.counter.Pool;
import dev.sluice.limiter.rule.Absence;
import org.jspecify.annotations.Nullable;

/**
 * What shared counters ask of the background that synchronises them with other instances. All methods return at once.
 */
public interface Background {

    /** That the store is away, or was until a moment ago, and what decides meanwhile; {@code null} otherwise. */
    @Nullable Absence absence();

    /** Requests a check of this pool soon: its permits run low, or something was returned to it. */
    void requestCheck(Pool pool);
}
