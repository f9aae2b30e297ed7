package dev.sluice.internal.store.redis.script;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.store.Exchanges;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many steps the script takes. */
@Tag("store")
class ScriptStepsTest {

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

    @Test
    void anExchangeTakesNoMoreStepsTheMoreInstancesHoldShares() throws Exception {
        long withFew = stepsOfAnExchange("few", 2);
        long withMany = stepsOfAnExchange("many", 150);
        assertThat(withFew).as("one step at least for each counter").isGreaterThan(Chunk.COUNTERS);
        assertThat(withMany - withFew)
                .as("further steps with 150 instances, after %d with two", withFew)
                .isLessThan(Chunk.COUNTERS);
    }

    /** The steps of an exchange for many counters, of which so many instances hold shares. */
    private long stepsOfAnExchange(String endpoint, int instances) throws Exception {
        List<Statement> statements = IntStream.range(0, Chunk.COUNTERS)
                .mapToObj(i -> statementOf(key(endpoint, "t" + i, 0, end), 1_000_000)
                        .holding(3)
                        .leasedFor(Duration.ofMinutes(5))
                        .statement())
                .toList();
        for (int i = 0; i < instances; i++) {
            script.apply(new Batch(endpoint + i, 1, statements));
        }
        return script.apply(new Batch(endpoint + 1, 2, statements)).steps();
    }

    /** Only the sender's own line is looked for, so long as no lease ends. */
    @Test
    void anExchangeTakesHardlyMoreStepsWhereManyLeasesHaveLapsed() throws Exception {
        long without = stepsAfterLapses("none", 0);
        long with = stepsAfterLapses("lapsed", 64);
        assertThat(with - without)
                .as("further steps with 64 lapsed leases, after %d with none", without)
                .isLessThan(Chunk.COUNTERS / 10);
    }

    private long stepsAfterLapses(String endpoint, int lapsed) throws Exception {
        List<Exchanges.Asked> statements = IntStream.range(0, Chunk.COUNTERS)
                .mapToObj(i ->
                        statementOf(key(endpoint, "t" + i, 0, end), 1_000_000).holding(3))
                .toList();
        for (int i = 0; i < lapsed; i++) {
            script.apply(new Batch(
                    endpoint + i,
                    1,
                    statements.stream()
                            .map(one -> one.leasedFor(Duration.ofMillis(1)).statement())
                            .toList()));
        }
        List<Statement> lasting = statements.stream()
                .map(one -> one.leasedFor(Duration.ofMinutes(5)).statement())
                .toList();
        Eventually.pause(2);
        script.apply(new Batch(endpoint + "-alive", 1, lasting));
        return script.apply(new Batch(endpoint + "-alive", 2, lasting)).steps();
    }

    /** Instances give calls back one by one, each where it was made, also where others have made very many. */
    @Test
    void aRefundLooksAtItsNeighboursInTheLogAndNoFurther() throws Exception {
        CounterKey key = key("log", "t", 0, end);
        Rule.Log rule = new Rule.Log(100_000, 3_600_000);
        Exchanges.Asked others = statementOf(key, rule);
        Exchanges.Asked own = statementOf(key, rule);
        Exchanges.Asked back = statementOf(key, rule);
        for (long i = 1; i <= 200; i++) {
            others.used(Duration.ofSeconds(i), 100);
        }
        for (long i = 1; i <= 50; i++) {
            own.used(Duration.ofSeconds(4 * i), 1);
            back.used(Duration.ofSeconds(4 * i), -1);
        }
        script.apply(batch("others", 1, others));
        assertThat(script.apply(batch("own", 1, own)).total()).isEqualTo(20_050);
        CountingScript.Work work = script.apply(batch("own", 2, back));
        assertThat(work.total()).isEqualTo(20_000);
        assertThat(work.steps()).as("50 refunds in a log of 20,050 calls").isLessThan(50 * 1000);
    }
}
