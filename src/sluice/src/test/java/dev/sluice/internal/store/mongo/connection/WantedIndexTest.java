package dev.sluice.internal.store.mongo.connection;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.CounterStore;
import dev.sluice.fleet.LogLines;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.OperatedStore;
import dev.sluice.internal.store.OverrideStores;
import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride.Note;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.limits.ClientOverride;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Documents that are over go away by an index. Where MongoDB refuses that, all else goes on, and the log tells. */
@Tag("store")
class WantedIndexTest {

    private static final WantedIndex EXPIRY = new WantedIndex("expire", Duration.ZERO);

    private final MongoServerInProcess mongo = MongoServerInProcess.open();
    private final LogLines log = new LogLines();
    private final MongoAddress address = Objects.requireNonNull(MongoAddressParser.parse(mongo.uri()));

    @AfterEach
    void close() {
        log.close();
        mongo.close();
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** As a user meets it who may do no more than read and write, or where somebody has made another index. */
    @ParameterizedTest
    @CsvSource({"13, Unauthorized", "85, IndexOptionsConflict", "86, IndexKeySpecsConflict"})
    void allIsCountedAndKeptWithoutIt(int code, String name) {
        mongo.refuse("createIndexes", code, name);
        CounterKey acme = key("orders", "acme", 0, 9_000_000_000_000L);
        ClientOverride limit = new ClientOverride("tenant", "acme", "orders", "10s:5");
        InstanceReport report = new InstanceReport("one", "server-1", "v.1", 5_000, "", "");
        try (CounterStore store = CounterStores.open(mongo.patientUri());
                OverrideStore limits = OverrideStores.open(mongo.patientUri());
                OperatedStore operated = OperatedStore.open(mongo.patientUri())) {
            for (int i = 1; i <= 3; i++) {
                assertThat(exchangeInTheEnd(store, batch("i", i, report(acme, 2)))
                                .grants())
                        .containsExactly(new Grant(2L * i, 0, 0));
            }
            assertThat(done(limits.set(limit, Note.NONE))).isTrue();
            assertThat(done(operated.instances().write(report, ""))).isTrue();
            assertThat(done(operated.instances().all())).containsExactly(report);
        }
        assertThat(log.with("WARN " + address + " refuses the index on \"expire\" of sluice.counters (" + name + ": "))
                .singleElement()
                .asString()
                .endsWith("Counting is not affected, but expired documents might not be removed. Create the index with "
                        + "expireAfterSeconds "
                        + "0, or grant this user createIndex");
        assertThat(log.with("refuses the index on \"until\" of sluice.limits")).hasSize(1);
        assertThat(log.with("refuses the index on \"expire\" of sluice.instances"))
                .hasSize(1);
    }

    @Test
    void whatElseFailsFailsTheExchange() {
        mongo.refuse("createIndexes", 11602, "InterruptedDueToReplStateChange");
        withDocuments(documents ->
                assertThatThrownBy(() -> EXPIRY.make(documents, address)).isInstanceOf(MongoCommandException.class));
    }

    @Test
    void nothingIsSaidWhereSomebodyElseHasMadeIt() {
        withDocuments(documents -> {
            documents.createIndex(Indexes.ascending("expire"), new IndexOptions().expireAfter(0L, TimeUnit.SECONDS));
            mongo.refuse("createIndexes", 13, "Unauthorized");
            EXPIRY.make(documents, address);
        });
        assertThat(log.with("WARN " + address)).isEmpty();
    }

    @Test
    void oneThatRemovesThemLaterIsNotTheOne() {
        withDocuments(documents -> {
            documents.createIndex(Indexes.ascending("expire"), new IndexOptions().expireAfter(90L, TimeUnit.SECONDS));
            mongo.refuse("createIndexes", 85, "IndexOptionsConflict");
            EXPIRY.make(documents, address);
        });
        assertThat(log.with("WARN " + address + " refuses the index on \"expire\""))
                .hasSize(1);
    }

    @FunctionalInterface
    private interface Work {
        void on(MongoCollection<Document> documents);
    }

    private void withDocuments(Work work) {
        try (MongoClient client = MongoClients.create(mongo.uri())) {
            MongoCollection<Document> documents = client.getDatabase("sluice").getCollection("test-" + unique());
            documents.insertMany(List.of(new Document("_id", 1)));
            work.on(documents);
        }
    }
}
