package dev.sluice.internal.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.fleet.LogLines;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No secret of a caller is found in Redis, and limits that are set there for its hash are its own. */
@Tag("store")
class SecretsInRedisTest {

    private static final String FILE = """
        store: { uri: "%s", onStart: fail }
        secrets: { key: "the key of all instances" }
        limits: { refresh: 100ms }
        subjects:
          tenant: { sources: [ "header:X-Api-Key", ip ], secret: true }
        endpoints:
          - { id: shop, pathPattern: /shop, tiers: [ { period: 1h, threshold: 3 } ] }
          - id: log
            pathPattern: /log
            tiers: [ { period: 1h, threshold: 3, algorithm: sliding-log } ]
        """;

    private static final String SECRET = "k-0123456789";
    private static final String HASH =
            SecretDigest.keyed("the key of all instances").apply(SECRET);

    private static TestCall call(String path) {
        return TestCall.get(path).with("X-Api-Key", SECRET).from("192.0.2.77");
    }

    @Test
    void standsThereByItsHashAlone() {
        try (LogLines log = new LogLines();
                RedisServer redis = RedisServer.open();
                Sluice limits = open(redis)) {
            for (int i = 0; i < 5; i++) {
                limits.decide(call("/shop"));
                limits.decide(call("/log"));
            }
            limits.decide(TestCall.get("/shop").from("192.0.2.77"));
            Eventually.await("the counters", () -> contents(redis).contains(HASH.substring(1)));
            Eventually.await(
                    "those of an address",
                    () -> contents(redis)
                            .contains(SecretDigest.keyed("the key of all instances")
                                    .apply("192.0.2.77")
                                    .substring(1)));
            limits.close();

            assertThat(contents(redis)).doesNotContain(SECRET, "192.0.2.77");
            assertThat(String.join("\n", log.all())).doesNotContain(SECRET, "192.0.2.77", "the key of all instances");
        }
    }

    @Test
    void hasTheLimitThatIsSetForItsHash() {
        try (RedisServer redis = RedisServer.open();
                Sluice limits = open(redis)) {
            redis.call("HSET", "sluice:{limits}", "tenant|shop|" + HASH, "7/1h");
            redis.call("SET", "sluice:{limits}:version", "1");

            Eventually.await(
                    "the client's limit",
                    () -> limits.explain(call("/shop")).get(0).tier().limit().threshold() == 7);
        }
    }

    @Test
    void isToldIfALimitIsSetForItsClearValue() {
        try (LogLines log = new LogLines();
                RedisServer redis = RedisServer.open();
                Sluice limits = open(redis)) {
            redis.call("HSET", "sluice:{limits}", "tenant|shop|" + SECRET, "7/1h");
            redis.call("SET", "sluice:{limits}:version", "1");

            Eventually.await(
                    "a warning",
                    () -> !log.with("the subject is secret, but the client is not hashed")
                            .isEmpty());
            assertThat(limits.explain(call("/shop")).get(0).tier().limit().threshold())
                    .isEqualTo(3);
            assertThat(String.join("\n", log.all())).doesNotContain(SECRET);
        }
    }

    private static Sluice open(RedisServer redis) {
        return Sluice.builder()
                .config(new GivenFile(FILE.formatted(redis.patientUri())))
                .open();
    }

    /** All that Redis holds, keys and values. */
    private static String contents(RedisServer redis) {
        List<String> all = new ArrayList<>();
        for (Object key : (List<?>) redis.call("KEYS", "*")) {
            all.add(String.valueOf(key));
            String type = String.valueOf(redis.call("TYPE", String.valueOf(key)));
            Object value = switch (type) {
                case "string" -> redis.call("GET", String.valueOf(key));
                case "hash" -> redis.call("HGETALL", String.valueOf(key));
                case "zset" -> redis.call("ZRANGE", String.valueOf(key), "0", "-1");
                case "set" -> redis.call("SMEMBERS", String.valueOf(key));
                case "list" -> redis.call("LRANGE", String.valueOf(key), "0", "-1");
                default -> throw new AssertionError("a value of the type " + type);
            };
            all.add(String.valueOf(value));
        }
        return String.join("\n", all);
    }
}
