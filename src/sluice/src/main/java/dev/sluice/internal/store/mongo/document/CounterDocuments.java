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
 * Reads and writes many counter documents at once. Writes a document only if nobody has changed it since it was read.
 */
public final class CounterDocuments {

    /** The name of the collection. */
    public static final String NAME = "sluice.counters";

    /** The id of the document that says since when there are data, and in which form. */
    static final String BIRTH = "!birth";

    /** Each live instance has a document; only their ids begin so. */
    private static final String ALIVE = "!alive:";

    private static final String AFTER_ALIVE = "!alive;";

    private static final String SINCE = "since";
    /** Nothing reads it yet: it tells a later version, which may store another form, what it finds. */
    private static final String FORMAT = "format";

    private static final int OUR_FORMAT = 1;
    private static final WantedIndex EXPIRY = new WantedIndex(CounterDocument.EXPIRE, Duration.ZERO);
    private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
    private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);

    private final MongoCollection<Document> documents;

    CounterDocuments(MongoDatabase database) {
        this.documents = database.getCollection(NAME);
    }

    /** A document to write, and the version it replaces. */
    record Write(Document document, @Nullable Object versionFound) {

        String id() {
            return document.getString(CounterDocument.ID);
        }

        private ReplaceOneModel<Document> model() {
            Document unchanged = new Document(CounterDocument.ID, id()).append(CounterDocument.VERSION, versionFound);
            // If another instance was first, nothing matches, and inserting fails because the id exists.
            return new ReplaceOneModel<>(unchanged, document, UPSERT);
        }
    }

    /** The existing documents with these ids. */
    Map<String, Document> read(Collection<String> ids) {
        Map<String, Document> found = new HashMap<>();
        // By default, the server answers with 101 documents first, and the rest needs another round trip.
        documents
                .find(Filters.in(CounterDocument.ID, ids))
                .batchSize(ids.size() + 1)
                .forEach(one -> found.put(DocumentFields.text(one, CounterDocument.ID), one));
        return found;
    }

    /**
     * Writes all in one round trip, independently of each other. Returns the ids of documents that another instance has
     * changed.
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

    /** Creates the index that expires documents, and stores since when there are data. Returns that time. */
    long prepare(MongoAddress address, long nowMillis) {
        EXPIRY.make(documents, address);
        documents.updateOne(
                Filters.eq(CounterDocument.ID, BIRTH),
                Updates.combine(Updates.setOnInsert(SINCE, nowMillis), Updates.set(FORMAT, OUR_FORMAT)),
                new UpdateOptions().upsert(true));
        return nowMillis;
    }

    /** Notes whether the sender of a batch lives or leaves. Returns the live instances if the sender lives. */
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
                        Filters.gt(CounterDocument.EXPIRE, Instant.ofEpochMilli(nowMillis))))
                .forEach(one -> alive.add(DocumentFields.text(one, CounterDocument.ID)));
        return new Fleet(alive.size(), List.copyOf(alive).indexOf(own));
    }

    static long birthMillis(Document birth) {
        return DocumentFields.number(birth, SINCE);
    }
}
