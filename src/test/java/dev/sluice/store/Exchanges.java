package dev.sluice.store;

import dev.sluice.Batch;
import dev.sluice.CounterKey;
import dev.sluice.CounterStore;
import dev.sluice.StoreException;
import dev.sluice.Subject;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Words for tests that ask stores: keys nobody else uses, claims in one line, and answers at once. */
final class Exchanges {

    private Exchanges() {}

    /** Counters of an endpoint with a name of its own, in one window. */
    static CounterKey key(String endpoint, String tenant, long start, long end) {
        Subject subject = new Subject("tenant", "header:X-Org-Id", tenant);
        return new CounterKey(endpoint, "GET", "10s", List.of(subject), start, end);
    }

    static String unique() {
        return UUID.randomUUID().toString();
    }

    static Batch.Claim claim(CounterKey key, long spent, long wanted, long atLeast, long cap) {
        return new Batch.Claim(key, spent, wanted, atLeast, cap);
    }

    static Batch.Claim report(CounterKey key, long spent) {
        return new Batch.Claim(key, spent, 0, 0, 1_000_000);
    }

    static Batch batch(String instance, long sequence, Batch.Claim... claims) {
        return new Batch(instance, sequence, List.of(claims));
    }

    /** The answer to a batch; a store that gives none within 20 seconds hangs. */
    static Batch.Reply exchange(CounterStore store, Batch batch) {
        try {
            return store.exchange(batch).toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (ExecutionException | CompletionException e) {
            if (e.getCause() instanceof StoreException trouble) {
                throw trouble;
            }
            throw new AssertionError("a store fails with a StoreException, not with this", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("the store hangs", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static Batch.Grant grant(CounterStore store, Batch batch) {
        return exchange(store, batch).grants().get(0);
    }

    /** The answer to a batch that is sent again and again until the store is well enough to answer. */
    static Batch.Reply exchangeInTheEnd(CounterStore store, Batch batch) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                return exchange(store, batch);
            } catch (StoreException e) {
                if (!e.temporary() || System.nanoTime() > deadline) {
                    throw e;
                }
                pause(5);
            }
        }
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
