package dev.sluice.internal.store.admin;

import dev.sluice.exchange.StoreException;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The client overrides in a store. They apply to all instances that use the store. Stages fail only with a {@link
 * StoreException}. Thread-safe.
 */
public interface OverrideStore extends ClientOverrideSource {

    /** How long the history keeps a change. */
    Duration HISTORY_LASTS = Duration.ofDays(90);

    /** The maximum number of changes in the history. */
    int MOST_HISTORY = 10_000;

    /** All overrides in force, with their notes. */
    CompletionStage<List<StoredOverride>> all();

    /** The version of the overrides in force. Instances report the version they use. */
    CompletionStage<String> version();

    /** Sets an override for all instances of this store, without validating it. */
    CompletionStage<Boolean> set(ClientOverride limit, StoredOverride.Note note);

    /** Removes an override. Returns whether it existed. The note states who removes it and why. */
    CompletionStage<Boolean> unset(ClientOverride limit, StoredOverride.Note note);

    /**
     * Records an operator's change of counters in the history, without changing an override.
     *
     * @param done the client and the endpoint, with a description of the change in place of the tiers
     */
    CompletionStage<Boolean> remember(ClientOverride done, StoredOverride.Note note);

    /**
     * The changes in the last {@link #HISTORY_LASTS}, latest first, at most {@link #MOST_HISTORY}. The entry for a
     * removal has no tiers. The history does not contain expiries.
     */
    CompletionStage<List<StoredOverride>> history();

    /** Completes once the store is connected; fails if it cannot connect. */
    CompletionStage<Boolean> connected();

    /** The exception for a store with too many overrides. */
    static StoreException tooMany(String store) {
        return StoreException.unavailable(store + " has more than " + MOST + " client overrides", null);
    }

    /** The exception for a store whose overrides are too long in total. */
    static StoreException tooLarge(String store) {
        return StoreException.unavailable(
                store + " has more than " + (StoredOverride.MOST_BYTES >> 20) + " MB of client overrides", null);
    }
}
