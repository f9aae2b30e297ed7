package dev.sluice.internal.store.redis.admin;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.Subject;
import dev.sluice.cell.CellState.Lapsed;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.OperatedStore;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    private static final String SHARES = "sluice:{0/16}:!shares";

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
        return lookWithLapses(key, rule).grant();
    }

    private LiveCounters.Look lookWithLapses(CounterKey key, Rule rule) {
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

    /** Of four instances, one holds permits, two have lapsed, and one lapsed days ago. */
    private static String shares(long now) {
        return "9999999999999 30 1 9999999999999\n30 9999999999999 one\n20 " + (now - 100) + " two three\n!7 "
                + (now - 200) + " four\n!5 1 five\n?1 1 9999999999999 six";
    }

    @Test
    void tellsWhatUnresponsiveInstancesHeldSinceWhen() {
        CounterKey key = lasting("acme");
        long now = done(store.counters().nowMillis());
        redis.call("SET", key.text(), "100");
        redis.call("HSET", SHARES, key.text(), shares(now));
        assertThat(lookWithLapses(key, new Rule.Total(1000)))
                .isEqualTo(new LiveCounters.Look(
                        new Grant(100, 0, 30),
                        List.of(new Lapsed("four", 7, now - 200), new Lapsed("two three", 20, now - 100))));
        redis.call("DEL", key.text());
        assertThat(look(key, new Rule.Total(1000))).isEqualTo(new Grant(57, 0, 30));
    }

    @Test
    void countsWhatLapsedOfABucketAndALogWhenTheLeaseEnded() {
        CounterKey key = lasting("acme");
        long now = done(store.counters().nowMillis());
        redis.call("HSET", SHARES, key.text(), shares(now));
        Rule oneASecond = new Rule.Bucket(1000, 1, 100_000, 100_000);
        assertThat(look(key, oneASecond).total()).isEqualTo(now - 200 + (7 + 20 + 30) * 1000);
        redis.call("SET", key.text(), "1000/1 " + (now - 250) + " 7 " + (now - 50) + " 1");
        assertThat(look(key, oneASecond).total()).isEqualTo(now - 250 + (7 + 20 + 1 + 30) * 1000);
        redis.call("DEL", key.text());
        assertThat(look(key, new Rule.Log(100, 60_000))).isEqualTo(new Grant(57, 0, 30, List.of(now - 200)));
        redis.call("ZADD", key.text(), String.valueOf(now - 50), "call");
        assertThat(look(key, new Rule.Log(100, 60_000))).isEqualTo(new Grant(51, 0, 30, List.of(now - 100)));
    }

    @Test
    void ofAFrameItTellsWhatLapsedInEarlierFramesToo() {
        CounterKey key = lasting("frames");
        Rule rule = new Rule.Frame(1000, 2);
        try (CounterStore counting = CounterStores.open(redis.patientUri())) {
            done(counting.exchange(batch(
                    "dead", 1, statementOf(key.earlier(1), rule).holding(5).leasedFor(Duration.ofMillis(1)))));
            done(counting.exchange(batch(
                    "dead", 2, statementOf(key.earlier(3), rule).holding(7).leasedFor(Duration.ofMillis(1)))));
        }
        Eventually.await(
                "the end of the lease",
                () -> lookWithLapses(key, rule).lapsed().stream()
                        .map(Lapsed::permits)
                        .toList()
                        .equals(List.of(5L)));
    }

    /** A look returns the same figures as the answer to the next statement. */
    @Test
    void tellsOfLapsesWhatExchangesTell() {
        Map<String, Rule> rules = Map.of(
                "total", new Rule.Total(100),
                "frame", new Rule.Frame(100, 1),
                "bucket", new Rule.Bucket(86_400_000, 1, 86_400_000L * 100, 86_400_000L * 100),
                "log", new Rule.Log(100, 60_000));
        try (CounterStore counting = CounterStores.open(redis.patientUri())) {
            rules.forEach((name, rule) -> {
                CounterKey key = lasting(name);
                done(counting.exchange(batch(
                        "dead-" + name,
                        1,
                        statementOf(key, rule).used(3).holding(5).leasedFor(Duration.ofMillis(1)))));
                Eventually.pause(5);
                LiveCounters.Look before = lookWithLapses(key, rule);
                assertThat(before.lapsed())
                        .extracting(Lapsed::instance, Lapsed::permits)
                        .containsExactly(tuple("dead-" + name, 5L));
                Grant told = done(counting.exchange(batch("alive-" + name, 1, statementOf(key, rule))))
                        .grants()
                        .get(0);
                assertThat(before.grant().total()).isEqualTo(told.total());
                assertThat(lookWithLapses(key, rule)).as(name).isEqualTo(before);
                done(counting.exchange(
                        batch("dead-" + name, 2, statementOf(key, rule).used(1))));
                assertThat(lookWithLapses(key, rule).lapsed()).isEmpty();
            });
        }
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
