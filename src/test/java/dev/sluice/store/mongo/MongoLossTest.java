package dev.sluice.store.mongo;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.StoreException;
import dev.sluice.store.mongo.link.MongoAddressParser;
import dev.sluice.store.redis.server.FaultyProxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An instance is told, once, that MongoDB has forgotten what it had been told. */
class MongoLossTest {

    /** Longer than MongoDB knows an instance that changes nothing. */
    private static final long LONG_NANOS = 2 * 3_600_000_000_000L;

    private final String instance = unique();
    private final CounterKey acme = key(unique(), "acme", 0, System.currentTimeMillis() + 600_000);
    private final AtomicLong nanos = new AtomicLong();
    private final MongoServerInProcess mongo = MongoServerInProcess.open();
    private final FaultyProxy proxy = new FaultyProxy(mongo.port());
    private final MongoCounterStore store = MongoCounterStore.open(
            MongoAddressParser.parse("mongodb://127.0.0.1:" + proxy.port() + "/?timeoutMS=5000"), nanos::get);

    @AfterEach
    void close() {
        store.close();
        proxy.close();
        mongo.close();
    }

    private Batch numbered(long sequence) {
        return batch(instance, sequence, report(acme, 1));
    }

    private List<Loss> losses(Batch batch) {
        return exchangeInTheEnd(store, batch).losses();
    }

    private static Loss allAfter(long sequence) {
        return new Loss(Loss.ALL_SHARDS, sequence);
    }

    private void withCounters(java.util.function.Consumer<MongoCollection<Document>> work) {
        try (MongoClient client = MongoClients.create(mongo.uri())) {
            work.accept(client.getDatabase("sluice").getCollection("sluice.counters"));
        }
    }

    private void forgetRecord() {
        withCounters(counters -> counters.deleteOne(Filters.eq("_id", "!sender:" + instance)));
    }

    @Test
    void nothingIsLostAsLongAsMongoRemembers() {
        assertThat(losses(numbered(7))).isEmpty();
        assertThat(losses(numbered(7))).isEmpty();
        assertThat(losses(numbered(8))).isEmpty();
        assertThat(losses(numbered(12))).isEmpty();
        assertThat(losses(batch(instance, 13))).isEmpty();
        assertThat(losses(batch(instance, 14))).isEmpty();
        assertThat(losses(numbered(15))).isEmpty();
        assertThat(losses(batch(unique(), 1))).isEmpty();
    }

    @Test
    void aDroppedDatabaseIsToldOnce() {
        losses(numbered(1));
        losses(numbered(2));
        withCounters(MongoCollection::drop);
        assertThat(losses(numbered(3))).containsExactly(allAfter(0));
        assertThat(losses(numbered(4))).isEmpty();
    }

    @Test
    void aRestartWithoutDataIsTold() {
        losses(numbered(1));
        mongo.stop();
        mongo.startEmpty();
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
        assertThat(losses(numbered(3))).isEmpty();
    }

    @Test
    void aRestartDuringALongOutageIsTold() {
        losses(numbered(1));
        mongo.stop();
        nanos.addAndGet(LONG_NANOS);
        mongo.startEmpty();
        assertThat(losses(batch(unique(), 1))).as("another instance is first").isEmpty();
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
        assertThat(losses(numbered(3))).isEmpty();
    }

    @Test
    void nothingIsLostIfOnlyTheRecordHasExpired() {
        losses(numbered(1));
        nanos.addAndGet(LONG_NANOS);
        forgetRecord();
        assertThat(losses(numbered(2))).isEmpty();
    }

    @Test
    void dataOfAnEarlierTimeAreTold() {
        losses(numbered(1));
        Document[] then = new Document[1];
        withCounters(counters -> then[0] =
                counters.find(Filters.eq("_id", "!sender:" + instance)).first());
        losses(numbered(2));
        losses(numbered(3));
        withCounters(counters -> counters.replaceOne(Filters.eq("_id", then[0].get("_id")), then[0]));
        assertThat(losses(numbered(4))).containsExactly(allAfter(1));
        assertThat(losses(numbered(5))).isEmpty();
    }

    @Test
    void anEmptyBatchFindsOut() {
        losses(numbered(1));
        withCounters(MongoCollection::drop);
        assertThat(losses(batch(instance, 2))).containsExactly(allAfter(0));
        assertThat(losses(batch(instance, 3))).isEmpty();
    }

    @Test
    void aLossIsToldAgainIfTheReplyWasLost() {
        losses(numbered(1));
        withCounters(counters -> counters.deleteMany(Filters.empty()));
        losses(batch(unique(), 1, report(acme, 1))); // from now on only the exchange itself writes
        proxy.cutNext(FaultyProxy.Cut.BEFORE_REPLY);
        assertThatThrownBy(() -> exchange(store, numbered(2))).isInstanceOf(StoreException.class);
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
        assertThat(losses(numbered(3))).isEmpty();
    }

    @Test
    void hostileContentsDoNoHarm() {
        losses(numbered(1));
        List<Document> hostile = List.of(
                new Document("version", "x").append("windows", 5),
                new Document("version", new Document("a", 1)).append("windows", new Document("0", "x")),
                new Document("windows", new Document("0", new Document("expire", 7L))),
                new Document("version", 4).append("senders", List.of("x")),
                new Document("version", null).append("requestCounters", List.of()));
        long sequence = 2;
        for (Document one : hostile) {
            withCounters(counters -> {
                counters.find(Filters.regex("_id", "^tenant")).forEach(known -> {
                    Document replaced = new Document("_id", known.get("_id"));
                    replaced.putAll(one);
                    counters.replaceOne(Filters.eq("_id", known.get("_id")), replaced);
                });
            });
            assertThat(exchangeInTheEnd(store, numbered(sequence++))
                            .grants()
                            .get(0)
                            .total())
                    .isEqualTo(1);
        }
    }
}
