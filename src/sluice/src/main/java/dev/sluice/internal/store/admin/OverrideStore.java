package dev.sluice.internal.store.admin;

import dev.sluice.exchange.StoreException;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The client overrides in a store, which apply to all its instances. Stages fail only with a {@link StoreException}.
 * Thread-safe.
 */
public interface OverrideStore extends ClientOverrideSource {

    /** How long a change is remembered. */
    Duration HISTORY_LASTS = Duration.ofDays(90);

    /** The maximum number of remembered changes. */
    int MOST_HISTORY = 10_000;

    /** All overrides in force, with their notes. */
    CompletionStage<List<StoredOverride>> all();

    /** The version of the overrides in force. Instances report the version that they use. */
    CompletionStage<String> version();

    /** Sets an override for all instances of this store, without validating it. */
    CompletionStage<Boolean> set(ClientOverride limit, StoredOverride.Note note);

    /** Removes an override; returns whether there was one. The note says who removes it and why. */
    CompletionStage<Boolean> unset(ClientOverride limit, StoredOverride.Note note);

    /**
     * Adds an operator's change of counters to the history, without changing an override.
     *
     * @param done the client and the endpoint, with a text about the change in place of the tiers
     */
    CompletionStage<Boolean> remember(ClientOverride done, StoredOverride.Note note);

    /**
     * The changes in the last {@link #HISTORY_LASTS}, latest first, at most {@link #MOST_HISTORY}. A removed override
     * has no tiers. Expiry is not a change.
     */
    CompletionStage<List<StoredOverride>> history();

    /** Completes once there is a connection; fails if there cannot be one. */
    CompletionStage<Boolean> connected();

    /** The failure of a store with too many overrides. */
    static StoreException tooMany(String store) {
        return StoreException.unavailable(store + " has more than " + MOST + " client overrides", null);
    }

    /** The failure of a store whose overrides are too long in total, although each is short. */
    static StoreException tooLarge(String store) {
        return StoreException.unavailable(
                store + " has more than " + (StoredOverride.MOST_BYTES >> 20) + " MB of client overrides", null);
    }
}
