package dev.sluice.internal.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.store.redis.connection.RedisAddressParser;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.store.Exchanges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nothing stays in Redis. */
@Tag("store")
class RedisTtlTest {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private static final String BIRTH = "sluice:{0/16}:!birth";
    private static final String SHARES = "sluice:{0/16}:!shares";

    private static final long DAY = Duration.ofDays(1).toMillis();

    private static CounterStore open(TimeToLive expiry) {
        return RedisCounterStore.open(RedisAddressParser.parse(redis.patientUri()), expiry);
    }

    /** All but the one that tells since when Redis has had data, which outlives all counters. */
    private static List<?> keys() {
        return ((List<?>) redis.call("KEYS", "*"))
                .stream().filter(key -> !key.equals(BIRTH)).toList();
    }

    private static long ttl(Object key) {
        return (Long) redis.call("PTTL", (String) key);
    }

    @Test
    void everyKeyHasATtlFromTheMomentItExists() {
        long now = System.currentTimeMillis();
        Random random = new Random(3);
        try (CounterStore store = open(TimeToLive.USUAL)) {
            for (int sequence = 1; sequence <= 50; sequence++) {
                List<Statement> statements = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    CounterKey key = key(
                            "e", "t" + random.nextInt(1000) + "-" + i, now - 5000, now + 15_000 + random.nextInt(5000));
                    statements.add(statementOf(key, random.nextInt(4))
                            .used(random.nextInt(-3, 3))
                            .holding(random.nextInt(3))
                            .needing(random.nextInt(3))
                            .statement());
                }
                exchange(store, new Batch("i", sequence, statements));
                assertThat(keys())
                        .hasSizeGreaterThanOrEqualTo(4)
                        .allSatisfy(key -> assertThat(ttl(key))
                                .isBetween(1L, key.toString().contains("!") ? DAY + 60_000L : 22_000L));
            }
        }
    }

    @Test
    void redisIsEmptyWhenTheWindowsHavePassed() {
        long now = System.currentTimeMillis();
        try (CounterStore store =
                open(new TimeToLive(Duration.ofMillis(300), Duration.ofMillis(500), Duration.ofSeconds(1)))) {
            for (int i = 0; i < 20; i++) {
                exchange(store, batch("i" + i, 1, report(key("e", "t" + i, now, now + 50L * i), 1)));
            }
            assertThat(redis.call("DBSIZE")).isNotEqualTo(0L);
            Eventually.await(
                    "all are gone but the birth", () -> redis.call("DBSIZE").equals(1L));
            assertThat(ttl(BIRTH)).isBetween(1L, Duration.ofDays(11 * 366).toMillis());
            assertThat((String) redis.call("GET", BIRTH))
                    .as("since when, and in which form")
                    .matches("\\d+ 1");
        }
    }

    @Test
    void aKeyFoundWithoutTtlIsRepairedWithinThirtyTwoBatches() {
        long end = System.currentTimeMillis() + 10_000;
        try (CounterStore store = open(TimeToLive.USUAL)) {
            Statement[] statements = new Statement[25];
            for (int i = 0; i < statements.length; i++) {
                statements[i] = statementOf(key("e", "t" + i, 0, end), 1000)
                        .used(1)
                        .wanting(1)
                        .statement();
            }
            exchange(store, batch("i", 1, statements));
            for (Statement statement : statements) {
                assertThat(redis.call("PERSIST", statement.key().text())).isEqualTo(1L);
            }
            for (int sequence = 2; sequence <= 33; sequence++) {
                exchange(store, batch("i", sequence, statements));
            }
            assertThat(keys()).allSatisfy(key -> assertThat(ttl(key)).isBetween(1L, DAY + 70_000L));
            assertThat(redis.call("GET", statements[7].key().text())).isEqualTo("34");
        }
    }

    @Test
    void sharesWithoutTtlAreRepairedWithinSeconds() {
        long end = System.currentTimeMillis() + 10_000;
        try (CounterStore store = open(TimeToLive.USUAL)) {
            Exchanges.Asked statement =
                    statementOf(key("e", "acme", 0, end), 1000).holding(3);
            exchange(store, batch("i", 1, statement));
            assertThat(redis.call("PERSIST", SHARES)).isEqualTo(1L);
            AtomicLong sequence = new AtomicLong(1);
            Eventually.await("a time to live", () -> {
                exchange(store, batch("i", sequence.incrementAndGet(), statement));
                return ttl(SHARES) > 0;
            });
            assertThat(ttl(SHARES)).isBetween(DAY + 55_000L, DAY + 60_000L);
        }
    }

    @Test
    void whatADeadInstanceHeldIsKnownAsLongAsItsCounterLives() {
        long now = System.currentTimeMillis();
        CounterKey soon = key("e", "soon", now, now + 10_000);
        CounterKey late = key("e", "late", now, now + 600_000);
        try (CounterStore store = open(TimeToLive.USUAL)) {
            exchange(store, batch("dead", 1, statementOf(soon, 1000).holding(3)));
            exchange(store, batch("dead", 2, statementOf(late, 1000).holding(3)));
            assertThat(ttl(SHARES)).isGreaterThanOrEqualTo(ttl(late.text()) - 1);
        }
    }

    /** It counts as used once its lease has ended, until the bucket has refilled. */
    @Test
    void whatADeadInstanceHeldOfABucketIsKnownUntilTheBucketWouldBeFull() {
        CounterKey key = key("e", "bucket", 0, 0);
        Rule oneASecond = new Rule.Bucket(1_000, 1, 100_000, 100_000);
        try (CounterStore store = open(TimeToLive.USUAL)) {
            Exchanges.Asked held =
                    statementOf(key, oneASecond).used(10).holding(20).leasedFor(Duration.ofSeconds(3));
            long applied = exchange(store, batch("dead", 1, held)).appliedMillis();
            long full = applied + 30_000 + 3_000;
            assertThat(expires(key)).isEqualTo(full + 2_000);
            assertThat(ttl(key.text())).isBetween(33_000L, 39_000L);

            Exchanges.Asked more = statementOf(key, oneASecond).used(40).leasedFor(Duration.ofSeconds(3));
            exchange(store, batch("alive", 1, more));
            assertThat(expires(key)).isBetween(full + 40_000 + 2_000, full + 40_000 + 10_000);
            assertThat(ttl(key.text())).isBetween(73_000L, 79_000L);
        }
    }

    @Test
    void whatADeadInstanceHeldOfALogIsKnownForAPeriodAfterItsLease() {
        CounterKey key = key("e", "log", 0, 0);
        try (CounterStore store = open(TimeToLive.USUAL)) {
            Exchanges.Asked held =
                    statementOf(key, new Rule.Log(100, 60_000)).holding(20).leasedFor(Duration.ofSeconds(3));
            long applied = exchange(store, batch("dead", 1, held)).appliedMillis();
            assertThat(expires(key)).isEqualTo(applied + 3_000 + 60_000 + 2_000);
        }
    }

    /** Until when the field with the shares of this counter is kept. */
    private static long expires(CounterKey key) {
        return Long.parseLong(((String) redis.call("HGET", SHARES, key.text())).split(" ", 2)[0]);
    }

    @Test
    void whatIsReturnedLeavesOnlyTheRecord() {
        long end = System.currentTimeMillis() + 10_000;
        try (CounterStore store = open(TimeToLive.USUAL)) {
            CounterKey acme = key("e", "acme", 0, end);
            exchange(store, batch("i", 1, statementOf(acme, 1000).holding(3)));
            exchange(store, batch("i", 2, statementOf(acme, 1000)));
            assertThat(redis.call("HKEYS", SHARES)).isEqualTo(List.of("!answer:0:i"));
        }
    }

    @Test
    void whatDeadInstancesHeldAndWereToldIsRemovedOnceItHasExpired() {
        redis.call("DEL", SHARES);
        long end = System.currentTimeMillis() + 600_000;
        long expired = System.currentTimeMillis() - 1;
        int dead = 300;
        for (int i = 0; i < dead; i++) {
            redis.call("HSET", SHARES, key("e", "t" + i, 0, expired).text(), expired + "\n3 " + expired + " dead" + i);
            redis.call("HSET", SHARES, "!answer:0:dead" + i, expired + " 0000000000000000007 0 0 0\n0 0 0");
        }
        redis.call("HSET", SHARES, "nonsense", "nonsense");
        try (CounterStore store = open(TimeToLive.USUAL)) {
            Exchanges.Asked statement =
                    statementOf(key("e", "acme", 0, end), 1000).holding(3);
            int sequence = 0;
            while (++sequence <= 60) {
                exchange(store, batch("i", sequence, statement));
                letTenSecondsPass();
            }
            assertThat((List<?>) redis.call("HKEYS", SHARES))
                    .as("and the last numbers")
                    .hasSize(2 + dead);
            letADayPass();
            while (++sequence <= 120) {
                exchange(store, batch("i", sequence, statement));
                letTenSecondsPass();
            }
            assertThat((List<?>) redis.call("HKEYS", SHARES)).hasSize(2);
        }
    }

    /** As the numbers say that are left of dead instances: until which hour they are kept. */
    private static void letADayPass() {
        redis.call("EVAL", """
            for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
              if #field == 12 then
                redis.call('HSET', KEYS[1], field, '1 7')
              end
            end\
            """, "1", SHARES);
    }

    /** As the record of the instance says when it removed expired fields last. */
    private static void letTenSecondsPass() {
        String[] parts = ((String) redis.call("HGET", SHARES, "!answer:0:i")).split(" ", 5);
        parts[3] = String.valueOf(Long.parseLong(parts[3]) - 10_000);
        redis.call("HSET", SHARES, "!answer:0:i", String.join(" ", parts));
    }
}
