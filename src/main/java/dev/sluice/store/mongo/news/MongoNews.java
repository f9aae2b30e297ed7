package dev.sluice.store.mongo.news;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.store.mongo.link.Figures;
import dev.sluice.store.mongo.link.MongoLink;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Tells instances what exchanges of others mean for them, by documents that are read again and again: often while this
 * instance holds permits or calls of it wait, and hardly ever otherwise. That needs nothing of MongoDB but a collection,
 * so it works with every way to run one. News may get lost. Safe for many threads.
 */
public final class MongoNews implements AutoCloseable {

    private static final String NAME = "sluice.news";
    private static final String ID = "_id";
    private static final long LIFE_SECONDS = 10;

    private static final Duration OFTEN = Duration.ofMillis(10);
    private static final Duration SELDOM = Duration.ofMillis(500);
    private static final Duration AFTER_TROUBLE = Duration.ofSeconds(1);
    /** So long after an exchange that left permits or waiting calls here, others may want something. */
    private static final Duration BUSY = Duration.ofSeconds(2);
    /** So much older than the newest ones known, news are still read: they are written when their time has passed. */
    private static final long LATE_MILLIS = 200;

    private final MongoLink link;
    private final Figures figures;
    private final Map<String, Consumer<News>> listeners = new ConcurrentHashMap<>();
    private final AtomicBoolean prepared = new AtomicBoolean();
    private volatile long busyUntilNanos = System.nanoTime();
    private volatile boolean closed;
    private @Nullable Thread reader; // guarded by this
    /** What was read of late, with its time; the reader's alone. */
    private final Map<Object, Long> known = new LinkedHashMap<>();

    private volatile long sinceMillis;

    /** Closes the link with itself. */
    public MongoNews(MongoLink link, Figures figures) {
        this.link = link;
        this.figures = figures;
    }

    /** Has this listener told of the exchanges of other instances. */
    public synchronized void subscribe(String instance, Consumer<News> listener) {
        listeners.put(instance, listener);
        if (reader == null && !closed) {
            Thread thread = new Thread(this::read, "sluice-mongo-news");
            thread.setDaemon(true);
            thread.start();
            reader = thread;
        }
    }

    public void unsubscribe(String instance) {
        listeners.remove(instance);
    }

    /** An exchange of this instance was answered: now others may want what it holds, or have what its calls wait for. */
    public void exchanged(Batch batch, Batch.Reply reply) {
        for (int i = 0; i < reply.grants().size(); i++) {
            Claim claim = batch.claims().get(i);
            if (claim.held() + reply.grants().get(i).granted() + claim.needed().all() > 0) {
                boolean wasBusy = isBusy();
                busyUntilNanos = System.nanoTime() + BUSY.toNanos();
                if (!wasBusy) {
                    wake();
                }
                return;
            }
        }
    }

    private boolean isBusy() {
        return busyUntilNanos - System.nanoTime() > 0;
    }

    private synchronized void wake() {
        LockSupport.unpark(reader);
    }

    /** Tells the others. Waits for nothing; whether they can be told changes nothing of what was counted. */
    public void tell(String sender, Collection<News> news) {
        if (!news.isEmpty()) {
            var unused = link.use((MongoDatabase database) -> {
                collection(database)
                        .withWriteConcern(WriteConcern.W1)
                        .insertOne(NewsDocument.of(sender, news, link.nowMillis()));
                return true;
            });
        }
    }

    private MongoCollection<Document> collection(MongoDatabase database) {
        MongoCollection<Document> news = database.getCollection(NAME);
        if (!prepared.get()) {
            news.createIndex(
                    Indexes.ascending(NewsDocument.AT), new IndexOptions().expireAfter(LIFE_SECONDS, TimeUnit.SECONDS));
            prepared.set(true);
        }
        return news;
    }

    private void read() {
        while (!closed) {
            Duration pause = isBusy() ? OFTEN : SELDOM;
            try {
                link.use(this::latest).join().forEach(this::hear);
            } catch (CompletionException e) {
                pause = AFTER_TROUBLE;
            }
            LockSupport.parkNanos(pause.toNanos());
        }
    }

    private List<Document> latest(MongoDatabase database) {
        figures.newsQuestion();
        long now = link.nowMillis();
        sinceMillis = sinceMillis == 0 ? now - LATE_MILLIS : sinceMillis;
        List<Document> found = collection(database)
                .find(Filters.gt(NewsDocument.AT, Instant.ofEpochMilli(sinceMillis)))
                .into(new ArrayList<>());
        sinceMillis = Math.max(sinceMillis, now - LATE_MILLIS);
        return found;
    }

    private void hear(Document found) {
        long now = System.nanoTime();
        known.values().removeIf(nanos -> now - nanos > TimeUnit.SECONDS.toNanos(LIFE_SECONDS));
        if (known.put(String.valueOf(found.get(ID)), now) == null) {
            List<News> news = NewsDocument.news(found);
            String sender = NewsDocument.sender(found);
            listeners.forEach((instance, listener) -> {
                if (!instance.equals(sender)) {
                    news.forEach(listener);
                }
            });
        }
    }

    @Override
    public void close() {
        closed = true;
        listeners.clear();
        wake();
        link.close();
    }
}
