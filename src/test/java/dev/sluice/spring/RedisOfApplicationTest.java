package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.config.Sluice;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

/** Instances of an application count together in the Redis that it uses, without a word about it. */
@Timeout(120)
class RedisOfApplicationTest {

    private static final String FIVE =
            "{ id: product, pathPattern: /product/*, tiers: [ { period: 1d, threshold: 5 } ] }";

    /** However busy this machine is, no instance admits anything by itself. */
    private static final String TOGETHER = "store: { onFailure: deny }\nendpoints: [ " + FIVE + " ]";

    private static RedisServer redis;
    private static int port;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startRedis() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        redis = RedisServer.newRedisServer()
                .port(port)
                .setting("bind 127.0.0.1")
                .setting("requirepass p@ss/word")
                .build();
        redis.start();
    }

    @AfterAll
    static void stopRedis() throws IOException {
        redis.stop();
    }

    private RunningApplication start(String limits) throws IOException {
        return RunningApplication.start(
                Shop.class,
                "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), limits),
                "spring.data.redis.url=redis://:p%40ss%2Fword@127.0.0.1:" + port + "/2");
    }

    private static String store(RunningApplication shop) {
        var store = shop.bean(Sluice.class).status().store();
        return store == null ? "memory:" : store.name();
    }

    @Test
    void twoInstancesShareALimit() throws IOException {
        try (RunningApplication one = start(TOGETHER);
                RunningApplication other = start(TOGETHER)) {
            assertThat(store(one)).isEqualTo("redis://127.0.0.1:" + port + "/2");
            AtomicInteger admitted = new AtomicInteger();
            Eventually.await("five calls pass", () -> admitted.addAndGet(ofTwo(one, other)) >= 5);
            for (int i = 0; i < 5; i++) {
                admitted.addAndGet(ofTwo(one, other));
            }
            assertThat(admitted).hasValue(5);
        }
    }

    /** How many of two calls pass, one to each instance. */
    private static int ofTwo(RunningApplication one, RunningApplication other) {
        return (int) Stream.of(one, other)
                .filter(each -> each.get("/product/1", "X-Org-Id", "acme").statusCode() == 200)
                .count();
    }

    @Test
    void whatTheFileSaysGoesBefore() throws IOException {
        try (RunningApplication shop = start("store: { uri: \"memory:\" }\nendpoints: [ " + FIVE + " ]")) {
            assertThat(store(shop)).isEqualTo("memory:");
        }
    }
}
