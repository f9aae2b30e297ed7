package dev.sluice.benchmarks.fleet.rig;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Collection;

/**
 * What instances have asked of a MongoDB.
 *
 * @param commands on documents of counters
 * @param newsQuestions questions for news of other instances
 * @param pushes commands that write counters
 * @param documents of counters that were written
 * @param conflicts documents of counters that another instance wrote first
 */
public record MongoUse(long commands, long newsQuestions, long pushes, long documents, long conflicts) {

    static final MongoUse NONE = new MongoUse(0, 0, 0, 0, 0);

    private static final String COUNTERS = "sluice.counters";
    private static final String NEWS = "sluice.news";

    /** With one more command. */
    MongoUse with(String command, Document query, Document answer) {
        Object collection = command.equals("getMore") ? query.get("collection") : query.get(command);
        if (NEWS.equals(collection)) {
            boolean asks = command.equals("find") || command.equals("getMore");
            return new MongoUse(commands, newsQuestions + (asks ? 1 : 0), pushes, documents, conflicts);
        }
        if (!COUNTERS.equals(collection)) {
            return this;
        }
        if (!command.equals("update")) {
            return new MongoUse(commands + 1, newsQuestions, pushes, documents, conflicts);
        }
        int written = ((Number) answer.get("n")).intValue();
        int refused = ((Collection<?>) query.get("updates")).size() - written;
        return new MongoUse(commands + 1, newsQuestions, pushes + 1, documents + written, conflicts + refused);
    }
}
