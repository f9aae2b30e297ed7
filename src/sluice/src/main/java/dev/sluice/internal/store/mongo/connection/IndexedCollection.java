package dev.sluice.internal.store.mongo.connection;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.bson.Document;

/** A collection with an index. Creates the index before the first use of the collection. Thread-safe. */
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

    /** Runs work on the collection. The rules of {@link MongoLink#use} apply. */
    public <T> CompletableFuture<T> use(Function<MongoCollection<Document>, T> work) {
        return link.use((MongoDatabase database) -> work.apply(in(database)));
    }

    /** The collection in the given database, with its index. */
    public MongoCollection<Document> in(MongoDatabase database) {
        MongoCollection<Document> documents = database.getCollection(name);
        // Creating an existing index has no effect, so two threads can safely do this at the same time.
        if (!prepared.get()) {
            index.make(documents, link.address());
            prepared.set(true);
        }
        return documents;
    }
}
