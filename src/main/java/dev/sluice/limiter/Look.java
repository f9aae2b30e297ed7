package dev.sluice.limiter;

import dev.sluice.Batch.Claim;
import dev.sluice.Batch.Grant;
import dev.sluice.CounterKey;

/** A look at a frame that is over, on behalf of the share of a later one. */
record Look(CounterKey key, long start, Share asking) implements Account {

    /** Takes nothing, and wants nothing. */
    Claim claim() {
        return new Claim(key, 0, 0, 0, asking.rule());
    }

    /** Whether nothing of the past is lacking any more, so that the share can claim. */
    boolean isLast() {
        return !asking.window.counter.lacksPastOf(asking.window);
    }

    @Override
    public void apply(Claim claim, Grant grant, long nowMillis) {
        asking.learnPast(start, grant.total(), nowMillis);
    }
}
