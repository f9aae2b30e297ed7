package dev.sluice.internal.store.mongo;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.mongo.admin.MongoBlockStore;
import dev.sluice.internal.store.mongo.admin.MongoCounters;
import dev.sluice.internal.store.mongo.admin.MongoInstances;
import dev.sluice.internal.store.mongo.admin.MongoOverrideStore;
import dev.sluice.internal.store.mongo.connection.MongoAddress;
import dev.sluice.internal.store.mongo.connection.MongoLink;
import dev.sluice.internal.store.mongo.document.MongoExchange;
import dev.sluice.internal.store.mongo.document.UnconfirmedWrites;
import dev.sluice.internal.store.mongo.document.WrittenBatches;
import dev.sluice.internal.store.mongo.news.MongoNews;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A store that counts in MongoDB. An exchange needs one query for all counters of a batch and one write for the changed
 * counters. If another instance has changed a counter in the meantime, the store repeats the read and the write for
 * that counter only. Batches are not transactional, so a failed exchange might have been applied partially. On a retry,
 * the counters to which the batch was already applied repeat their grants, and the other counters apply it. Stages
 * complete on the threads of {@link MongoLink}. Thread-safe.
 */
public final class MongoCounterStore implements CounterStore {

    private final MongoLink link;
    private final MongoNews news;
    private final WrittenBatches written;
    private final UnconfirmedWrites unconfirmed;
    private final AtomicBoolean prepared = new AtomicBoolean();

    private MongoCounterStore(MongoLink link, LongSupplier nanoClock) {
        this.link = link;
        this.news = new MongoNews(link.share());
        this.written = new WrittenBatches(nanoClock);
        this.unconfirmed = new UnconfirmedWrites(nanoClock);
    }

    /** Opens a store. Returns immediately; the store connects when the first exchange starts. */
    public static MongoCounterStore open(MongoAddress address) {
        return open(address, System::nanoTime);
    }

    /**
     * Opens a store with the given monotonic clock. The clock shows whether a record is so recent that MongoDB must
     * still have it.
     */
    static MongoCounterStore open(MongoAddress address, LongSupplier nanoClock) {
        return new MongoCounterStore(MongoLink.open(address), nanoClock);
    }

    /** Opens a store that uses the given link. Closing the store closes the link. */
    public static MongoCounterStore over(MongoLink link) {
        return new MongoCounterStore(link, System::nanoTime);
    }

    @Override
    public CompletionStage<Batch.Reply> exchange(Batch batch) {
        return link.use((database, deadlineNanos) -> {
            MongoExchange exchange = new MongoExchange(link, database, written, unconfirmed, batch);
            // Preparing the collection twice is harmless, so concurrent first exchanges need no lock.
            if (!prepared.get()) {
                exchange.prepare();
                prepared.set(true);
            }
            Batch.Reply reply = exchange.run(deadlineNanos);
            news.exchanged(batch, reply);
            // Publish news only after the write, so that the notified instances read the new state.
            news.publish(batch.instance(), exchange.news());
            return reply;
        });
    }

    @Override
    public void behindAnswers(Runnable task) {
        link.behindAnswers(task);
    }

    @Override
    public void subscribe(String instance, Consumer<News> listener) {
        news.subscribe(instance, listener);
    }

    @Override
    public void unsubscribe(String instance) {
        news.unsubscribe(instance);
    }

    /** The client overrides in the same MongoDB database. */
    public OverrideStore overrides() {
        return new MongoOverrideStore(link.share());
    }

    /** The blocked callers in the same MongoDB database. */
    public BlockStore blocks() {
        return new MongoBlockStore(link.share());
    }

    /** The instances that report to the same MongoDB database. */
    public Instances instances() {
        return new MongoInstances(link.share());
    }

    /** The counters in the same MongoDB database, for reading. */
    public MongoCounters counters() {
        return new MongoCounters(link.share());
    }

    @Override
    public void close() {
        news.close();
        link.close();
    }
}
