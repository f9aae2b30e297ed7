package dev.sluice.store.operated;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Grant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Looks at the counters of a store and changes nothing there: no count, no share, no time to live. For people, who look
 * seldom; requests never come here. Safe for any threads.
 */
public interface LiveCounters extends AutoCloseable {

    /**
     * Some of the counters that there are.
     *
     * @param keys of them
     * @param next where to go on; empty at the end
     */
    record Found(List<CounterKey> keys, Optional<Place> next) {}

    /** A place among all counters, which means something to the store that has named it. */
    interface Place {

        /** Where all counters begin. */
        Place FIRST = new Place() {};
    }

    /** The clock of the store, in milliseconds since 1970. */
    CompletionStage<Long> nowMillis();

    /** One step through all counters. One may be met twice, and one that is born meanwhile be missed. */
    CompletionStage<Found> scan(Place from);

    /**
     * What each counter holds, as an exchange would answer that asks for nothing: in {@link Grant#elsewhere()} what all
     * instances hold.
     *
     * @param withHeld whether to look for what is held, which may take a look at every instance; otherwise it may be left
     *     out
     */
    CompletionStage<List<Grant>> look(List<LiveCounter> counters, long nowMillis, boolean withHeld);

    @Override
    void close();
}
