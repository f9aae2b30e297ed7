package dev.sluice.store;

import static dev.sluice.store.Exchanges.claim;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Batch;
import dev.sluice.Batch.Claim;
import dev.sluice.CounterKey;
import dev.sluice.CounterStore;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an exchange costs Redis, in commands; docs/stores.md tells the same. */
class RedisCommandsTest {

    private static RedisServer redis;
    private static CounterStore store;

    private final long end = System.currentTimeMillis() + 600_000;
    private long sequence = 1;

    @BeforeAll
    static void start() {
        redis = RedisServer.open();
        store = CounterStores.open(redis.uri() + "?timeout=5s");
    }

    @AfterAll
    static void stop() {
        store.close();
        redis.close();
    }

    @BeforeEach
    void empty() {
        redis.call("FLUSHALL");
    }

    /** The commands of these batches, each claiming for as many counters. */
    private Map<String, Long> commands(int batches, int counters, Function<CounterKey, Claim> claim) {
        redis.call("CONFIG", "RESETSTAT");
        List<Claim> claims = IntStream.range(0, counters)
                .mapToObj(i -> claim.apply(key("get-product", "tenant-" + i, 0, end)))
                .toList();
        for (int i = 0; i < batches; i++) {
            exchange(store, new Batch("commands", sequence++, claims));
        }
        Map<String, Long> calls = redis.commandCalls();
        calls.remove("info");
        calls.keySet().removeIf(name -> name.startsWith("config"));
        return calls;
    }

    private static Claim ordinary(CounterKey key) {
        return claim(key, 10, 20, 0, 1_000_000);
    }

    @Test
    void aCounterInUseCostsOneCommandAndAnEighth() {
        commands(1, 25, RedisCommandsTest::ordinary);
        assertThat(commands(8, 25, RedisCommandsTest::ordinary))
                .isEqualTo(Map.of("evalsha", 8L, "time", 8L, "get", 8L, "set", 8L, "incrby", 200L, "pttl", 25L));
    }

    @Test
    void aReportCostsTheSame() {
        commands(1, 25, key -> report(key, 1));
        assertThat(commands(8, 25, key -> report(key, 1)))
                .isEqualTo(Map.of("evalsha", 8L, "time", 8L, "get", 8L, "set", 8L, "incrby", 200L, "pttl", 25L));
    }

    @Test
    void aBirthCostsOneMore() {
        commands(1, 1, RedisCommandsTest::ordinary);
        redis.call("FLUSHALL");
        assertThat(commands(1, 25, RedisCommandsTest::ordinary))
                .isEqualTo(Map.of("evalsha", 1L, "time", 1L, "get", 1L, "set", 1L, "incrby", 25L, "pexpire", 25L));
    }

    @Test
    void aSpentCounterCostsACorrection() {
        commands(1, 8, key -> claim(key, 10, 0, 0, 10));
        assertThat(commands(1, 8, key -> claim(key, 0, 5, 0, 10)))
                .isEqualTo(Map.of("evalsha", 1L, "time", 1L, "get", 1L, "set", 1L, "incrby", 16L, "pttl", 1L));
    }

    @Test
    void aResendCostsThree() {
        commands(1, 25, RedisCommandsTest::ordinary);
        sequence--;
        assertThat(commands(1, 25, RedisCommandsTest::ordinary))
                .isEqualTo(Map.of("evalsha", 1L, "time", 1L, "get", 1L));
    }

    @Test
    void aLongBatchIsOneScriptCallForEveryChunk() {
        int counters = 3 * Chunk.CLAIMS + 1;
        commands(1, counters, RedisCommandsTest::ordinary);
        assertThat(commands(1, counters, RedisCommandsTest::ordinary))
                .containsEntry("evalsha", 4L)
                .containsEntry("getrange", 3L)
                .containsEntry("incrby", (long) counters);
    }
}
