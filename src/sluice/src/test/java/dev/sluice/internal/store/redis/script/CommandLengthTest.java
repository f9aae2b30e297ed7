package dev.sluice.internal.store.redis.script;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.script.CountingScript.Work;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.store.Exchanges.Asked;
import dev.sluice.tier.Limit;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ElastiCache Serverless takes at most 3,999 words a command, and so may other servers. */
@Tag("store")
class CommandLengthTest {

    private static final int MOST_WORDS = 3_999;
    /** What {@code Uses} reports of one counter at most. */
    private static final int MOST_USES = 2 * 128 + 1;

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private static CountingScript script;

    private final long end = System.currentTimeMillis() + 600_000;

    @BeforeAll
    static void connect() {
        script = new CountingScript(redis);
    }

    @AfterAll
    static void disconnect() {
        script.close();
    }

    private Asked ofEach(int i, Rule rule, int uses) {
        CounterKey key = key("get-product", "tenant-" + i, end - 600_000, end);
        Asked asked = statementOf(key, rule).holding(3).needing(1).wanting(2);
        for (int use = uses; use > 0; use--) {
            asked.used(Duration.ofMillis(use), 1);
        }
        return asked;
    }

    private Batch batchOf(Rule rule, int uses) {
        List<Statement> statements = IntStream.range(0, 450)
                .mapToObj(i -> ofEach(i, rule, uses).statement())
                .toList();
        return new Batch("i", 1, Long.MAX_VALUE, statements, Batch.Presence.ALIVE, 0);
    }

    private static void assertShort(Batch batch, List<Chunk> chunks) {
        ExchangeScript calls = new ExchangeScript(TimeToLive.USUAL, "news");
        for (Chunk chunk : chunks) {
            int arguments = Objects.requireNonNull(calls.call(CommandType.EVALSHA, "0".repeat(40), batch, chunk)
                            .getArgs())
                    .count();
            assertThat(1 + arguments).as("words of the call").isLessThanOrEqualTo(MOST_WORDS);
        }
        assertThat(chunks.stream().flatMap(chunk -> chunk.positions().stream()))
                .as("each statement once")
                .doesNotHaveDuplicates()
                .hasSameSizeAs(batch.statements());
    }

    private static void assertShort(Batch batch) {
        assertShort(batch, Chunk.ofAll(batch));
        assertShort(batch, Chunk.byShard(batch, List.of()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 17, 128, MOST_USES})
    void noCallIsLongerHoweverManyUsesItReports(int uses) {
        assertShort(batchOf(new Rule.Bucket(1000, 1, 10_000_000, 10_000_000), uses));
        assertShort(batchOf(new Rule.Log(100_000, 60_000), uses));
        assertShort(batchOf(new Rule.Total(100_000), uses));
        assertShort(batchOf(new Rule.Slots(100_000, 1, 0, Long.MAX_VALUE), uses));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, Limit.SlidingWindow.MAX_SUB_WINDOWS})
    void noCallIsLongerHoweverManyFramesCount(int frames) {
        assertShort(batchOf(new Rule.Frame(100_000, frames), 1));
    }

    @Test
    void aBatchSentAgainIsCutInTheSamePlaces() {
        Batch batch = batchOf(new Rule.Log(100_000, 60_000), 17);
        List<Statement> later = batch.statements().stream()
                .map(statement -> statement.sentLater(3_000))
                .toList();
        Batch again = new Batch(batch.instance(), batch.sequence(), later);
        assertThat(Chunk.ofAll(again)).isEqualTo(Chunk.ofAll(batch)).hasSizeGreaterThan(3);
    }

    @Test
    void theLongestBatchesCount() {
        try (CounterStore store = CounterStores.open(redis.patientUri())) {
            Batch reports = batchOf(new Rule.Log(100_000, 60_000), MOST_USES);
            assertThat(exchange(store, reports).grants())
                    .hasSize(450)
                    .allSatisfy(grant -> assertThat(grant.total()).isEqualTo(MOST_USES + 3 + grant.granted()));
        }
    }

    @Test
    void noCommandOfTheScriptIsLongerWhenManyCallsEnterAndLeaveALog() throws Exception {
        CounterKey key = key("log", "t", 0, end);
        Rule.Log rule = new Rule.Log(100_000, 3_600_000);
        long calls = 2047; // eleven members
        for (int sequence = 1; sequence <= 2; sequence++) {
            Asked uses = statementOf(key, rule);
            for (int i = 1; i <= MOST_USES; i++) {
                uses.used(Duration.ofSeconds(i), calls);
            }
            Work entered = script.apply(batch("i", sequence, uses));
            assertThat(entered.total()).isEqualTo((long) sequence * MOST_USES * calls);
            assertThat(entered.words()).isBetween(3_000L, (long) MOST_WORDS);
        }
        long all = 2 * MOST_USES * calls;
        Work left = script.apply(batch("i", 3, statementOf(key, rule).used(Duration.ofSeconds(1), 1 - all)));
        assertThat(left.total()).isEqualTo(1);
        assertThat(left.words()).isBetween(3_000L, (long) MOST_WORDS);
    }

    /** A small hash is read as a whole, and Redis can be told to take large ones for small. */
    @Test
    void noCommandOfTheScriptIsLongerWhenManyInstancesHaveLeft() throws Exception {
        String entries = redis.hasListpacks() ? "hash-max-listpack-entries" : "hash-max-ziplist-entries";
        String length = redis.hasListpacks() ? "hash-max-listpack-value" : "hash-max-ziplist-value";
        redis.call("CONFIG", "SET", entries, "100000");
        redis.call("CONFIG", "SET", length, "100000");
        String write = """
            for n = 1, 5000 do
              redis.call('HSET', KEYS[1], '!answer:0:gone' .. n, '1 0000000000000000001 1 1 0\\n1 0 1')
            end
            redis.call('HSET', KEYS[1], '!answer:0:i', '9999999999999 0000000000000000001 9999999999999 0 0\\n0')
            return 1
            """;
        redis.call("EVAL", write, "1", Chunk.shares(0));
        assumeTrue(Set.of("ziplist", "listpack").contains(redis.call("OBJECT", "ENCODING", Chunk.shares(0))));
        Work work = script.apply(
                batch("i", 2, statementOf(key("total", "t", 0, end), 100).used(1)));
        assertThat(work.words()).isBetween(3_000L, (long) MOST_WORDS);
        assertThat(redis.call("HLEN", Chunk.shares(0)))
                .as("their stubs and one answer")
                .isEqualTo(5001L);
    }
}
