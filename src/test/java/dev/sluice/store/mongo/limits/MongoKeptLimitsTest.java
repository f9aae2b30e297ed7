package dev.sluice.store.mongo.limits;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.sluice.Eventually;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Kept;
import dev.sluice.store.OverrideSources;
import dev.sluice.store.mongo.MongoServerInProcess;
import dev.sluice.store.operated.KeptLimit;
import dev.sluice.store.operated.KeptLimit.Note;
import dev.sluice.store.operated.KeptLimits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Limits of clients that are set in MongoDB hold for all who follow them, until they are removed or over. */
class MongoKeptLimitsTest {

    private static final ClientOverride ACME = new ClientOverride("tenant", "acme", "orders", "10s:5");
    private static final ClientOverride OTHER = new ClientOverride("tenant", "other|x", "*", "1h:7");

    private final MongoServerInProcess mongo = MongoServerInProcess.open();
    private final KeptLimits operator = OverrideSources.open(mongo.patientUri());
    private final KeptLimits instance = OverrideSources.open(mongo.patientUri());

    @AfterEach
    void close() {
        operator.close();
        instance.close();
        mongo.close();
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private Optional<Kept> next(String known) {
        return done(instance.changedSince(known));
    }

    @Test
    void areFollowed() {
        Kept none = next("").orElseThrow();
        assertThat(none.limits()).isEmpty();
        assertThat(next(none.version())).isEmpty();

        assertThat(done(operator.set(ACME, new Note(Duration.ZERO, "ann", "a trial"))))
                .isTrue();
        done(operator.set(OTHER, Note.NONE));
        Kept two = next(none.version()).orElseThrow();
        assertThat(two.limits()).containsExactlyInAnyOrder(ACME, OTHER);
        assertThat(two.notes().get(ACME).by()).isEqualTo("ann");
        assertThat(two.notes().get(ACME).why()).isEqualTo("a trial");
        assertThat(two.notes().get(ACME).setMillis()).isBetween(two.nowMillis() - 60_000, two.nowMillis());
        assertThat(next(two.version())).isEmpty();
        assertThat(done(operator.version())).isEqualTo(two.version());

        assertThat(done(operator.unset(ACME))).isTrue();
        assertThat(done(operator.unset(ACME))).isFalse();
        assertThat(next(two.version()).orElseThrow().limits()).containsExactly(OTHER);
    }

    @Test
    void areReplaced() {
        done(operator.set(ACME, Note.NONE));
        ClientOverride more = new ClientOverride("tenant", "acme", "orders", "10s:50");
        done(operator.set(more, Note.NONE));
        assertThat(done(operator.all()).stream().map(KeptLimit::limit)).containsExactly(more);
    }

    @Test
    void endByTheClockOfTheServer() {
        done(operator.set(OTHER, Note.NONE));
        done(operator.set(ACME, new Note(Duration.ofMillis(700), "", "")));
        Kept two = next("").orElseThrow();
        assertThat(two.untilMillis(ACME)).isBetween(two.nowMillis() - 60_000, two.nowMillis() + 1_000);
        Eventually.await("the end", () -> next(two.version()).isPresent());
        assertThat(next(two.version()).orElseThrow().limits()).containsExactly(OTHER);
        assertThat(done(operator.all()).stream().map(KeptLimit::limit)).containsExactly(OTHER);
    }

    @Test
    void whatSomebodyElseWroteIsALimitThatMakesNoSense() {
        try (MongoClient client = MongoClients.create(mongo.uri())) {
            client.getDatabase("sluice")
                    .getCollection("sluice.limits")
                    .insertMany(List.of(
                            new Document("_id", 7).append("tiers", List.of()).append("until", "x"),
                            new Document("_id", "a").append("subject", new Document())));
        }
        done(operator.set(ACME, Note.NONE));
        assertThat(done(operator.all())).hasSize(3);
        assertThat(next("").orElseThrow().limits()).contains(ACME);
    }
}
