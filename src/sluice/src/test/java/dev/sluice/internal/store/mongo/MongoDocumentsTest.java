package dev.sluice.internal.store.mongo;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.store.Exchanges.Asked;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The documents in MongoDB, as operators find them. Its clock is some hours ahead of this machine. */
@Timeout(120)
@Tag("store")
class MongoDocumentsTest {

    private static final long WINDOW = 600_000;

    private final Clock serverClock = Clock.offset(Clock.systemUTC(), Duration.ofHours(3));
    private final MongoServerInProcess mongo = MongoServerInProcess.openAt(serverClock);
    private final CounterStore store = CounterStores.open(mongo.patientUri());
    private final MongoClient client = MongoClients.create(mongo.uri());
    private final MongoCollection<Document> documents =
            client.getDatabase("sluice").getCollection("sluice.counters");
    private final long start = serverClock.millis() / WINDOW * WINDOW;
    private long sequence;

    @AfterEach
    void close() {
        client.close();
        store.close();
        mongo.close();
    }

    private CounterKey frame(String tenant, long number) {
        return key("orders", tenant, start + number * WINDOW, start + (number + 1) * WINDOW);
    }

    private Batch.Reply tell(Asked... statements) {
        return exchange(store, batch("i", ++sequence, statements));
    }

    private Document document(String tenant) {
        String id = "tenant=header%3aX-Org-Id=" + tenant + ":orders:GET:10s:" + WINDOW;
        return Objects.requireNonNull(documents.find(new Document("_id", id)).first(), id);
    }

    private Document window(String tenant) {
        return document(tenant).get("windows", Document.class).get(String.valueOf(start), Document.class);
    }

    @Test
    void anInstanceThatLivesIsADocumentThatExpires() {
        documents.insertOne(new Document("_id", "!alive:a").append("expire", Date.from(serverClock.instant())));
        Date later = Date.from(serverClock.instant().plusSeconds(60));
        documents.insertOne(new Document("_id", "!alive:b").append("expire", later));
        Batch lives = new Batch("i", ++sequence, Long.MAX_VALUE, List.of(), Batch.Presence.ALIVE, 0);
        assertThat(exchange(store, lives).fleet()).isEqualTo(new Batch.Fleet(2, 1));
        Document own = documents.find(new Document("_id", "!alive:i")).first();
        assertThat(Objects.requireNonNull(own).getDate("expire"))
                .isCloseTo(Date.from(serverClock.instant().plus(Batch.Fleet.LIFE)), 5_000);
    }

    @Test
    void aCounterIsOneDocumentWithACountForEachFrame() {
        Rule frames = new Rule.Frame(100, 2);
        tell(statementOf(frame("acme", -1), frames).used(7));
        tell(statementOf(frame("acme", 0), frames).used(4).wanting(9));
        Document acme = document("acme");
        assertThat(acme.keySet())
                .containsExactlyInAnyOrder("_id", "version", "expire", "requestCounters", "windows", "senders");
        assertThat(acme.get("requestCounters", Document.class))
                .isEqualTo(new Document(String.valueOf(start - WINDOW), 7L).append(String.valueOf(start), 4L));
        assertThat(window("acme").getList("shares", Document.class))
                .singleElement()
                .satisfies(share -> assertThat(share).containsEntry("instance", "i"));
        assertThat(acme.getList("senders", String.class))
                .singleElement()
                .asString()
                .endsWith("|i");
    }

    @Test
    void eachWriteMakesAnotherVersion() {
        tell(statementOf(frame("acme", 0), 100).used(1));
        long first = document("acme").getLong("version");
        tell(statementOf(frame("acme", 0), 100).used(1));
        assertThat(document("acme").getLong("version")).isGreaterThan(first);
    }

    @Test
    void bucketsLogsAndSlotsAreInDocumentsOfTheSameForm() {
        tell(
                statementOf(frame("bucket", 0), new Rule.Bucket(10, 1, 100, 200))
                        .used(3),
                statementOf(frame("log", 0), new Rule.Log(10, 60_000)).used(3),
                statementOf(frame("slots", 0), new Rule.Slots(10, 2, 0, Long.MAX_VALUE))
                        .holding(1));
        assertThat(window("bucket")).containsKeys("expire", "bucket");
        assertThat(window("log").get("log", Document.class).getList("calls", Long.class))
                .as("the time, the instance, and how many")
                .hasSize(3)
                .endsWith(0L, 3L);
        assertThat(window("slots").getList("leases", Document.class))
                .singleElement()
                .satisfies(lease ->
                        assertThat(lease).containsEntry("instance", "i").containsEntry("slots", 2L));
    }

    /** To merge as many entries as fit into a document would take hours. */
    @Test
    void aBucketWithMoreThanOursHaveIsReplaced() {
        Rule.Bucket rule = new Rule.Bucket(10, 1, 100, 200);
        tell(statementOf(frame("bucket", 0), rule).used(3));
        List<Long> periods = new ArrayList<>();
        for (long i = 0; i < 200_000; i++) {
            periods.addAll(List.of(serverClock.millis() - 200_000 + i, 1L));
        }
        documents.updateOne(
                new Document("_id", document("bucket").get("_id")),
                new Document("$set", new Document("windows." + start + ".bucket.periods", periods)));
        assertThat(tell(statementOf(frame("bucket", 0), rule).used(1).needing(9))
                        .grants()
                        .get(0)
                        .granted())
                .isEqualTo(9);
        assertThat(window("bucket").get("bucket", Document.class).getList("periods", Long.class))
                .hasSizeLessThan(10);
    }

    @Test
    void windowsAreCutByTheClockOfTheServer() {
        long before = serverClock.millis();
        assertThat(tell(statementOf(frame("acme", 0), 100).used(1)).nowMillis())
                .isBetween(before - 1_000, serverClock.millis() + 1_000);
    }

    /** By a TTL index, which there is from the first exchange on; the server here only keeps it. */
    @Test
    void everythingExpiresFromTheMomentItExists() {
        tell();
        assertThat(documents.listIndexes().into(new ArrayList<>())).anySatisfy(index -> {
            assertThat(index.get("key")).isEqualTo(new Document("expire", 1));
            assertThat(((Number) index.get("expireAfterSeconds")).longValue()).isZero();
        });
        exchange(
                store,
                batch(
                        "other",
                        1,
                        report(frame("past", -5), 1),
                        report(frame("acme", 0), 1),
                        statementOf(frame("slots", 0), new Rule.Slots(10, 2, 0, Long.MAX_VALUE))
                                .holding(1)
                                .statement(),
                        statementOf(frame("log", 0), new Rule.Log(10, 60_000))
                                .used(1)
                                .statement(),
                        statementOf(frame("bucket", 0), new Rule.Bucket(10, 1, 100, 200))
                                .used(1)
                                .statement()));
        List<Document> all = documents
                .find(new Document("_id", new Document("$ne", "!birth")))
                .into(new ArrayList<>());
        assertThat(documents.find(new Document("_id", "!birth")).first())
                .as("a later version can tell in which form all is written")
                .containsEntry("format", 1);
        assertThat(all)
                .hasSize(6)
                .allSatisfy(one -> assertThat(one.getDate("expire"))
                        .isBetween(serverClock.instant(), serverClock.instant().plus(Duration.ofHours(2))));
        assertThat(document("acme").getDate("expire").toInstant().toEpochMilli())
                .isGreaterThanOrEqualTo(start + WINDOW);
    }
}
