package dev.sluice.internal.store.mongo.connection;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.bson.Document;

/** A collection that has an index. The index is created before the collection is first used. Thread-safe. */
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

    /** Runs work on the collection. The requirements of {@link MongoLink#use} apply. */
    public <T> CompletableFuture<T> use(Function<MongoCollection<Document>, T> work) {
        return link.use((MongoDatabase database) -> work.apply(in(database)));
    }

    /** Returns the collection in the given database and ensures that its index exists. */
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
