package dev.sluice.internal.store.mongo.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.sluice.Eventually;
import dev.sluice.fleet.LogLines;
import dev.sluice.internal.store.OverrideStoreContract;
import dev.sluice.internal.store.OverrideStores;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.store.admin.StoredOverride.Note;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Limits of clients that are set in MongoDB hold for all who follow them, until they are removed or over. */
@Tag("store")
class MongoOverrideStoreTest extends OverrideStoreContract {

    /** Each store measures the server's clock, on a busy machine with an error. */
    private static final long CLOCKS_DIFFER_MILLIS = 5_000;

    private static final ClientOverride ACME = new ClientOverride("tenant", "acme", "orders", "10s:5");
    private static final ClientOverride OTHER = new ClientOverride("tenant", "other|x", "*", "1h:7");

    private final MongoServerInProcess mongo = MongoServerInProcess.open();
    private final OverrideStore operator = OverrideStores.open(mongo.patientUri());
    private final OverrideStore instance = OverrideStores.open(mongo.patientUri());

    @AfterEach
    void close() {
        operator.close();
        instance.close();
        mongo.close();
    }

    @Override
    protected OverrideStore store() {
        return operator;
    }

    private Optional<Overrides> next(String known) {
        return done(instance.changedSince(known));
    }

    @Test
    void areFollowed() {
        Overrides none = next("").orElseThrow();
        assertThat(none.limits()).isEmpty();
        assertThat(next(none.version())).isEmpty();

        assertThat(done(operator.set(ACME, new Note(Duration.ZERO, "ann", "a trial"))))
                .isTrue();
        done(operator.set(OTHER, Note.NONE));
        Overrides two = next(none.version()).orElseThrow();
        assertThat(two.limits()).containsExactlyInAnyOrder(ACME, OTHER);
        assertThat(two.notes().get(ACME).by()).isEqualTo("ann");
        assertThat(two.notes().get(ACME).why()).isEqualTo("a trial");
        long setMillis = two.notes().get(ACME).setMillis();
        assertThat(setMillis).isBetween(two.nowMillis() - 60_000, two.nowMillis() + CLOCKS_DIFFER_MILLIS);
        assertThat(next(two.version())).isEmpty();
        assertThat(done(operator.version())).isEqualTo(two.version());

        assertThat(done(operator.unset(ACME, Note.NONE))).isTrue();
        String then = done(operator.version());
        assertThat(done(operator.unset(ACME, Note.NONE))).isFalse();
        assertThat(next(then)).as("the first attempt may have ended half-way").isPresent();
        assertThat(next(two.version()).orElseThrow().limits()).containsExactly(OTHER);
    }

    @Test
    void endByTheClockOfTheServer() {
        done(operator.set(OTHER, new Note(Duration.ofHours(1), "", "")));
        Overrides one = next("").orElseThrow();
        assertThat(one.untilMillis(OTHER)).isBetween(one.nowMillis() + 3_000_000, one.nowMillis() + 3_601_000);
        done(operator.set(ACME, new Note(Duration.ofMillis(300), "", "")));
        Eventually.await(
                "the end", () -> next(one.version()).orElseThrow().limits().equals(List.of(OTHER)));
        Eventually.await(
                "the end by the operator's measure of that clock",
                () -> done(operator.all()).stream()
                        .map(StoredOverride::limit)
                        .toList()
                        .equals(List.of(OTHER)));
    }

    private void drop() {
        withLimits(MongoCollection::drop);
    }

    private void withLimits(Consumer<MongoCollection<Document>> work) {
        try (MongoClient client = MongoClients.create(mongo.uri())) {
            work.accept(client.getDatabase("sluice").getCollection("sluice.limits"));
        }
    }

    @Test
    void arePutBackByAnInstanceThatKnowsThem() {
        done(operator.set(ACME, new Note(Duration.ofHours(1), "ann", "a trial")));
        done(operator.set(OTHER, Note.NONE));
        Overrides known = next("").orElseThrow();
        try (LogLines log = new LogLines()) {
            drop();
            assertThat(done(operator.all())).isEmpty();
            Overrides back = next(known.version()).orElseThrow();
            assertThat(back.limits()).containsExactlyInAnyOrder(ACME, OTHER);
            assertThat(back.notes()).isEqualTo(known.notes());
            assertThat(log.with(" has lost client overrides. They remained in force on this instance, and 2 have "
                            + "been restored"))
                    .hasSize(1)
                    .allMatch(line -> line.contains("WARN mongodb://127.0.0.1:" + mongo.port()));
            assertThat(next(back.version())).isEmpty();
        }
        assertThat(done(operator.all()).stream().map(StoredOverride::limit)).containsExactlyInAnyOrder(ACME, OTHER);
    }

    @Test
    void areNotPutBackOverWhatWasSetSince() {
        done(operator.set(ACME, Note.NONE));
        done(operator.set(OTHER, Note.NONE));
        Overrides known = next("").orElseThrow();
        drop();
        ClientOverride later = new ClientOverride("tenant", "acme", "orders", "10s:50");
        done(operator.set(later, Note.NONE));
        assertThat(next(known.version()).orElseThrow().limits()).containsExactlyInAnyOrder(later, OTHER);
    }

    /** As where a member without the latest change becomes primary. */
    @Test
    void arePutBackWhereAnOlderStateIsBack() {
        done(operator.set(ACME, Note.NONE));
        List<Document> early = new ArrayList<>();
        withLimits(limits -> limits.find().into(early));
        ClientOverride later = new ClientOverride("tenant", "acme", "orders", "10s:50");
        done(operator.set(later, Note.NONE));
        done(operator.set(OTHER, Note.NONE));
        Overrides known = next("").orElseThrow();
        withLimits(limits -> {
            limits.drop();
            limits.insertMany(early);
        });
        assertThat(next(known.version()).orElseThrow().limits()).containsExactlyInAnyOrder(later, OTHER);
    }

    @Test
    void arePutBackWhereAnotherInstanceThatKnewFewerWasFirst() {
        try (OverrideStore other = OverrideStores.open(mongo.patientUri())) {
            done(operator.set(ACME, Note.NONE));
            Overrides early = done(other.changedSince("")).orElseThrow();
            done(operator.set(OTHER, Note.NONE));
            Overrides known = next("").orElseThrow();
            drop();
            assertThat(done(other.changedSince(early.version())).orElseThrow().limits())
                    .containsExactly(ACME);
            assertThat(next(known.version()).orElseThrow().limits()).containsExactlyInAnyOrder(ACME, OTHER);
        }
    }

    @Test
    void areNotPutBackWhereTheyAreOver() {
        Document over = OverrideDocument.of(ACME, new Note(Duration.ofSeconds(1), "", ""), 1_000_000);
        Document lasting = OverrideDocument.of(OTHER, Note.NONE, 1_000_000);
        withLimits(limits -> {
            limits.insertMany(List.of(over, lasting));
            List<Document> read = limits.find().into(new ArrayList<>());
            limits.drop();
            MongoOverrideBackup lost = new MongoOverrideBackup(OverrideVersion.of("a.1"), read, 1_000_500);
            assertThat(lost.putBack(limits, Filters.empty(), 10, 1_001_000)).isEqualTo(1);
            assertThat(limits.find().into(new ArrayList<>()))
                    .extracting(one -> OverrideDocument.read(one).limit())
                    .containsExactly(OTHER);
        });
    }

    /** An older state is back in which it still stood. */
    @Test
    void areRemovedOnceMoreWhereTheyWereRemovedBefore() {
        done(operator.set(OTHER, Note.NONE));
        done(operator.set(ACME, Note.NONE));
        List<Document> early = new ArrayList<>();
        withLimits(limits -> limits.find().into(early));
        done(operator.unset(ACME, Note.NONE));
        Overrides known = next("").orElseThrow();
        assertThat(known.limits()).containsExactly(OTHER);
        Instant aMinuteAgo = Instant.ofEpochMilli(known.nowMillis() - 60_000);
        early.stream().filter(one -> one.containsKey("set")).forEach(one -> one.put("set", aMinuteAgo));
        withLimits(limits -> {
            limits.drop();
            limits.insertMany(early);
        });
        assertThat(next(known.version()).orElseThrow().limits()).containsExactly(OTHER);
        assertThat(done(operator.all()).stream().map(StoredOverride::limit)).containsExactly(OTHER);
    }

    @Test
    void areNotPutBackWhereTheyWereRemoved() {
        done(operator.set(ACME, Note.NONE));
        done(operator.set(OTHER, new Note(Duration.ofMinutes(10), "", "")));
        Overrides known = next("").orElseThrow();
        done(operator.unset(ACME, Note.NONE));
        Overrides one = next(known.version()).orElseThrow();
        assertThat(one.limits()).containsExactly(OTHER);
        done(operator.unset(OTHER, Note.NONE));
        Overrides none = next(one.version()).orElseThrow();
        drop();
        assertThat(next(none.version()).map(Overrides::limits).orElse(List.of()))
                .isEmpty();
        assertThat(done(operator.all())).isEmpty();
    }

    private static final String LONG = "x".repeat(1_000_000);

    private static Document named(String name) {
        return new Document("_id", "tenant|orders|" + name);
    }

    @Test
    void areNotSentWhereSomebodyElseWroteSomethingLongOrNoLimit() {
        withLimits(limits -> limits.insertMany(List.of(
                named("ours")
                        .append("subject", "tenant")
                        .append("tiers", "1/1s")
                        .append("other", LONG),
                named("tiers").append("tiers", LONG),
                named("list").append("tiers", List.of("1/1s", LONG)),
                named("part").append("subject", new Document("x", LONG)),
                named("end").append("until", LONG),
                named("set").append("set", LONG),
                new Document("_id", 7).append("tiers", "1/1s"),
                new Document("_id", LONG))));
        done(operator.set(ACME, Note.NONE));
        assertThat(next("").orElseThrow().limits())
                .contains(ACME, new ClientOverride("tenant", "", "", "1/1s"))
                .extracting(ClientOverride::value, ClientOverride::tiers)
                .contains(
                        tuple("tiers", "(not a limit)"),
                        tuple("list", "(not a limit)"),
                        tuple("part", "(not a limit)"),
                        tuple("end", "(not a limit)"),
                        tuple("set", "(not a limit)"),
                        tuple("", "(2 of them)"))
                .hasSize(8);
        assertThat(done(operator.all())).hasSize(8);
        assertThat(mongo.largestAnswer()).isLessThan(100_000);
        assertThat(done(operator.unset(new ClientOverride("tenant", "tiers", "orders", ""), Note.NONE)))
                .isTrue();
    }

    @Test
    void areFollowedWithAnyValueUnderTheKeyOfTheVersion() {
        done(operator.set(ACME, Note.NONE));
        Overrides known = next("").orElseThrow();
        withLimits(limits ->
                limits.replaceOne(Filters.eq("_id", "!version"), new Document("birth", LONG).append("number", 1L)));
        Overrides after = next(known.version()).orElseThrow();
        assertThat(after.limits()).containsExactly(ACME);
        assertThat(next(after.version())).isEmpty();
        done(operator.set(OTHER, Note.NONE));
        assertThat(next(after.version()).orElseThrow().limits()).containsExactlyInAnyOrder(ACME, OTHER);
        assertThat(mongo.largestAnswer()).isLessThan(100_000);
    }
}
