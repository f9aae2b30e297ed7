package dev.sluice.internal.store.mongo;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.store.CounterStoreContract;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real MongoDB with replicas: it keeps the contract, and loses and doubles nothing when another becomes primary. */
@Timeout(300)
@Tag("store")
class MongoReplicaSetTest extends CounterStoreContract {

    private static final int STEP_DOWNS = 3;

    private static MongoReplicaSet mongo;

    @BeforeAll
    static void start() {
        mongo = MongoReplicaSet.open();
    }

    @AfterAll
    static void stop() {
        if (mongo != null) {
            mongo.close();
        }
    }

    private static String patientUri() {
        return mongo.uri() + "&timeoutMS=20000";
    }

    @Override
    protected CounterStore open() {
        return CounterStores.open(patientUri());
    }

    @Test
    void whenThePrimaryStepsDownNothingIsLostOrDoubled() {
        CounterKey acme = key(unique(), "acme", 0, System.currentTimeMillis() / 600_000 * 600_000 + 1_800_000);
        AtomicBoolean ended = new AtomicBoolean();
        AtomicLong made = new AtomicLong();
        List<CompletableFuture<Long>> senders = IntStream.range(0, 4)
                .mapToObj(number -> CompletableFuture.supplyAsync(
                        () -> sendUntil(ended, acme, made), task -> new Thread(task).start()))
                .toList();
        for (int i = 0; i < STEP_DOWNS; i++) {
            long before = made.get();
            Eventually.await("batches", () -> made.get() > before + 20);
            mongo.stepDown();
        }
        long before = made.get();
        Eventually.await("batches after the last step-down", () -> made.get() > before + 20);
        ended.set(true);
        long used = senders.stream().mapToLong(CompletableFuture::join).sum();
        try (CounterStore reader = CounterStores.open(patientUri())) {
            assertThat(exchangeInTheEnd(reader, batch(unique(), 1, question(acme)))
                            .grants()
                            .get(0)
                            .total())
                    .isEqualTo(used);
        }
    }

    /** Sends batches of three calls each until the flag is set; returns the number of calls. */
    private static long sendUntil(AtomicBoolean ended, CounterKey key, AtomicLong made) {
        String instance = unique();
        long sequence = 0;
        try (CounterStore store = CounterStores.open(mongo.uri() + "&timeoutMS=2000")) {
            while (!ended.get()) {
                var unused = exchangeInTheEnd(
                        store,
                        batch(
                                instance,
                                ++sequence,
                                statementOf(key, 1_000_000_000).used(3)));
                made.incrementAndGet();
            }
        }
        return 3 * sequence;
    }
}
