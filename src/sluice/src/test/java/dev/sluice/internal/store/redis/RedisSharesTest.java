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

/** The field that says which instances hold shares of a counter, with any number of them under any names. */
@Tag("store")
class RedisSharesTest {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

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
        assertThat(hold("renewed", 0, 3, Duration.ofSeconds(60))).isEqualTo(new Grant(3 + 11 + 3, 0, 11));
        assertThat(send("other", question(acme))).isEqualTo(new Grant(3 + 11 + 3, 0, 14));
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

    @Test
    void instancesThatHaveNotSaidForSomeSecondsThatTheyLiveAreForgotten() {
        long now = System.currentTimeMillis();
        String lines =
                "\n%d a-dead\n%d b-alive\n%d d-alive\nrubbish\n%d".formatted(now - 1, now + 60_000, now + 60_000, now);
        redis.call("HSET", "sluice:{0/16}:!shares", "!fleet", (now + 60_000) + lines);
        assertThat(says("c", 1, Presence.ALIVE)).isEqualTo(new Fleet(3, 1));
        assertThat(redis.call("HGET", "sluice:{0/16}:!shares", "!fleet").toString())
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
