package dev.sluice.internal.store.redis.script;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.internal.store.redis.script.CountingScript.Work;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever somebody else has put under a key of ours, the script reads it once at most, does little with it, and
 * counts. It is measured by what the script reads and by its steps, so by no clock.
 */
@Timeout(120)
@Tag("store")
class HugeValuesTest {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private static final Map<String, Rule> RULES = Map.of(
            "total", new Rule.Total(10_000_000),
            "frame", new Rule.Frame(10_000_000, 2),
            "bucket", new Rule.Bucket(1000, 1, 10_000_000, 10_000_000),
            "log", new Rule.Log(100_000, 60_000),
            "slots", new Rule.Slots(100_000, 1, 0, Long.MAX_VALUE));

    private static final long LONGEST_WRITTEN = 1_000_000;

    private static CountingScript script;

    private final CounterKey key = key("huge", "t", 0, System.currentTimeMillis() + 600_000);

    @BeforeAll
    static void connect() {
        script = new CountingScript(redis);
    }

    @AfterAll
    static void disconnect() {
        script.close();
    }

    /** Each script writes to KEYS[1]; {@code ARGV[1]} is the time in milliseconds. */
    private enum Content {
        DIGITS("redis.call('SET', KEYS[1], string.rep('9', 1000000))"),
        ENTRIES_OF_A_BUCKET("redis.call('SET', KEYS[1], string.rep(ARGV[1] .. ' 1 ', 60000))"),
        SMALL_NUMBERS("redis.call('SET', KEYS[1], string.rep('1 ', 2000))"),
        LIST("for n = 1, 20000 do redis.call('RPUSH', KEYS[1], n) end"),
        SLOTS("for n = 1, 20000 do redis.call('HSET', KEYS[1], n, '1 1 1 9999999999999') end"),
        LONG_SLOT("redis.call('HSET', KEYS[1], 'x', string.rep('9', 1000000))"),
        OLD_CALLS("for n = 1, 20000 do redis.call('ZADD', KEYS[1], 1, n) end");

        private final String script;

        Content(String script) {
            this.script = script;
        }

        private void write(CounterKey key) {
            redis.call("EVAL", script + " return 1", "1", key.text(), String.valueOf(System.currentTimeMillis() - 5));
        }
    }

    static Stream<Arguments> rulesAndContents() {
        return RULES.keySet().stream()
                .sorted()
                .flatMap(rule -> Stream.of(Content.values()).map(content -> Arguments.of(rule, content)));
    }

    @ParameterizedTest
    @MethodSource("rulesAndContents")
    void underACounterCountAsNone(String rule, Content content) throws Exception {
        content.write(key);
        assertLittleWork(script.apply(asking(rule, 1)), LONGEST_WRITTEN);
        assertLittleWork(script.apply(asking(rule, 2)), 5000);
    }

    private Batch asking(String rule, long sequence) {
        return batch("i", sequence, statementOf(key, RULES.get(rule)).used(1).needing(1));
    }

    private static void assertLittleWork(Work work, long longest) {
        assertThat(work.granted()).isEqualTo(1);
        assertThat(work.steps()).as("steps").isLessThan(3000);
        assertThat(work.longest()).as("characters read at once").isLessThanOrEqualTo(longest);
    }

    /** What may stand in a field of the hash with shares and answers. */
    private enum Field {
        LONG("string.rep('9', 1000000)"),
        LONG_NUMBERS("string.rep('9', 400) .. ' ' .. string.rep('9', 400) .. ' 1 9999999999999\\n5 9999999999999 x'"),
        ALMOST_TOO_LONG("string.rep('9', 262000)"),
        NUMBERS("'9999999999999 9999999999999999999999 5 5 99999999999999999999999\\n'");

        private final String value;

        Field(String value) {
            this.value = value;
        }
    }

    @ParameterizedTest
    @EnumSource
    void amongSharesAndAnswersCountAsNone(Field field) throws Exception {
        script.apply(batch("i", 1, statementOf(key, 1000).used(1).holding(5)));
        for (String name : List.of(key.text(), "!answer:0:i", "of somebody else")) {
            String write = "redis.call('HSET', KEYS[1], ARGV[1], " + field.value + ") return 1";
            redis.call("EVAL", write, "1", Chunk.shares(0), name);
        }
        for (long sequence = 2; sequence < 5; sequence++) {
            assertLittleWork(
                    script.apply(
                            batch("i", sequence, statementOf(key, 1000).used(1).needing(1))),
                    sequence == 2 ? LONGEST_WRITTEN : 262_144);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DIGITS", "SMALL_NUMBERS"})
    void underTheBirthCountAsNone(Content content) throws Exception {
        String write = content.script.replace("KEYS[1]", "'sluice:{0/16}:!birth'");
        redis.call("EVAL", write + " return 1", "0", "1");
        assertLittleWork(script.apply(asking("total", 1)), 21);
    }
}
