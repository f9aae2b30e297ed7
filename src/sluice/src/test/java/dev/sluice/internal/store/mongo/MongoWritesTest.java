package dev.sluice.internal.store.mongo;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.CounterStores;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How documents are written that others write too, and how often. */
@Timeout(240)
@Tag("store")
class MongoWritesTest {

    private static final int CLIENTS = 200;

    private final MongoServerInProcess mongo = MongoServerInProcess.open();
    private final MongoCounterStore store = open();
    private final String endpoint = unique();

    @AfterEach
    void close() {
        store.close();
        mongo.close();
    }

    private MongoCounterStore open() {
        return (MongoCounterStore) CounterStores.open(mongo.patientUri());
    }

    private static CounterKey client(String endpoint, int number) {
        return key(endpoint, "client-" + number, 0, 9_000_000_000_000L);
    }

    private static Statement[] oneCallOfEach(String endpoint) {
        return IntStream.range(0, CLIENTS)
                .mapToObj(i -> report(client(endpoint, i), 1))
                .toArray(Statement[]::new);
    }

    /** What an exchange costs the server: commands on counters, and documents written. */
    private List<Long> cost(Batch batch) {
        long commands = mongo.counterCommands();
        long written = mongo.countersWritten();
        Batch.Reply unused = exchange(store, batch);
        return List.of(mongo.counterCommands() - commands, mongo.countersWritten() - written);
    }

    private List<Long> totals(String endpoint) {
        Statement[] questions = IntStream.range(0, CLIENTS)
                .mapToObj(i -> question(client(endpoint, i)))
                .toArray(Statement[]::new);
        return exchange(store, batch(unique(), 1, questions)).grants().stream()
                .map(Grant::total)
                .distinct()
                .toList();
    }

    @Test
    void allClientsOfABatchAreReadAtOnceAndWrittenAtOnce() {
        Batch.Reply unused = exchange(store, batch("i", 1));
        assertThat(cost(batch("i", 2, oneCallOfEach(endpoint)))).as("born").containsExactly(2L, CLIENTS + 1L);
        assertThat(cost(batch("i", 3, oneCallOfEach(endpoint)))).as("changed").containsExactly(2L, CLIENTS + 1L);
        assertThat(cost(batch("i", 4, question(client(endpoint, 1)))))
                .as("asked of")
                .containsExactly(1L, 0L);
        assertThat(totals(endpoint)).containsExactly(2L);
    }

    /** MongoDB answers with 101 documents at first, and is asked again for the others, unless it is told how many. */
    @Test
    void manyDocumentsAreReadInOneRoundTrip() {
        Batch.Reply unused = exchange(store, batch("i", 1, oneCallOfEach(endpoint)));
        assertThat(((Number) mongo.latest("find").get("batchSize")).intValue()).isGreaterThan(CLIENTS);
    }

    /**
     * Its reply was lost, perhaps before the majority had it: the sender's record is written after all that it changed.
     */
    @Test
    void aBatchThatComesAgainIsConfirmedOnceMore() {
        Batch batch = batch("i", 1, oneCallOfEach(endpoint));
        Batch.Reply unused = exchange(store, batch);
        assertThat(cost(batch)).containsExactly(2L, 1L);
        assertThat(totals(endpoint)).containsExactly(1L);
    }

    /** On other shards than the record, what the batch changed is confirmed by no write but its own. */
    @Test
    void behindARouterABatchThatComesAgainIsWrittenOnceMore() {
        mongo.greet("msg", "isdbgrid");
        Batch batch = batch("i", 1, oneCallOfEach(endpoint));
        Batch.Reply first = exchange(store, batch);
        assertThat(cost(batch)).containsExactly(2L, CLIENTS + 1L);
        assertThat(exchange(store, batch).grants()).isEqualTo(first.grants());
        assertThat(totals(endpoint)).containsExactly(1L);
    }

    @Test
    void twoInstancesMayBeTheFirstAtOnce() {
        try (MongoCounterStore other = open()) {
            CyclicBarrier together = new CyclicBarrier(2);
            while (mongo.counterConflicts() == 0) {
                String born = unique();
                Batch one = batch(unique(), 1, oneCallOfEach(born));
                CompletableFuture<Batch.Reply> first = CompletableFuture.supplyAsync(
                        () -> meet(together, store, one), task -> new Thread(task).start());
                Batch.Reply unused = meet(together, other, batch(unique(), 1, oneCallOfEach(born)));
                unused = first.join();
                assertThat(totals(born)).containsExactly(2L);
            }
        }
    }

    private static Batch.Reply meet(CyclicBarrier together, MongoCounterStore store, Batch batch) {
        try {
            together.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return exchange(store, batch);
    }

    private static MongoCollection<Document> counters(MongoClient client) {
        return client.getDatabase("sluice").getCollection("sluice.counters");
    }

    /** A unique index that every document violates refuses each write as another writer's version does. */
    @Test
    void whatOthersChangeTooOftenStaysPending() {
        Batch.Reply unused = exchange(store, batch("i", 1));
        try (MongoClient client = MongoClients.create(mongo.uri())) {
            String index = counters(client).createIndex(Indexes.ascending("nobody"), new IndexOptions().unique(true));
            Batch batch = batch("i", 2, report(client(endpoint, 1), 1), report(client(endpoint, 2), 1));
            assertThatThrownBy(() -> exchange(store, batch))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(" because other instances kept changing them")
                    .matches(trouble ->
                            Objects.requireNonNull((StoreException) trouble).temporary()
                                    && ((StoreException) trouble).isConflict());
            assertThat(mongo.counterConflicts()).isPositive();
            counters(client).dropIndex(index);
            assertThat(exchange(store, batch).grants()).containsOnly(new Grant(1, 0, 0));
            assertThat(exchange(store, batch(unique(), 1, question(client(endpoint, 2))))
                            .grants())
                    .containsExactly(new Grant(1, 0, 0));
        }
    }
}
