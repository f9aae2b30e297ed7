package dev.sluice.internal.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.sluice.CounterKey;
import dev.sluice.Fuzz;
import dev.sluice.MutatedInputs;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever our keys in Redis hold: they are understood or told as a trouble of the store, and work again once they are
 * deleted.
 */
@Tag("store")
class RedisContentsFuzzTest implements MutatedInputs {

    private static final CounterKey COUNTED = key(unique(), "a", 0, System.currentTimeMillis() + 600_000);

    private static RedisServer redis;
    private static CounterStore store;
    private static List<String> keys;
    private static int sequence;

    @BeforeAll
    static void open() {
        redis = RedisServer.open();
        store = CounterStores.open(redis.patientUri());
        assertThat(exchange()).isTrue();
        keys = ((List<?>) redis.call("KEYS", "*")).stream().map(String::valueOf).toList();
        assertThat(keys).isNotEmpty();
    }

    @AfterAll
    static void close() {
        store.close();
        redis.close();
    }

    static Stream<String> replies() {
        return Fuzz.corpus("replies.txt");
    }

    /** Writes an input in many ways. */
    @Override
    public int timesAsLong() {
        return 30;
    }

    @MethodSource("replies")
    @FuzzTest(maxDuration = "5m")
    void contentsOfRedisAreUnderstoodOrATroubleOfTheStore(@NotNull String input) {
        Fuzz.read(input, text -> {
            for (String key : keys) {
                for (Content content : Content.values()) {
                    keys.forEach(any -> redis.call("DEL", any));
                    assertThat(exchange()).as("all is deleted").isTrue();
                    content.write(key, text);
                    exchange();
                }
            }
        });
    }

    /** What may be written under a key. */
    private enum Content {
        STRING("redis.call('DEL', KEYS[1]) redis.call('SET', KEYS[1], ARGV[1])"),
        LIST("redis.call('DEL', KEYS[1]) redis.call('LPUSH', KEYS[1], ARGV[1])"),
        SET("redis.call('DEL', KEYS[1]) redis.call('SADD', KEYS[1], ARGV[1])"),
        HASH("redis.call('DEL', KEYS[1]) redis.call('HSET', KEYS[1], ARGV[1], ARGV[1])"),
        /** Our own fields with other values, where there are any. */
        FIELDS("for _, f in ipairs(redis.pcall('HKEYS', KEYS[1])) do redis.call('HSET', KEYS[1], f, ARGV[1]) end");

        private final String script;

        Content(String script) {
            this.script = script;
        }

        private void write(String key, String text) {
            redis.call("EVAL", script + " return 1", "1", key, text);
        }
    }

    /** Whether the store has answered; if not, it said so as stores do. */
    private static boolean exchange() {
        try {
            Batch batch =
                    batch("i", ++sequence, statementOf(COUNTED, 10).used(1).statement());
            Batch.Reply reply = store.exchange(batch).toCompletableFuture().get(20, TimeUnit.SECONDS);
            assertThat(reply.grants()).hasSize(1);
            return true;
        } catch (Exception e) {
            assertThat(e.getCause()).isInstanceOf(StoreException.class);
            assertThat(Fuzz.isPlain(e.getCause().getMessage()))
                    .as(e.getCause().getMessage())
                    .isTrue();
            return false;
        }
    }
}
