package dev.sluice.store.operated;

import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Limits of single clients that are kept in a store, for all instances that count there. All stages fail with a {@link
 * dev.sluice.exchange.StoreException} alone. Safe for any threads.
 */
public interface KeptLimits extends ClientOverrideSource {

    /** All limits that hold at this moment, with what is told of them. */
    CompletionStage<List<KeptLimit>> all();

    /** The version of the limits that hold at this moment, which instances that follow them have taken over. */
    CompletionStage<String> version();

    /** Sets a limit, for all instances on this store; it is not checked here. */
    CompletionStage<Boolean> set(ClientOverride limit, KeptLimit.Note note);

    /** Removes a limit; whether there was one. */
    CompletionStage<Boolean> unset(ClientOverride limit);

    /** Waits, in the background, for a connection; fails if none can be made. */
    CompletionStage<Boolean> connected();
}
