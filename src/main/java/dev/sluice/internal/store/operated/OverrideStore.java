package dev.sluice.internal.store.operated;

import dev.sluice.exchange.StoreException;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Limits of single clients that are kept in a store, for all its instances. Stages fail only with a
 * {@link StoreException}. Safe for any threads.
 */
public interface OverrideStore extends ClientOverrideSource {

    /** How long a change is remembered. */
    Duration HISTORY_LASTS = Duration.ofDays(90);

    /** The most changes that are remembered. */
    int MOST_HISTORY = 10_000;

    /** All limits now in force, with their notes. */
    CompletionStage<List<StoredOverride>> all();

    /** The version of the limits now in force; instances that use them report it. */
    CompletionStage<String> version();

    /** Sets a limit, for all instances of this store; does not validate it. */
    CompletionStage<Boolean> set(ClientOverride limit, StoredOverride.Note note);

    /** Removes a limit; returns whether there was one. The note says who removes it and why. */
    CompletionStage<Boolean> unset(ClientOverride limit, StoredOverride.Note note);

    /**
     * What was set and removed in the last {@link #HISTORY_LASTS}, the latest first; but no more than {@link #MOST_HISTORY}
     * changes. One that was removed has no tiers; one that has ended by itself is not told again.
     */
    CompletionStage<List<StoredOverride>> history();

    /** Completes once there is a connection; fails if there cannot be one. */
    CompletionStage<Boolean> connected();

    /** The failure of a store that has too many limits. */
    static StoreException tooMany(String store) {
        return StoreException.unavailable(store + " keeps limits of clients beyond the " + MOST + " that can be", null);
    }

    /** The failure of a store whose limits are too long together, though none is by itself. */
    static StoreException tooLarge(String store) {
        return StoreException.unavailable(
                store + " keeps limits of clients beyond the " + (StoredOverride.MOST_BYTES >> 20) + " MB that can be",
                null);
    }
}
