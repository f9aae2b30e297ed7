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
 * The collection with the news, and the index that expires old documents. A query needs only the time, which the same
 * index serves.
 */
final class NewsCollection {

    private static final String NAME = "sluice.news";

    /**
     * How much of the time before the newest known document each read repeats. Documents may become visible in another
     * order than that of their times.
     */
    private static final long LATE_MILLIS = 50;
    /** How far the first read looks back. */
    private static final long BEFORE_MILLIS = 1_000;

    private final IndexedCollection collection;
    /** The time from which the next read starts. Only one thread reads at a time. */
    private volatile long sinceMillis = Long.MAX_VALUE;

    NewsCollection(MongoLink link) {
        this.collection = new IndexedCollection(link, NAME, new WantedIndex(NewsDocument.AT, Duration.ofSeconds(10)));
    }

    MongoCollection<Document> in(MongoDatabase database) {
        return collection.in(database);
    }

    /** The documents since the last read, with some that were read before. */
    List<Document> latest(MongoDatabase database, long nowMillis) {
        sinceMillis = sinceMillis == Long.MAX_VALUE ? nowMillis - BEFORE_MILLIS : Math.min(sinceMillis, nowMillis);
        List<Document> found = in(database)
                .find(Filters.gt(NewsDocument.AT, Instant.ofEpochMilli(sinceMillis)))
                .into(new ArrayList<>());
        read(found);
        return found;
    }

    /** Notes that these documents were read. */
    void read(List<Document> news) {
        for (Document one : news) {
            sinceMillis = Math.max(sinceMillis, NewsDocument.atMillis(one) - LATE_MILLIS);
        }
    }
}
