package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.exchange.StoreException;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The news that an instance receives. */
public final class Heard {

    private static final int LOOKS_FOR_EACH_EXCHANGE = 10;

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
    public static Heard quietly(String instance, CounterStore store) {
        Heard heard = new Heard();
        store.subscribe(instance, heard.news::add);
        return heard;
    }

    /**
     * Waits until news of an exchange that this store makes now have arrived, and so those of all before. It makes
     * another now and then, since it may not have listened yet.
     */
    public void awaitLatest(CounterStore store) {
        Set<String> asked = new HashSet<>();
        int[] looks = {0};
        Eventually.await("news", () -> {
            if (hasFreedAnyOf(asked)) {
                return true;
            }
            if (looks[0]++ % LOOKS_FOR_EACH_EXCHANGE == 0) {
                CounterKey any = key(unique(), "any", 0, System.currentTimeMillis() + 60_000);
                asked.add(any.text());
                free(any, store);
            }
            return false;
        });
    }

    private boolean hasFreedAnyOf(Set<String> counters) {
        return news.stream()
                .anyMatch(one ->
                        one.kind() == News.Kind.FREED && one.keys().stream().anyMatch(counters::contains));
    }

    /** All instances hear of it. */
    private static void free(CounterKey any, CounterStore store) {
        try {
            String sender = unique();
            exchange(store, batch(sender, 1, statementOf(any, 1).used(1)));
            exchange(store, batch(sender, 2, statementOf(any, 1).used(-1)));
        } catch (StoreException e) {
            // The store is unavailable for a while.
        }
    }

    public boolean has(News.Kind kind, CounterKey key) {
        return news.stream().anyMatch(one -> one.kind() == kind && one.keys().contains(key.text()));
    }

    public void await(News.Kind kind, CounterKey key) {
        Eventually.await(() -> kind + " of " + key.text() + ", heard was " + news, () -> has(kind, key));
    }
}
