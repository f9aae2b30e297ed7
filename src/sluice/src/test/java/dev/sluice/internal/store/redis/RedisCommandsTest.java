package dev.sluice.internal.store.redis;

import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.script.Chunk;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.store.Exchanges.Asked;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an exchange costs Redis, in commands; docs/stores.md has the sum. */
@Tag("store")
class RedisCommandsTest {

    private static RedisServer redis;
    private static CounterStore store;

    private final long end = System.currentTimeMillis() + 600_000;
    private long sequence = 1;

    @BeforeAll
    static void start() {
        redis = RedisServer.open();
        store = CounterStores.open(redis.patientUri());
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

    /** The commands of these batches, each with one statement for each of as many counters. */
    private Map<String, Long> commands(int batches, int counters, Function<CounterKey, Asked> statement) {
        redis.call("CONFIG", "RESETSTAT");
        for (int i = 0; i < batches; i++) {
            send("commands", sequence++, counters, statement);
        }
        Map<String, Long> calls = redis.commandCalls();
        calls.remove("info");
        calls.keySet().removeIf(name -> name.startsWith("config"));
        return calls;
    }

    private void send(String instance, long number, int counters, Function<CounterKey, Asked> statement) {
        List<Statement> statements = IntStream.range(0, counters)
                .mapToObj(i -> statement
                        .apply(key("get-product", "tenant-" + i, 0, end))
                        .statement())
                .toList();
        exchange(store, new Batch(instance, number, statements));
    }

    private static Asked ordinary(CounterKey key) {
        return statementOf(key, 1_000_000).used(10).holding(10).wanting(20);
    }

    private static Asked report(CounterKey key) {
        return statementOf(key, 1_000_000).used(1);
    }

    /** The commands of every batch with counters, and these. */
    private static Map<String, Long> ofBatches(long batches, Map<String, Long> others) {
        Map<String, Long> all = ofAnyBatches(batches, others);
        all.put("mget", batches);
        return all;
    }

    private static Map<String, Long> ofAnyBatches(long batches, Map<String, Long> others) {
        Map<String, Long> all = new TreeMap<>(others);
        List.of("evalsha", "time", "hmget").forEach(once -> all.put(once, batches));
        return all;
    }

    /** The TTL of every 32nd counter is looked at; the other commands. */
    private static Map<String, Long> withoutLooks(Map<String, Long> calls, int counters) {
        assertThat(calls.remove("pttl")).isBetween(1L, counters / 32L + 1);
        return calls;
    }

    @Test
    void aCounterInUseCostsThreeCommandsAndAThirtySecond() {
        commands(1, 25, RedisCommandsTest::ordinary);
        assertThat(withoutLooks(commands(8, 25, RedisCommandsTest::ordinary), 200))
                .isEqualTo(ofBatches(8, Map.of("hset", 8L, "incrby", 200L)));
    }

    @Test
    void aReportWithoutSharesCostsTheSame() {
        commands(1, 25, RedisCommandsTest::report);
        assertThat(withoutLooks(commands(8, 25, RedisCommandsTest::report), 200))
                .isEqualTo(ofBatches(8, Map.of("hset", 8L, "incrby", 200L)));
    }

    @Test
    void theFirstReportOfACounterCostsOne() {
        commands(1, 1, RedisCommandsTest::report);
        redis.call("FLUSHALL");
        Map<String, Long> expected = ofBatches(1, Map.of("getrange", 1L, "hset", 1L, "hget", 1L, "set", 26L));
        expected.put("hstrlen", 1L);
        assertThat(commands(1, 25, RedisCommandsTest::report))
                .as("and since the sender has no record, its last number and the birth of the data")
                .containsAllEntriesOf(expected);
    }

    @Test
    void aSpentCounterCostsTheNews() {
        send("other", 1, 1, key -> statementOf(key, 100).used(99).holding(1));
        commands(1, 1, key -> statementOf(key, 100));
        assertThat(commands(1, 1, key -> statementOf(key, 100).needing(1)))
                .isEqualTo(ofBatches(1, Map.of("hset", 1L, "publish", 1L)));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 8})
    void nearTheLimitTheSharesOfOthersCostNothingMore(int instances) {
        for (int i = 1; i < instances; i++) {
            send("other" + i, 1, 25, key -> statementOf(key, 1000).used(100).holding(5));
        }
        commands(
                1,
                25,
                key -> statementOf(key, 1000).used(900 - 105 * (instances - 1)).holding(5));
        Map<String, Long> calls =
                commands(1, 25, key -> statementOf(key, 1000).used(5).wanting(5));
        calls.remove("pttl");
        assertThat(calls).isEqualTo(ofBatches(1, Map.of("hset", 1L, "incrby", 25L)));
    }

    @Test
    void framesBeforeCostOnlyThatTheyAreRead() {
        Rule.Frame rule = new Rule.Frame(1_000_000, 4);
        commands(1, 20, key -> statementOf(key, rule).used(10).holding(10).wanting(20));
        assertThat(commands(
                        8,
                        20,
                        key -> statementOf(key, rule).used(10).holding(10).wanting(20)))
                .isEqualTo(ofBatches(8, Map.of("hset", 8L, "incrby", 160L)));
    }

    /** Twelve such calls took 12 seconds in which Redis answered nobody, and 150 MB. */
    @Test
    void aCallOfALogTakesFewMembersWhateverItCosts() {
        CounterKey acme = key("get-product", "tenant-0", 0, end);
        Rule.Log rule = new Rule.Log(100_000, 60_000);
        send("first", 1, 1, key -> statementOf(key, rule).used(100_000));
        assertThat((Long) redis.call("ZCARD", acme.text())).isLessThan(20);
        send("first", 2, 1, key -> statementOf(key, rule).used(-99_999));
        assertThat(redis.call("ZCARD", acme.text())).isEqualTo(1L);
        commands(1, 1, key -> statementOf(key, rule).used(1));
        assertThat(commands(8, 1, key -> statementOf(key, rule).used(1)))
                .as("of a log of single calls")
                .isEqualTo(ofAnyBatches(
                        8,
                        Map.of(
                                "hset",
                                8L,
                                "zadd",
                                8L,
                                "zcard",
                                8L,
                                "zcount",
                                8L,
                                "zrange",
                                8L,
                                "zrangebyscore",
                                8L,
                                "pexpire",
                                8L)));
    }

    @Test
    void aResendIsOnlyLookedUp() {
        commands(1, 25, RedisCommandsTest::ordinary);
        sequence--;
        assertThat(commands(1, 25, RedisCommandsTest::ordinary)).isEqualTo(ofAnyBatches(1, Map.of()));
    }

    @Test
    void anEmptyBatchCostsThree() {
        commands(1, 1, RedisCommandsTest::ordinary);
        assertThat(commands(1, 0, RedisCommandsTest::ordinary)).isEqualTo(ofAnyBatches(1, Map.of()));
    }

    @Test
    void aQuestionInVainCostsNoWrite() {
        send("other", 1, 25, key -> statementOf(key, 100).used(100));
        commands(1, 1, key -> statementOf(key, 100));
        assertThat(commands(8, 25, key -> statementOf(key, 100).needing(1)).keySet())
                .containsOnly("evalsha", "time", "hmget", "mget", "pttl");
    }

    @Test
    void aLongBatchIsOneScriptCallForEveryChunk() {
        int counters = 3 * Chunk.COUNTERS + 1;
        commands(1, counters, RedisCommandsTest::ordinary);
        assertThat(commands(1, counters, RedisCommandsTest::ordinary))
                .containsEntry("evalsha", 4L)
                .containsEntry("hmget", 4L)
                .containsEntry("incrby", (long) counters);
    }
}
