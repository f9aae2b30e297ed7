package dev.sluice.internal.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Presence;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The field that says which instances hold shares of a counter, with any number of them under any names. */
@Tag("store")
class RedisSharesTest {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private static final String SHARES = "sluice:{0/16}:!shares";

    private static CounterStore store;

    private final long end = System.currentTimeMillis() + 600_000;
    private final CounterKey acme = key("e", unique(), 0, end);
    private final Map<String, Long> sequences = new HashMap<>();

    @BeforeAll
    static void open() {
        store = CounterStores.open(redis.patientUri());
    }

    @AfterAll
    static void closeStore() {
        store.close();
    }

    private Grant send(String instance, Statement statement) {
        return exchange(store, batch(instance, sequences.merge(instance, 1L, Long::sum), statement))
                .grants()
                .get(0);
    }

    private Grant hold(String instance, long used, long held, Duration lease) {
        return send(
                instance,
                statementOf(acme, 1_000_000)
                        .used(used)
                        .holding(held)
                        .leasedFor(lease)
                        .statement());
    }

    @Test
    void instancesWhoseNamesContainEachOtherHoldSharesOfTheirOwn() {
        List<String> names = List.of("x", "a x", "5 x", "7 99 x", "x x", "xx", "x\ny", "%d+", " ", "ü x");
        Map<String, Long> held = new HashMap<>();
        Random random = new Random(5);
        long used = 0;
        for (int i = 0; i < 400; i++) {
            String name = names.get(random.nextInt(names.size()));
            long uses = random.nextInt(3);
            used += uses;
            held.put(name, (long) random.nextInt(4));
            long all = held.values().stream().mapToLong(Long::longValue).sum();
            assertThat(hold(name, uses, held.get(name), Duration.ofSeconds(60)))
                    .as("statement %d, of '%s', after %s", i, name, held)
                    .isEqualTo(new Grant(used + all, 0, all - held.get(name)));
        }
    }

    @Test
    void leasesEndOneByOneWhileOthersAreRenewed() {
        hold("dead-1", 1, 5, Duration.ofMillis(50));
        hold("dead-2", 1, 7, Duration.ofMillis(100));
        hold("alive", 1, 11, Duration.ofSeconds(60));
        Eventually.await(
                "the leases of both dead instances end",
                () -> hold("renewed", 0, 3, Duration.ofSeconds(60)).elsewhere() == 11);
        long lapsed = 5 + 7;
        assertThat(hold("renewed", 0, 3, Duration.ofSeconds(60))).isEqualTo(new Grant(3 + lapsed + 11 + 3, 0, 11));
        assertThat(send("other", question(acme))).isEqualTo(new Grant(3 + lapsed + 11 + 3, 0, 14));
        assertThat(field(acme)).contains("\n!5 ").endsWith(" dead-2");
        assertThat(hold("dead-1", 2, 0, Duration.ofSeconds(60))).isEqualTo(new Grant(5 + 7 + 11 + 3, 0, 14));
        assertThat(hold("dead-2", 2, 1, Duration.ofSeconds(60))).isEqualTo(new Grant(7 + 1 + 11 + 3, 0, 14));
        assertThat(field(acme)).doesNotContain("!");
    }

    private static String field(CounterKey key) {
        return String.valueOf(redis.call("HGET", SHARES, key.text()));
    }

    /** Whatever lapses meanwhile: what an instance has said last counts, and what it holds with a valid lease is elsewhere. */
    @Test
    void instancesWhoseNamesContainEachOtherLapseOnTheirOwn() {
        List<String> names = List.of("x", "a x", "5 x", "7 99 x", "!7 99 x", "x x", "xx", "x\ny", "%d+", " ", "ü x");
        Map<String, Long> held = new HashMap<>();
        Map<String, Long> alive = new HashMap<>();
        Random random = new Random(7);
        long used = 0;
        for (int i = 0; i < 600; i++) {
            String name = names.get(random.nextInt(names.size()));
            long uses = random.nextInt(3);
            boolean lapses = random.nextBoolean();
            used += uses;
            held.put(name, (long) random.nextInt(4));
            alive.put(name, lapses ? 0 : held.get(name));
            long all = held.values().stream().mapToLong(Long::longValue).sum();
            long elsewhere = alive.values().stream().mapToLong(Long::longValue).sum() - alive.get(name);
            assertThat(hold(name, uses, held.get(name), lapses ? Duration.ofMillis(1) : Duration.ofSeconds(60)))
                    .as("statement %d, of '%s', after %s of which are alive %s", i, name, held, alive)
                    .isEqualTo(new Grant(used + all, 0, elsewhere));
            if (lapses) {
                Eventually.pause(2);
            }
        }
    }

    /** A thousand instances of a fleet die with long names. */
    @Test
    void rememberedLapsesTakeLittleRoom() {
        String longName = "a-service-in-a-cluster-with-a-long-name-".repeat(4);
        for (int i = 0; i < 1_000; i++) {
            hold(longName + i, 0, 3, Duration.ofMillis(1));
        }
        Eventually.pause(2);
        assertThat(send("other", question(acme))).isEqualTo(new Grant(3_000, 0, 0));
        assertThat(field(acme).lines().filter(line -> line.startsWith("!"))).hasSize(512);
        assertThat(field(acme)).hasSizeLessThan(262_144 / 2).endsWith("999");
        assertThat(hold(longName + 487, 1, 0, Duration.ofSeconds(60)).total()).isEqualTo(3_001);
        assertThat(hold(longName + 488, 1, 0, Duration.ofSeconds(60)).total()).isEqualTo(2_999);
    }

    @Test
    void aLapseOfMoreThanADayAgoIsForgottenAndItsUseStays() {
        long now = System.currentTimeMillis();
        long old = now - Duration.ofHours(24).toMillis() - 5_000;
        redis.call("SET", acme.text(), "100");
        String lapsed = "\n!5 " + old + " old\n!7 " + old + " older\n!9 " + (now - 60_000) + " recent";
        redis.call("HSET", SHARES, acme.text(), end + " 3 1 1" + "\n3 1 dead" + lapsed);
        assertThat(hold("older", 1, 0, Duration.ofSeconds(60))).isEqualTo(new Grant(101, 0, 0));
        assertThat(field(acme)).contains("recent").doesNotContain("old");
        assertThat(hold("old", 1, 0, Duration.ofSeconds(60))).isEqualTo(new Grant(102, 0, 0));
        assertThat(hold("recent", 1, 0, Duration.ofSeconds(60))).isEqualTo(new Grant(94, 0, 0));
        assertThat(hold("dead", 1, 0, Duration.ofSeconds(60))).isEqualTo(new Grant(95, 0, 0));
    }

    @Test
    void aCounterThatAloneWasDeletedStillCountsWhatIsHeld() {
        hold("one", 10, 4, Duration.ofSeconds(60));
        hold("two", 10, 5, Duration.ofSeconds(60));
        redis.call("DEL", acme.text());
        assertThat(hold("one", 1, 3, Duration.ofSeconds(60))).isEqualTo(new Grant(1 + 3 + 5, 0, 5));
        assertThat(hold("two", 5, 0, Duration.ofSeconds(60))).isEqualTo(new Grant(6 + 3, 0, 3));
        assertThat(hold("one", 3, 0, Duration.ofSeconds(60))).isEqualTo(new Grant(9, 0, 0));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void aCounterThatAloneWasDeletedStillCountsWhatHasLapsed(Rule rule) {
        Statement question = statementOf(acme, rule).statement();
        hold(rule, "dead", 1, 4, Duration.ofMillis(1));
        hold(rule, "alive", 1, 5, Duration.ofSeconds(60));
        Eventually.pause(2);
        assertThat(send("other", asking(rule)).granted()).isEqualTo(100 - 2 - 4 - 5);
        redis.call("DEL", acme.text());
        assertThat(send("another", asking(rule)).granted())
                .as("what was used and is lost")
                .isEqualTo(2);
        send("other", question);
        send("another", question);
        redis.call("DEL", acme.text());
        assertThat(send("other", asking(rule)).granted()).isEqualTo(100 - 4 - 5);
        send("other", question);
        assertThat(hold(rule, "dead", 3, 0, Duration.ofSeconds(60)).elsewhere()).isEqualTo(5);
        assertThat(send("other", asking(rule)).granted()).isEqualTo(100 - 3 - 5);
    }

    static List<Rule> rules() {
        return List.of(
                new Rule.Total(100),
                new Rule.Frame(100, 1),
                new Rule.Bucket(86_400_000, 1, 86_400_000L * 100, 86_400_000L * 100),
                new Rule.Log(100, 600_000));
    }

    private Grant hold(Rule rule, String instance, long used, long held, Duration lease) {
        return send(
                instance,
                statementOf(acme, rule)
                        .used(used)
                        .holding(held)
                        .leasedFor(lease)
                        .statement());
    }

    private Statement asking(Rule rule) {
        return statementOf(acme, rule).needing(100).statement();
    }

    @Test
    void anEarlierFrameThatAloneWasDeletedStillWeighsWhatHasLapsed() {
        long length = 600_000;
        long start = System.currentTimeMillis() - length / 2;
        CounterKey frame = key("e", unique(), start, start + length);
        Rule rule = new Rule.Frame(100, 2);
        send(
                "dead",
                statementOf(frame.earlier(1), rule)
                        .holding(20)
                        .leasedFor(Duration.ofMillis(1))
                        .statement());
        send("alive", statementOf(frame.earlier(1), rule).used(7).holding(10).statement());
        Eventually.pause(2);
        Statement question = statementOf(frame, rule).statement();
        assertThat(send("other", question)).isEqualTo(new Grant(0, 0, 10, List.of(37L, 0L)));
        redis.call("DEL", frame.earlier(1).text());
        assertThat(send("other", question)).isEqualTo(new Grant(0, 0, 10, List.of(30L, 0L)));
    }

    /** Somebody else has written to the field. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "!",
                "!\n!\n!",
                "!5",
                "!5 5",
                "!5 5 ",
                "!5 5 one",
                "!-5 5 one",
                "!5 x one",
                "!5  5 one",
                "! 5 5 one",
                "!999999999999999 TIME one",
                "!9999999999999999 TIME one",
                "!5 99999999999999999999 one",
                "!999999999999999 999999999999999 one",
                "!5 TIME one\n!5 TIME one\n!5 TIME one",
                "!5 TIME one\n5 9999999999999 one",
                "?1 1 9999999999999 one\n!5 TIME one",
                "!5 TIME a one\n!7 TIME one",
                "!5 TIME 5 5 one\n!7 TIME 5 one\n!9 TIME one",
                "!0 TIME one",
                "!5 TIME one two",
                "!5 TIME one\n\n!",
                "5 1 dead\n!5 TIME one\nrubbish",
                "999999999999999 TIME dead\n999999999999999 TIME killed",
                "999999999999999 1 dead\n!999999999999999 1 one\n?",
                "\n!5 TIME one",
                "!5 TIME \u0000\u0001\u00ff"
            })
    void oddLinesBreakNoBatch(String odd) {
        long now = System.currentTimeMillis();
        String lines = '\n' + odd.replace("TIME", String.valueOf(now - 1_000));
        for (Rule rule : rules()) {
            for (String head : List.of(end + " 0 0 999999999999999", end + " 3 1 1", "1 1 1 1", "", "x")) {
                for (String before : List.of("", "\n3 9999999999999 alive", "\n3 1 dead")) {
                    for (int stored = 0; stored < 2; stored++) {
                        redis.call("DEL", acme.text());
                        if (stored == 1) {
                            hold(rule, "first", 1, 0, Duration.ofSeconds(60));
                        }
                        redis.call("HSET", SHARES, acme.text(), head + before + lines);
                        for (String instance : List.of("other", "one", "one", "other")) {
                            Grant grant = hold(rule, instance, 1, 2, Duration.ofSeconds(60));
                            assertThat(grant.granted()).isZero();
                            assertThat(grant.total()).isPositive();
                        }
                    }
                }
            }
        }
    }

    @Test
    void instancesThatHaveNotSaidForSomeSecondsThatTheyLiveAreForgotten() {
        long now = System.currentTimeMillis();
        String lines =
                "\n%d a-dead\n%d b-alive\n%d d-alive\nrubbish\n%d".formatted(now - 1, now + 60_000, now + 60_000, now);
        redis.call("HSET", SHARES, "!fleet", (now + 60_000) + lines);
        assertThat(says("c", 1, Presence.ALIVE)).isEqualTo(new Fleet(3, 1));
        assertThat(redis.call("HGET", SHARES, "!fleet").toString())
                .doesNotContain("a-dead", "rubbish")
                .contains("b-alive", " c", "d-alive");
        assertThat(says("d-alive", 1, Presence.LEAVING)).isNull();
        assertThat(says("c", 2, Presence.ALIVE)).isEqualTo(new Fleet(2, 1));
    }

    private static @Nullable Fleet says(String instance, long sequence, Presence presence) {
        return exchange(store, new Batch(instance, sequence, Long.MAX_VALUE, List.of(), presence, 0))
                .fleet();
    }
}
