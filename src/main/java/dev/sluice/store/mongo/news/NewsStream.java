package dev.sluice.store.mongo.news;

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
 * News as the server pushes them: a change stream, which members of a replica set and routers have and a single server
 * has not. Safe for many threads, which take turns.
 */
final class NewsStream {

    private static final List<Bson> INSERTED = List.of(Aggregates.match(Filters.eq("operationType", "insert")));

    private final Duration wait;
    private @Nullable MongoChangeStreamCursor<ChangeStreamDocument<Document>> cursor;
    private boolean ended;

    /**
     * Does nothing yet.
     *
     * @param wait how long the server waits for news before it answers that there are none
     */
    NewsStream(Duration wait) {
        this.wait = wait;
    }

    /** Begins to listen; whether the server pushes. */
    synchronized boolean open(MongoCollection<Document> news) {
        if (ended) {
            return false;
        }
        try {
            cursor = news.withReadConcern(ReadConcern.MAJORITY) // the only one that it takes
                    .watch(INSERTED)
                    .maxAwaitTime(wait.toMillis(), TimeUnit.MILLISECONDS)
                    .cursor();
        } catch (MongoCommandException e) {
            return false; // it knows the question not, not here, or not from this user
        }
        return isOpen();
    }

    /** Waits for news, for a limited time; none if there are none. {@link #isOpen} tells whether more may come. */
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

    /** Listens no more, and never again. */
    synchronized void close() {
        MongoChangeStreamCursor<ChangeStreamDocument<Document>> open = cursor;
        cursor = null;
        ended = true;
        if (open != null) {
            open.close();
        }
    }
}
