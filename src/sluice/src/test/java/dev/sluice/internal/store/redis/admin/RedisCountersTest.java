package dev.sluice.internal.store.redis.admin;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.OperatedStore;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Looking at counters tells what exchanges would tell, and changes nothing. */
@Tag("store")
class RedisCountersTest {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private OperatedStore store;

    @BeforeEach
    void open() {
        store = OperatedStore.open(redis.patientUri());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private Grant look(CounterKey key, Rule rule) {
        long now = done(store.counters().nowMillis());
        return done(store.counters().look(List.of(new LiveCounter(key, rule)), now, true))
                .get(0);
    }

    private static CounterKey lasting(String value) {
        return key(value, "a", 0, System.currentTimeMillis() + 600_000);
    }

    @Test
    void tellsWhatIsUsedAndHeldAndChangesNothing() {
        CounterKey key = lasting("acme");
        try (CounterStore counting = CounterStores.open(redis.patientUri())) {
            Batch batch =
                    batch("i", 1, statementOf(key, 1000).used(10).wanting(20).statement());
            long granted = done(counting.exchange(batch)).grants().get(0).granted();
            assertThat(granted).isPositive();
            List<?> before = everything();
            redis.call("CONFIG", "RESETSTAT");
            Grant grant = look(key, new Rule.Total(1000));
            assertThat(grant.total()).isEqualTo(10 + granted);
            assertThat(grant.elsewhere()).isEqualTo(granted);
            assertThat(redis.commandCalls().keySet())
                    .isSubsetOf(
                            "time",
                            "getrange",
                            "eval",
                            "hstrlen",
                            "hget",
                            "zrange",
                            "config|resetstat",
                            "config",
                            "info",
                            "hello",
                            "client",
                            "client|setinfo",
                            "client|setname",
                            "command",
                            "ping");
            assertThat(everything()).isEqualTo(before);
        }
    }

    /** All keys with what they hold and when they end. */
    private static List<?> everything() {
        return (List<?>) redis.call(
                "EVAL",
                "local all = redis.call('KEYS', '*') table.sort(all) local told = {} "
                        + "for n, k in ipairs(all) do told[#told + 1] = k told[#told + 1] = redis.call('DUMP', k) end "
                        + "return told",
                "0");
    }

    @Test
    void takesSharesWhoseLeaseHasEndedForFree() {
        CounterKey key = lasting("acme");
        redis.call("SET", key.text(), "100");
        redis.call("HSET", "sluice:{0/16}:!shares", key.text(), "9999999999999\n30 9999999999999 one\n20 1 two");
        Grant grant = look(key, new Rule.Total(1000));
        assertThat(grant.total()).isEqualTo(80);
        assertThat(grant.elsewhere()).isEqualTo(30);
    }

    @Test
    void readsEveryRule() {
        CounterKey key = lasting("acme");
        long now = done(store.counters().nowMillis());
        redis.call("SET", key.text(), "5");
        redis.call("SET", key.earlier(1).text(), "7");
        assertThat(look(key, new Rule.Frame(10, 1)).details()).containsExactly(7L);
        redis.call("SET", key.text(), "1000000000000000");
        assertThat(look(key, new Rule.Total(10)).total()).isEqualTo(999_999_999_999_999L);
        redis.call("SET", key.text(), "1000/1 " + (now - 1000) + " 3");
        assertThat(look(key, new Rule.Bucket(1000, 1, 5000, 9000)).total()).isBetween(now + 1500, now + 2001);
        redis.call("DEL", key.text());
        redis.call("ZADD", key.text(), (now - 90_000) + "", "old", now + "", "new");
        redis.call("ZADD", key.text(), (3 * (1L << 42) + now - 90_000) + "", "old eight");
        redis.call("ZADD", key.text(), (3 * (1L << 42) + now - 30_000) + "", "eight");
        Grant log = look(key, new Rule.Log(10, 60_000));
        assertThat(log.total()).isEqualTo(9);
        assertThat(log.details()).containsExactly(now - 30_000);
        redis.call("DEL", key.text());
        redis.call("HSET", key.text(), "one", "2 1 " + now + " " + (now + 60_000), "gone", "5 5 1 1");
        Grant slots = look(key, new Rule.Slots(10, 0, 0, Long.MAX_VALUE));
        assertThat(slots.total()).isEqualTo(3);
        assertThat(slots.elsewhere()).isEqualTo(1);
    }

    @Test
    void takesWhatSomebodyElseWroteForNothing() {
        CounterKey key = lasting("acme");
        redis.call("LPUSH", key.text(), "x");
        assertThat(look(key, new Rule.Total(10)).total()).isZero();
        assertThat(look(key, new Rule.Frame(10, 2)).total()).isZero();
        assertThat(look(key, new Rule.Log(10, 1000)).total()).isZero();
        assertThat(look(key, new Rule.Slots(10, 0, 0, Long.MAX_VALUE)).total()).isZero();
        redis.call("DEL", key.text());
        redis.call("SET", key.text(), "9".repeat(400));
        assertThat(look(key, new Rule.Total(10)).total()).isZero();
        assertThat(look(key, new Rule.Bucket(1, 1, 10, 20)).total()).isPositive();
    }

    @Test
    void findsAllCountersInSteps() {
        List<String> written = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            CounterKey key = new CounterKey(
                    "a", "*", "1h", List.of(new Subject("tenant", "header:X", "\u202e " + i + "%=+:")), 0, i + 1);
            written.add(key.text());
            redis.call("SET", key.text(), "1");
        }
        redis.call("SET", "sluice:{1/16}:no:counter", "1");
        redis.call("SET", "sluice:{1/16}:a:b:c:d:0:1", "1");
        List<String> found = new ArrayList<>();
        int steps = 0;
        Optional<LiveCounters.Position> next = Optional.of(LiveCounters.Position.FIRST);
        while (next.isPresent()) {
            LiveCounters.Page step = done(store.counters().scan(next.get()));
            assertThat(step.keys()).hasSizeLessThan(2000);
            step.keys().forEach(key -> found.add(key.text()));
            next = step.next();
            steps++;
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(written);
        assertThat(steps).isGreaterThan(2);
    }
}
