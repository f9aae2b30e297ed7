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
 * A change stream through which the server pushes news. Replica sets and routers support change streams, but standalone
 * servers do not. Thread-safe: only one thread at a time uses the cursor.
 */
final class NewsStream {

    private static final List<Bson> INSERTED = List.of(Aggregates.match(Filters.eq("operationType", "insert")));

    private final Duration wait;
    private @Nullable MongoChangeStreamCursor<ChangeStreamDocument<Document>> cursor;
    private boolean ended;

    /**
     * Creates a stream without opening it.
     *
     * @param wait how long the server waits for news before it replies
     */
    NewsStream(Duration wait) {
        this.wait = wait;
    }

    /** Opens the stream. Returns whether the server pushes news. */
    synchronized boolean open(MongoCollection<Document> news) {
        if (ended) {
            return false;
        }
        try {
            cursor = news.withReadConcern(ReadConcern.MAJORITY) // change streams require this read concern
                    .watch(INSERTED)
                    .maxAwaitTime(wait.toMillis(), TimeUnit.MILLISECONDS)
                    .cursor();
        } catch (MongoCommandException e) {
            return false; // the deployment has no change streams, or the user is not allowed to open them
        }
        return isOpen();
    }

    /**
     * Waits for news, but only for a limited time. The result is empty if no news has arrived. More news can arrive as
     * long as the stream {@link #isOpen is open}.
     */
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

    /** Closes the stream permanently. */
    synchronized void close() {
        MongoChangeStreamCursor<ChangeStreamDocument<Document>> open = cursor;
        cursor = null;
        ended = true;
        if (open != null) {
            open.close();
        }
    }
}
