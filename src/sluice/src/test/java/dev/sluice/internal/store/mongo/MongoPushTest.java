package dev.sluice.internal.store.mongo;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.store.CounterStores;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Eight instances write the counters of two hundred clients as fast as they can, and lose and double nothing. */
@Timeout(240)
@Tag("store")
class MongoPushTest {

    private static final int INSTANCES = 8;
    private static final int CLIENTS = 200;
    /** How long the instances write; CONTRIBUTING.md says how to make it longer. */
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("sluice.push", 4));

    private final String endpoint = unique();
    private final long end = System.currentTimeMillis() / 600_000 * 600_000 + 1_800_000;

    private Statement statement(int client, long used) {
        return statementOf(key(endpoint, "client-" + client, 0, end), 1_000_000_000)
                .used(used)
                .statement();
    }

    @Test
    void countsEachCallOnce() {
        try (MongoServerInProcess mongo = MongoServerInProcess.open()) {
            List<List<Long>> pushed = IntStream.range(0, INSTANCES)
                    .mapToObj(number ->
                            CompletableFuture.supplyAsync(() -> push(mongo, number), task -> new Thread(task).start()))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
            assertThat(mongo.counterConflicts()).as("they have met").isPositive();
            try (MongoCounterStore reader = (MongoCounterStore) CounterStores.open(mongo.patientUri())) {
                Batch all = batch(
                        unique(),
                        1,
                        IntStream.range(0, CLIENTS)
                                .mapToObj(
                                        client -> question(statement(client, 0).key()))
                                .toArray(Statement[]::new));
                List<Batch.Grant> totals = exchangeInTheEnd(reader, all).grants();
                for (int client = 0; client < CLIENTS; client++) {
                    int of = client;
                    assertThat(totals.get(client).total())
                            .as("calls of client " + client)
                            .isEqualTo(pushed.stream()
                                    .mapToLong(one -> one.get(of))
                                    .sum());
                }
            }
        }
    }

    /** Pushes as one instance; returns how many calls it counted of each client. */
    private List<Long> push(MongoServerInProcess mongo, int number) {
        Random random = new Random(number);
        long[] used = new long[CLIENTS];
        long deadline = System.nanoTime() + TIME.toNanos();
        try (MongoCounterStore store = (MongoCounterStore) CounterStores.open(mongo.patientUri())) {
            long sequence = 0;
            while (System.nanoTime() - deadline < 0) {
                List<Statement> statements = IntStream.range(0, CLIENTS)
                        .filter(client -> random.nextInt(4) == 0)
                        .mapToObj(client -> {
                            int calls = 1 + random.nextInt(3);
                            used[client] += calls;
                            return statement(client, calls);
                        })
                        .toList();
                Batch.Reply unused = exchangeInTheEnd(store, new Batch(endpoint + number, ++sequence, statements));
            }
            return LongStream.of(used).boxed().toList();
        }
    }
}
