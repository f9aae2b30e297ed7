package dev.sluice.internal.store.mongo.connection;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.bson.Document;

/** A collection with an index, which is created before the first use of the collection. Thread-safe. */
public final class IndexedCollection {

    private final MongoLink link;
    private final String name;
    private final WantedIndex index;
    private final AtomicBoolean prepared = new AtomicBoolean();

    public IndexedCollection(MongoLink link, String name, WantedIndex index) {
        this.link = link;
        this.name = name;
        this.index = index;
    }

    /** Runs work on the collection, under the same rules as {@link MongoLink#use}. */
    public <T> CompletableFuture<T> use(Function<MongoCollection<Document>, T> work) {
        return link.use((MongoDatabase database) -> work.apply(in(database)));
    }

    /** The collection in its database. */
    public MongoCollection<Document> in(MongoDatabase database) {
        MongoCollection<Document> documents = database.getCollection(name);
        // Creating an index that exists does nothing, so two threads may do this at the same time.
        if (!prepared.get()) {
            index.make(documents, link.address());
            prepared.set(true);
        }
        return documents;
    }
}
