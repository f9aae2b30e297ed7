package dev.sluice.internal.store.mongo.news;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * News that the server pushes through a change stream. Replica sets and routers have change streams, but a single
 * server does not. Thread-safe; only one thread at a time uses the cursor.
 */
final class NewsStream {

    private static final List<Bson> INSERTED = List.of(Aggregates.match(Filters.eq("operationType", "insert")));

    private final Duration wait;
    private @Nullable MongoChangeStreamCursor<ChangeStreamDocument<Document>> cursor;
    private boolean ended;

    /**
     * Creates a stream without opening it.
     *
     * @param wait how long the server waits for news before it answers
     */
    NewsStream(Duration wait) {
        this.wait = wait;
    }

    /** Opens the stream; returns whether the server pushes. */
    synchronized boolean open(MongoCollection<Document> news) {
        if (ended) {
            return false;
        }
        try {
            cursor = news.withReadConcern(ReadConcern.MAJORITY) // change streams require it
                    .watch(INSERTED)
                    .maxAwaitTime(wait.toMillis(), TimeUnit.MILLISECONDS)
                    .cursor();
        } catch (MongoCommandException e) {
            return false; // the deployment does not support streams, or the user may not open one
        }
        return isOpen();
    }

    /** Waits for news for a limited time, and may return none. {@link #isOpen} says whether more may come. */
    synchronized List<Document> await() {
        List<Document> news = new ArrayList<>();
        MongoChangeStreamCursor<ChangeStreamDocument<Document>> open = cursor;
        if (open == null) {
            return news;
        }
        try {
            for (var event = open.tryNext(); event != null; event = open.available() > 0 ? open.tryNext() : null) {
                Document inserted = event.getFullDocument();
                if (inserted != null) {
                    news.add(inserted);
                }
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        return news;
    }

    synchronized boolean isOpen() {
        return cursor != null && cursor.getServerCursor() != null;
    }

    /** Closes the stream for good. */
    synchronized void close() {
        MongoChangeStreamCursor<ChangeStreamDocument<Document>> open = cursor;
        cursor = null;
        ended = true;
        if (open != null) {
            open.close();
        }
    }
}
