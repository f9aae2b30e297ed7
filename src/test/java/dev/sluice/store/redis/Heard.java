package dev.sluice.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.claimOf;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.unique;

import dev.sluice.CounterKey;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.exchange.StoreException;
import dev.sluice.store.Exchanges;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** What an instance hears of the exchanges of others. */
public final class Heard {

    private final Queue<News> news = new ConcurrentLinkedQueue<>();

    private Heard() {}

    /** Begins to listen, and waits until news arrive. */
    public static Heard by(String instance, CounterStore store) {
        Heard heard = quietly(instance, store);
        heard.awaitLatest(store);
        heard.news.clear();
        return heard;
    }

    /** Begins to listen. */
    static Heard quietly(String instance, CounterStore store) {
        Heard heard = new Heard();
        store.subscribe(instance, heard.news::add);
        return heard;
    }

    /** Waits until news of an exchange that this store makes now have arrived, and so those of all before. */
    public void awaitLatest(CounterStore store) {
        long deadline = deadline();
        CounterKey any = key(unique(), "any", 0, System.currentTimeMillis() + 60_000);
        while (!has(News.Kind.RECALLED, any)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("no news arrive");
            }
            try {
                recall(any, store);
            } catch (StoreException e) {
                // The store is away for a while.
            }
            Exchanges.pause(5);
        }
    }

    private static void recall(CounterKey any, CounterStore store) {
        exchange(store, batch(unique(), 1, claimOf(any, 1).needing(1)));
        exchange(store, batch(unique(), 1, claimOf(any, 1).needing(1)));
    }

    public boolean has(News.Kind kind, CounterKey key) {
        return news.stream().anyMatch(one -> one.kind() == kind && one.keys().contains(key.text()));
    }

    public void await(News.Kind kind, CounterKey key) {
        await(() -> has(kind, key), kind + " of " + key.text() + " is not heard, but " + news);
    }

    private static void await(BooleanSupplier condition, String otherwise) {
        long deadline = deadline();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(otherwise);
            }
            Exchanges.pause(1);
        }
    }

    private static long deadline() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    }
}
