package dev.sluice.internal.store.mongo.news;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import dev.sluice.cell.ExchangeNews.Told;
import dev.sluice.internal.store.mongo.connection.MongoLink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.types.ObjectId;

/**
 * Writes news for other instances, and removes it later. Only one write is in flight at a time. News published in the
 * meantime becomes part of the next write. Thread-safe.
 */
final class NewsWriter {

    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);
    /** How long news remains stored. This must be longer than the longest pause between polls. */
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final MongoLink link;
    private final NewsCollection collection;
    private final Map<String, List<Told>> pending = new LinkedHashMap<>();
    /** The written documents, oldest first. */
    private final Deque<Written> written = new ArrayDeque<>();

    private boolean inFlight;

    /** A document to remove later. */
    private record Written(Object id, long nanos) {}

    NewsWriter(MongoLink link, NewsCollection collection) {
        this.link = link;
        this.collection = collection;
    }

    /** Sends news soon, without blocking the caller. */
    void publish(String sender, Collection<Told> news) {
        synchronized (this) {
            pending.computeIfAbsent(sender, any -> new ArrayList<>()).addAll(news);
            if (inFlight) {
                return;
            }
            inFlight = true;
        }
        writePending();
    }

    private void writePending() {
        var unused = link.use(database -> {
                    // Lost news is harmless, so do not wait for a majority of members.
                    write(collection.in(database).withWriteConcern(WriteConcern.W1));
                    return true;
                })
                .whenComplete((done, failure) -> goOn(failure != null));
    }

    private void goOn(boolean failed) {
        synchronized (this) {
            if (failed) {
                pending.clear(); // the news would be stale by the time of the next write
            }
            if (pending.isEmpty()) {
                inFlight = false;
                return;
            }
        }
        writePending();
    }

    private void write(MongoCollection<Document> documents) {
        for (Document news : takePending()) {
            ObjectId id = new ObjectId();
            var unused = documents.updateOne(Filters.eq(NewsDocument.ID, id), inserting(news), UPSERT);
            List<Object> old = takeOld(id, System.nanoTime());
            if (!old.isEmpty()) {
                var unusedResult = documents.deleteMany(Filters.in(NewsDocument.ID, old));
            }
        }
    }

    /**
     * An update that inserts the news. An ordinary insert would not work, because only updates can set the server's
     * time. If the senders set the times themselves, readers would miss news from senders whose clocks are slow.
     */
    private static Document inserting(Document news) {
        return new Document("$setOnInsert", news).append("$currentDate", new Document(NewsDocument.AT, true));
    }

    private synchronized List<Document> takePending() {
        List<Document> taken = new ArrayList<>();
        pending.forEach((sender, news) -> taken.add(NewsDocument.of(sender, news)));
        pending.clear();
        return taken;
    }

    /**
     * Once there are enough old documents to delete several at a time, removes their ids from the queue and returns
     * them. The index would also remove the documents, but later, and not on every MongoDB-compatible server.
     */
    private synchronized List<Object> takeOld(Object latest, long nowNanos) {
        written.add(new Written(latest, nowNanos));
        List<Object> old = new ArrayList<>();
        Written oldest = written.peek();
        boolean isTime = oldest != null && nowNanos - oldest.nanos >= 2 * KEPT_NANOS;
        while (isTime && oldest != null && nowNanos - oldest.nanos >= KEPT_NANOS) {
            old.add(oldest.id);
            written.remove();
            oldest = written.peek();
        }
        return old;
    }
}
