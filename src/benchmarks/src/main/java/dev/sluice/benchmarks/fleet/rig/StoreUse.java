package dev.sluice.benchmarks.fleet.rig;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Collection;

/**
 * The number of requests that instances have sent to their store so far.
 *
 * @param roundTrips the number of round trips for exchanges
 * @param newsQuestions the number of polls for news from other instances; 0 if the store pushes news
 * @param pushes the number of round trips that write counters
 * @param documents the number of counter documents that were written; 0 if the store has no documents
 * @param conflicts the number of counter documents that another instance had changed first
 */
public record StoreUse(long roundTrips, long newsQuestions, long pushes, long documents, long conflicts) {

    static final StoreUse NONE = new StoreUse(0, 0, 0, 0, 0);

    private static final String COUNTERS = "sluice.counters";
    private static final String NEWS = "sluice.news";

    public StoreUse since(StoreUse before) {
        return new StoreUse(
                roundTrips - before.roundTrips,
                newsQuestions - before.newsQuestions,
                pushes - before.pushes,
                documents - before.documents,
                conflicts - before.conflicts);
    }

    /** Returns these numbers with another MongoDB command added. */
    StoreUse with(String command, Document query, Document answer) {
        Object collection = command.equals("getMore") ? query.get("collection") : query.get(command);
        if (NEWS.equals(collection)) {
            boolean asks = command.equals("find") || command.equals("getMore");
            return new StoreUse(roundTrips, newsQuestions + (asks ? 1 : 0), pushes, documents, conflicts);
        }
        if (!COUNTERS.equals(collection)) {
            return this;
        }
        if (!command.equals("update")) {
            return new StoreUse(roundTrips + 1, newsQuestions, pushes, documents, conflicts);
        }
        int written = ((Number) answer.get("n")).intValue();
        int refused = ((Collection<?>) query.get("updates")).size() - written;
        return new StoreUse(roundTrips + 1, newsQuestions, pushes + 1, documents + written, conflicts + refused);
    }
}
