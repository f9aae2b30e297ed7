package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.sluice.Decision.Outcome;
import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.fleet.LogLines;
import dev.sluice.internal.store.OverrideStores;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.ClientOverride;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where limits of clients are kept, somebody else has written a huge value: all others hold, and calls are counted. */
@Timeout(60)
@Tag("store")
class HugeOverrideTest {

    @Test
    void isPassedOverInRedis() {
        try (RedisServer redis = RedisServer.open()) {
            String write = "return redis.call('HSET', KEYS[1], ARGV[1], string.rep('x', 20000000))";
            redis.call("EVAL", write, "1", "sluice:{limits}", "tenant|get-product|beta");
            assertOthersHold(redis.patientUri(), "(20000000 bytes)");
        }
    }

    @Test
    void isPassedOverInMongo() {
        try (MongoServerInProcess mongo = MongoServerInProcess.open();
                MongoClient client = MongoClients.create(mongo.uri())) {
            client.getDatabase("sluice")
                    .getCollection("sluice.limits")
                    .insertOne(new Document("_id", "tenant|get-product|beta").append("tiers", "x".repeat(1_000_000)));
            assertOthersHold(mongo.patientUri(), "(not a limit)");
        }
    }

    private static void assertOthersHold(String uri, String told) {
        try (OverrideStore operator = OverrideStores.open(uri);
                LogLines log = new LogLines();
                Sluice limits = Sluice.builder()
                        .config(GivenFile.with("store: { uri: \"" + uri
                                + "\", onStart: fail }\nlimits: { refresh: 100ms }\nsync: { timeout: 10s }"))
                        .open()) {
            ClientOverride acme = new ClientOverride("tenant", "acme", "get-product", "1/1h");
            operator.set(acme, StoredOverride.Note.NONE).toCompletableFuture().join();
            Eventually.await(
                    "the limit that was set",
                    () -> limits.decide(TestCall.get("/product/1").of("acme")).outcome() == Outcome.REFUSED);
            assertThat(limits.decide(TestCall.get("/product/1").of("beta")).outcome())
                    .isEqualTo(Outcome.ADMITTED);
            assertThat(log.with("WARN "))
                    .filteredOn(line -> !line.contains("secondary index"))
                    .singleElement()
                    .asString()
                    .contains("Skipped: tenant get-product: its value in the store is not a limit, or is too long for"
                            + " one")
                    .contains(told);
            assertThat(log.with("unavailable")).isEmpty();
        }
    }
}
