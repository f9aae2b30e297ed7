package dev.sluice.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The counters in MongoDB decide what becomes of the next call, as those in Redis do. */
@Timeout(240)
@Tag("store")
class ExplainInMongoTest {

    private static final String FILE = """
            sync: { timeout: 30s }
            subjects: { tenant: [ "header:X-Org-Id" ] }
            endpoints:
              - { id: a, pathPattern: /a, cost: 2, tiers: [ { period: 360d, threshold: 10 } ] }
              - { id: s, pathPattern: /s, tiers: [ { algorithm: sliding-window, period: 360d, threshold: 10 } ] }
              - { id: t, pathPattern: /t, tiers: [ { algorithm: token-bucket, period: 360d, threshold: 10 } ] }
              - { id: l, pathPattern: /l, tiers: [ { algorithm: sliding-log, period: 360d, threshold: 10 } ] }
              - { id: p, pathPattern: /p, tiers: [ { algorithm: concurrency, threshold: 3 } ] }
            """;

    @TempDir
    private Path directory;

    private final MongoServerInProcess mongo = MongoServerInProcess.open();

    @AfterEach
    void close() {
        mongo.close();
    }

    private ExplainedStore store;

    @BeforeEach
    void writeFile() throws IOException {
        store = ExplainedStore.of(directory, FILE, mongo.patientUri());
    }

    @Test
    void showsWhatIsLeftAndWhatHappensToTheNextCall() {
        store.callUntilKnown("/a", 2, "now: 4 of 10 used, 0 held by instances, 6 left, full reset in ");
        assertThat(store.explain("/a", "acme")).contains("\nThe next such call passes");
        assertThat(store.explain("/a", "other")).contains("now: 0 of 10 used, 0 held by instances, 10 left");
        store.callUntilKnown("/a", 9, "now: 10 of 10 used, 0 held by instances, 0 left");
        assertThat(store.explain("/a", "acme"))
                .contains(
                        "\nThe next such call is refused:\n  by a, tier 360d: it costs 2, and 0 of 10 are left; a retry passes in ");
    }

    @Test
    void readsCountersOfEachAlgorithm() {
        store.callUntilKnown("/s", 3, "now: 3 of 10 used, 0 held by instances, 7 left");
        store.callUntilKnown("/t", 3, "now: 3 of 10 used, 0 held by instances, 7 left");
        store.callUntilKnown("/l", 3, "now: 3 of 10 used, 0 held by instances, 7 left");
        store.callUntilKnown("/p", 1, "now: 1 of 3 used, 0 held by instances, 2 left");
    }

    @Test
    void showsTheLimitThatIsSetInTheStore() {
        store.assertShowsLimitsThatAreSet();
    }

    @Test
    void changesNothing() {
        store.callUntilKnown("/a", 2, "now: 4 of 10 used");
        try (MongoClient client = MongoClients.create(mongo.uri())) {
            MongoDatabase database = client.getDatabase("sluice");
            Map<String, List<Document>> before = contents(database);
            String unused = store.explain("/a", "acme");
            unused = store.explain("/a", "stranger");
            assertThat(contents(database)).isEqualTo(before);
        }
    }

    /** All documents but news, which may be left by instances that have stopped. */
    private static Map<String, List<Document>> contents(MongoDatabase database) {
        Map<String, List<Document>> contents = new TreeMap<>();
        for (String name : List.of("sluice.counters", "sluice.limits", "sluice.instances")) {
            contents.put(name, database.getCollection(name).find().into(new ArrayList<>()));
        }
        return contents;
    }
}
