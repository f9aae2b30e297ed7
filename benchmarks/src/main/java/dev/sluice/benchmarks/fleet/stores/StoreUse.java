package dev.sluice.benchmarks.fleet.stores;

/**
 * What instances have asked of their store so far.
 *
 * @param roundTrips of exchanges
 * @param newsQuestions where news have to be asked for
 * @param pushes writes of exchanges, of which conflicts are told
 * @param documents that were written; 0 where the store has none
 * @param conflicts documents that others had written first
 */
record StoreUse(long roundTrips, long newsQuestions, long pushes, long documents, long conflicts) {

    StoreUse since(StoreUse before) {
        return new StoreUse(
                roundTrips - before.roundTrips,
                newsQuestions - before.newsQuestions,
                pushes - before.pushes,
                documents - before.documents,
                conflicts - before.conflicts);
    }
}
