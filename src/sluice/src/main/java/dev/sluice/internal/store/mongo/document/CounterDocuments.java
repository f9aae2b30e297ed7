package dev.sluice.internal.store.mongo.document;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.exchange.Batch.Presence;
import dev.sluice.internal.store.mongo.connection.MongoAddress;
import dev.sluice.internal.store.mongo.connection.MongoFailure;
import dev.sluice.internal.store.mongo.connection.WantedIndex;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes several counter documents together. Writes a document only if it has not changed since it was read.
 * The server checks this atomically with the write.
 */
public final class CounterDocuments {

    /** The name of the collection. */
    public static final String NAME = "sluice.counters";

    /**
     * The id of the document that records when the collection received its first data, and in which format the data is
     * stored. The time shows whether the collection has been emptied.
     */
    static final String BIRTH = "!birth";

    /**
     * The prefix of the ids of live instances. Each live instance has one document. No other id starts with this
     * prefix.
     */
    private static final String ALIVE = "!alive:";

    /** The first id after all the ids with the prefix {@link #ALIVE}, because a semicolon follows a colon in ASCII. */
    private static final String AFTER_ALIVE = "!alive;";

    private static final String SINCE = "since";
    /** The field with the data format, for future versions of Sluice. No code reads this field yet. */
    private static final String FORMAT = "format";

    private static final int OUR_FORMAT = 1;
    /**
     * MongoDB removes each document at the time stored in the document. Queries only use ids, so no other index is
     * needed.
     */
    private static final WantedIndex EXPIRY = new WantedIndex(CounterDocument.EXPIRE, Duration.ZERO);
    /** The writes are unordered, because the server stops an ordered bulk write at the first conflict. */
    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

    private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);

    private final MongoCollection<Document> documents;

    CounterDocuments(MongoDatabase database) {
        this.documents = database.getCollection(NAME);
    }

    /** A document to write, and the version that it replaces. */
    record Write(Document document, @Nullable Object versionFound) {

        String id() {
            return document.getString(CounterDocument.ID);
        }

        private ReplaceOneModel<Document> model() {
            Document unchanged = new Document(CounterDocument.ID, id()).append(CounterDocument.VERSION, versionFound);
            // The filter contains the id and the version, so the server replaces the document only if it is unchanged.
            // If another instance has changed the document in the meantime, the filter does not match. The upsert then
            // tries to insert the document, and fails because its id already exists. A duplicate key therefore
            // indicates a conflict, and means that nothing was written. If the document has expired since it was read,
            // the upsert inserts it. This is correct, because the new document is complete.
            return new ReplaceOneModel<>(unchanged, document, UPSERT);
        }
    }

    /** The existing documents with the given ids. */
    Map<String, Document> read(Collection<String> ids) {
        Map<String, Document> found = new HashMap<>();
        // By default, the server's first reply contains at most 101 documents, and reading the others would take
        // another round trip.
        documents
                .find(Filters.in(CounterDocument.ID, ids))
                .batchSize(ids.size() + 1)
                .forEach(one -> found.put(DocumentFields.text(one, CounterDocument.ID), one));
        return found;
    }

    /**
     * Writes all documents in one round trip. Each write succeeds or fails independently. Returns the ids of the
     * documents that other instances have changed. If this method throws an exception, each of the writes might or
     * might not have been applied.
     */
    Set<String> write(List<Write> writes) {
        Set<String> conflicts = new HashSet<>();
        try {
            documents.bulkWrite(writes.stream().map(Write::model).toList(), UNORDERED);
        } catch (MongoBulkWriteException e) {
            if (!MongoFailure.areConflicts(e)) {
                throw e;
            }
            e.getWriteErrors()
                    .forEach(error -> conflicts.add(writes.get(error.getIndex()).id()));
        }
        return conflicts;
    }

    /**
     * Creates the index that expires documents, and records the current time as the time of the first data, unless such
     * a time is already recorded. Returns the recorded time. If two instances do this concurrently, the time recorded
     * first remains, because it is only set on insert.
     */
    long prepare(MongoAddress address, long nowMillis) {
        EXPIRY.make(documents, address);
        documents.updateOne(
                Filters.eq(CounterDocument.ID, BIRTH),
                Updates.combine(Updates.setOnInsert(SINCE, nowMillis), Updates.set(FORMAT, OUR_FORMAT)),
                new UpdateOptions().upsert(true));
        return nowMillis;
    }

    /**
     * Records whether the sender of a batch is alive or shutting down. If the sender is alive, returns the number of
     * live instances and the sender's rank among them. The documents of live instances need no version, because each
     * instance writes only its own document.
     */
    @Nullable Fleet attend(Batch batch, long nowMillis) {
        String own = ALIVE + batch.instance();
        if (batch.presence() == Presence.LEAVING) {
            documents.deleteOne(Filters.eq(CounterDocument.ID, own));
        }
        if (batch.presence() != Presence.ALIVE) {
            return null;
        }
        Instant end = Instant.ofEpochMilli(nowMillis).plus(Fleet.LIFE);
        documents.updateOne(
                Filters.eq(CounterDocument.ID, own),
                Updates.set(CounterDocument.EXPIRE, end),
                new UpdateOptions().upsert(true));
        Set<String> alive = new TreeSet<>(Set.of(own));
        documents
                .find(Filters.and(
                        Filters.gt(CounterDocument.ID, ALIVE),
                        Filters.lt(CounterDocument.ID, AFTER_ALIVE),
                        // MongoDB only removes expired documents about once a minute, so exclude them here.
                        Filters.gt(CounterDocument.EXPIRE, Instant.ofEpochMilli(nowMillis))))
                .forEach(one -> alive.add(DocumentFields.text(one, CounterDocument.ID)));
        // All instances sort the same ids, so each of them gets a different index.
        return new Fleet(alive.size(), List.copyOf(alive).indexOf(own));
    }

    static long birthMillis(Document birth) {
        return DocumentFields.number(birth, SINCE);
    }
}
