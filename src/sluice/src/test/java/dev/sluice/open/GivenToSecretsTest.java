package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.ClientOverride;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client whom a secret identifies, such as an API key, can be given calls: by its hash, its name or the key. */
@Timeout(60)
@Tag("store")
class GivenToSecretsTest {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private static Sluice open() {
        return Sluice.builder()
                .config(GivenFile.of("""
                    store: { uri: "%s", onStart: fail }
                    sync: { timeout: 10s }
                    secrets: { key: "0123456789abcdef0123456789abcdef" }
                    subjects: { tenant: [ "hash(header:X-Api-Key)", ip ] }
                    clients:
                      - { tenant: key-of-acme, name: Acme Ltd, endpoints: { shop: [ { period: 1d, threshold: 3 } ] } }
                    endpoints:
                      - { id: shop, pathPattern: /shop, tiers: [ { period: 1d, threshold: 2 } ] }
                    """.formatted(redis.patientUri())))
                .open();
    }

    private static int passed(Sluice sluice, String key) {
        int passed = 0;
        while (passed < 50 && call(sluice, key).admitted()) {
            passed++;
        }
        return passed;
    }

    private static Decision call(Sluice sluice, String key) {
        return sluice.decide(TestCall.get("/shop").with("X-Api-Key", key));
    }

    @ParameterizedTest
    @CsvSource({"key-of-acme, hash, 3", "key-of-acme, name, 3", "key-of-acme, secret, 3", "another-key, hash, 2"})
    void namesThemByHashOrName(String key, String how, int limit) throws Exception {
        try (Sluice sluice = open()) {
            assertThat(passed(sluice, key)).isEqualTo(limit);
            String hash = call(sluice, key).subjects().get(0).value();
            String client = how.equals("hash") ? hash : how.equals("name") ? "Acme Ltd" : key;
            assertThat(sluice.give(new ClientOverride("tenant", client, "shop", ""), 4, "", "")
                            .toCompletableFuture()
                            .get(10, TimeUnit.SECONDS)
                            .values())
                    .containsExactly(4L);
            Eventually.await("a call passes", () -> call(sluice, key).admitted());
            assertThat(passed(sluice, key)).isEqualTo(3);
        }
    }
}
