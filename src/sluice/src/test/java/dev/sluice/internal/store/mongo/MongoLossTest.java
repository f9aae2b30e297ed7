package dev.sluice.internal.store.mongo;

import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.LossContract;
import dev.sluice.internal.store.mongo.connection.MongoAddressParser;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Of MongoDB: also where earlier documents are back, or somebody else has written into them. */
@Tag("store")
class MongoLossTest extends LossContract {

    private final MongoServerInProcess mongo = MongoServerInProcess.open();

    @AfterEach
    void closeServer() {
        mongo.close();
    }

    @Override
    protected int serverPort() {
        return mongo.port();
    }

    @Override
    protected CounterStore open(int port, AtomicLong nanoClock) {
        String uri = "mongodb://127.0.0.1:" + port + "/?timeoutMS=15000";
        return MongoCounterStore.open(Objects.requireNonNull(MongoAddressParser.parse(uri)), nanoClock::get);
    }

    @Override
    protected long longNanos() {
        return 2 * 3_600_000_000_000L;
    }

    @Override
    protected void forgetAll() {
        withCounters(MongoCollection::drop);
    }

    @Override
    protected void forgetRecord() {
        withCounters(counters -> counters.deleteOne(Filters.eq("_id", "!sender:" + instance)));
    }

    @Override
    protected void stopServer() {
        mongo.stop();
    }

    @Override
    protected void startServer() {
        mongo.startEmpty();
    }

    private void withCounters(Consumer<MongoCollection<Document>> work) {
        try (MongoClient client = MongoClients.create(mongo.uri())) {
            work.accept(client.getDatabase("sluice").getCollection("sluice.counters"));
        }
    }

    @Test
    void reportsDataOfAnEarlierTime() {
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
