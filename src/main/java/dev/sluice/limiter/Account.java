package dev.sluice.limiter;

import dev.sluice.Batch.Claim;
import dev.sluice.Batch.Grant;
import dev.sluice.CounterKey;

/** Whoever has claimed something, and waits for the store's answer. */
sealed interface Account permits Share, Look {

    CounterKey key();

    /** The store has applied what was claimed. */
    void apply(Claim claim, Grant grant, long nowMillis);
}
