package dev.sluice.internal.store.admin;

import dev.sluice.exchange.StoreException;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The client overrides in a store. They apply on all instances that use the store. Stages fail only with a
 * {@link StoreException}. Thread-safe.
 */
public interface OverrideStore extends ClientOverrideSource {

    /** How long a change remains in the history. */
    Duration HISTORY_LASTS = Duration.ofDays(90);

    /** The maximum number of changes in the history. */
    int MOST_HISTORY = 10_000;

    /** All overrides in force, with their notes. */
    CompletionStage<List<StoredOverride>> all();

    /** The version of the overrides in force. Each instance reports which version it uses. */
    CompletionStage<String> version();

    /** Sets an override for all instances that use this store. Does not validate the override. */
    CompletionStage<Boolean> set(ClientOverride limit, StoredOverride.Note note);

    /** Removes an override. Returns whether the override existed. The note states who removes it and why. */
    CompletionStage<Boolean> unset(ClientOverride limit, StoredOverride.Note note);

    /**
     * Records in the history that an operator has changed counters. Does not change any override.
     *
     * @param done the client and the endpoint, with a description of the change in place of the tiers
     */
    CompletionStage<Boolean> remember(ClientOverride done, StoredOverride.Note note);

    /**
     * The changes within the last {@link #HISTORY_LASTS}, newest first, up to {@link #MOST_HISTORY}. If an entry
     * records a removal, it has no tiers. The history does not show the expiry of overrides.
     */
    CompletionStage<List<StoredOverride>> history();

    /** Returns a stage that completes once the store is connected, and fails if the store cannot connect. */
    CompletionStage<Boolean> connected();

    /** Creates the exception for a store that contains too many overrides. */
    static StoreException tooMany(String store) {
        return StoreException.unavailable(store + " has more than " + MOST + " client overrides", null);
    }

    /** Creates the exception for a store whose overrides are too long in total. */
    static StoreException tooLarge(String store) {
        return StoreException.unavailable(
                store + " has more than " + (StoredOverride.MOST_BYTES >> 20) + " MB of client overrides", null);
    }
}
