package dev.sluice.internal.store.mongo.news;

import dev.sluice.cell.ExchangeNews.Told;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.internal.store.mongo.connection.MongoLink;
import dev.sluice.internal.thread.BackgroundThreads;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.bson.Document;

/**
 * Exchanges news between instances through documents. Servers with an oplog push news, and all other servers are
 * polled, so every MongoDB deployment is supported. Lost news is harmless, because news only affects speed.
 * Thread-safe.
 */
public final class MongoNews implements AutoCloseable {

    private final MongoLink link;
    private final Map<String, Consumer<News>> listeners = new ConcurrentHashMap<>();
    private final PollBackoff backoff = new PollBackoff(System.nanoTime());
    private final NewsWriter writer;
    private final NewsReader reader;
    private boolean isReading; // guarded by this
    private boolean closed; // guarded by this

    /** Creates an object that uses the given link. {@link #close} also closes the link. */
    public MongoNews(MongoLink link) {
        NewsCollection collection = new NewsCollection(link);
        this.link = link;
        this.writer = new NewsWriter(link, collection);
        this.reader = new NewsReader(link, collection, backoff, this::receive);
    }

    /** Subscribes to news from other instances. */
    public synchronized void subscribe(String instance, Consumer<News> listener) {
        listeners.put(instance, listener);
        if (!isReading && !closed) {
            isReading = true;
            BackgroundThreads.create("sluice-mongo-news", reader).start();
        }
    }

    public void unsubscribe(String instance) {
        listeners.remove(instance);
    }

    /**
     * Reports a completed exchange. After the exchange, news is more likely if this instance holds permits that other
     * instances could need, or if its calls are waiting for permits that other instances could return.
     */
    public void exchanged(Batch batch, Batch.Reply reply) {
        boolean holds = false;
        for (int i = 0; i < reply.grants().size(); i++) {
            Statement statement = batch.statements().get(i);
            Grant grant = reply.grants().get(i);
            if (grant.needsRecall(statement)) {
                backoff.expects(System.nanoTime());
                reader.wake();
                return;
            }
            holds |= statement.held() + grant.granted() > 0;
        }
        if (holds && backoff.holds(System.nanoTime())) {
            reader.wake();
        }
    }

    /** Sends news without waiting for a confirmation. Counting does not depend on whether the news arrives. */
    public void publish(String sender, Collection<Told> news) {
        if (!news.isEmpty()) {
            writer.publish(sender, news);
        }
    }

    private void receive(Document found) {
        List<Told> news = NewsDocument.news(found);
        String sender = NewsDocument.sender(found);
        listeners.forEach((instance, listener) -> news.stream()
                .filter(told -> told.concerns(instance, sender))
                .forEach(told -> listener.accept(told.news())));
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        listeners.clear();
        reader.close();
        link.close();
    }
}
