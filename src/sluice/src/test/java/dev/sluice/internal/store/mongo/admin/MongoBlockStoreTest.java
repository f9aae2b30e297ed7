package dev.sluice.internal.store.mongo.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.sluice.Block;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.BlockStoreContract;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.OperatorData;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.admin.BlockStore.Changes;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("store")
class MongoBlockStoreTest extends BlockStoreContract {

    private final MongoServerInProcess mongo = MongoServerInProcess.open();
    private final CounterStore counters = CounterStores.open(mongo.patientUri());
    private final BlockStore store = Objects.requireNonNull(OperatorData.blocks(counters));

    @AfterEach
    void close() {
        store.close();
        counters.close();
        mongo.close();
    }

    @Override
    protected BlockStore store() {
        return store;
    }

    private List<Document> documents() {
        try (MongoClient client = MongoClients.create(mongo.uri())) {
            return collection(client).find().into(new ArrayList<>());
        }
    }

    private MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("sluice").getCollection("sluice.blocks");
    }

    /** The server in this process is slow with so many writes. */
    @Override
    protected void fill(List<Block> many) {
        int last = many.size() - 1;
        try (MongoClient client = MongoClients.create(mongo.uri())) {
            collection(client)
                    .insertMany(many.subList(0, last).stream()
                            .map(MongoBlockStoreTest::document)
                            .toList());
        }
        tell(many.get(last));
    }

    private static Document document(Block block) {
        return new Document("_id", block.key().identity())
                .append("since", Instant.ofEpochMilli(block.sinceMillis()))
                .append("until", Instant.ofEpochMilli(block.untilMillis()))
                .append("number", block.number())
                .append("madeUp", BlockStore.isMadeUp(block.key()))
                .append("changed", Instant.ofEpochMilli(block.sinceMillis()));
    }

    @Test
    void everyDocumentExpires() {
        Block acme = block("acme", 0, Duration.ofMinutes(15));
        tell(acme);
        Instant expire = Instant.ofEpochMilli(acme.untilMillis()).plus(Block.CALM);
        assertThat(documents())
                .hasSize(2)
                .extracting(document -> document.getDate("expire").toInstant())
                .allMatch(moment -> !moment.isBefore(expire.minus(Block.CALM)))
                .contains(expire);
        try (MongoClient client = MongoClients.create(mongo.uri())) {
            assertThat(collection(client).listIndexes().into(new ArrayList<>()))
                    .anyMatch(index -> Integer.valueOf(0).equals(asInt(index.get("expireAfterSeconds"))));
        }
    }

    private static Integer asInt(Object number) {
        return number instanceof Number some ? some.intValue() : null;
    }

    @Test
    void aMongoDbThatHasLostDataSaysSo() {
        Block acme = block("acme", 0, Duration.ofMinutes(15));
        Changes known = done(store.exchange(BlockStore.NOTHING, List.of(acme)));
        try (MongoClient client = MongoClients.create(mongo.uri())) {
            collection(client).drop();
        }
        Changes lost = done(store.exchange(known.version(), List.of()));
        assertThat(lost.isLoss()).isTrue();
        Changes again = done(store.exchange(lost.version(), List.of(acme)));
        assertThat(again.isLoss()).isFalse();
        assertThat(again.blocks()).containsExactly(acme);
    }

    @Test
    void whatOthersWriteThereDoesNoHarm() {
        try (MongoClient client = MongoClients.create(mongo.uri())) {
            collection(client).insertOne(new Document("_id", 7));
            collection(client)
                    .insertOne(
                            document(block("beta", 0, Duration.ofMinutes(15))).append("cause", "x"));
            collection(client).insertOne(new Document("_id", caller("acme").identity()).append("since", "soon"));
        }
        Block acme = block("acme", 0, Duration.ofMinutes(15));
        assertThat(tell(acme)).containsExactlyInAnyOrder(acme, block("beta", 0, Duration.ofMinutes(15)));
    }

    @Test
    void aBlockThatWasWrittenWithoutACauseIsReadAllTheSame() {
        Block acme = block("acme", 0, Duration.ofMinutes(15));
        try (MongoClient client = MongoClients.create(mongo.uri())) {
            collection(client).insertOne(document(acme));
        }
        Block beta = withCause(block("beta", 0, Duration.ofMinutes(15)));
        assertThat(tell(beta)).containsExactlyInAnyOrder(acme, beta);
    }
}
