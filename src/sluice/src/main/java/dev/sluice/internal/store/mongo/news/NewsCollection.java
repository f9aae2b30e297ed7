package dev.sluice.internal.store.mongo.news;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import dev.sluice.internal.store.mongo.connection.IndexedCollection;
import dev.sluice.internal.store.mongo.connection.MongoLink;
import dev.sluice.internal.store.mongo.connection.WantedIndex;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

/**
 * The collection of news, with the index that expires old documents. Queries filter only by time, so they use this
 * index as well.
 */
final class NewsCollection {

    private static final String NAME = "sluice.news";

    /**
     * The overlap between one read and the next. It is necessary because documents can become visible in a different
     * order than their times suggest.
     */
    private static final long LATE_MILLIS = 50;
    /** How far back the first read starts. */
    private static final long BEFORE_MILLIS = 1_000;

    private final IndexedCollection collection;
    /** The time from which the next read starts. Accessed by only one thread at a time. */
    private volatile long sinceMillis = Long.MAX_VALUE;

    NewsCollection(MongoLink link) {
        this.collection = new IndexedCollection(link, NAME, new WantedIndex(NewsDocument.AT, Duration.ofSeconds(10)));
    }

    MongoCollection<Document> in(MongoDatabase database) {
        return collection.in(database);
    }

    /** The documents that have been stored since the last read, including some that were already read. */
    List<Document> latest(MongoDatabase database, long nowMillis) {
        sinceMillis = sinceMillis == Long.MAX_VALUE ? nowMillis - BEFORE_MILLIS : Math.min(sinceMillis, nowMillis);
        List<Document> found = in(database)
                .find(Filters.gt(NewsDocument.AT, Instant.ofEpochMilli(sinceMillis)))
                .into(new ArrayList<>());
        read(found);
        return found;
    }

    /** Records that the given documents have been read. */
    void read(List<Document> news) {
        for (Document one : news) {
            sinceMillis = Math.max(sinceMillis, NewsDocument.atMillis(one) - LATE_MILLIS);
        }
    }
}
