package dev.sluice.internal.store.mongo;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.mongo.MongoServerInProcess.LateWrite;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * A write whose connection was cut is done by the server later, when the same batch has been sent again, or another one
 * instead: it changes nothing any more.
 */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
@Tag("store")
class MongoLateWritesTest {

    private static final int LIMIT = 10;
    private static final List<Rule> RULES = List.of(
            new Rule.Total(LIMIT),
            new Rule.Frame(LIMIT, 1),
            new Rule.Bucket(3_600_000, 1, LIMIT * 3_600_000L, LIMIT * 3_600_000L),
            new Rule.Log(LIMIT, 3_600_000),
            new Rule.Slots(LIMIT, 0, 0, Long.MAX_VALUE));

    /** How far the server's clock is ahead of this machine's. */
    private final AtomicLong aheadMillis = new AtomicLong();

    private final MongoServerInProcess mongo = MongoServerInProcess.openAt(new Ahead());
    private final CounterStore store = CounterStores.open(mongo.patientUri());
    private final CounterStore others = CounterStores.open(mongo.patientUri());
    private final String instance = unique();
    private final CounterKey counter = key(unique(), "acme", 0, 9_000_000_000_000L);

    private final class Ahead extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(System.currentTimeMillis() + aheadMillis.get());
        }
    }

    @AfterEach
    void close() {
        store.close();
        others.close();
        mongo.close();
    }

    private Batch mine(long sequence, Statement... statements) {
        return batch(instance, sequence, statements);
    }

    /** Sends a batch whose connection is cut with the write. */
    private LateWrite cut(Batch batch) {
        LateWrite late = mongo.delayNextWrite(instance);
        assertThatThrownBy(() -> exchange(store, batch))
                .isInstanceOf(StoreException.class)
                .hasMessageEndingWith(" closed the connection before replying");
        assertThat(late.isCut()).isTrue();
        return late;
    }

    /** How many permits one more instance can have. */
    private long left(Rule rule) {
        return exchange(
                        others,
                        batch(
                                unique(),
                                1,
                                statementOf(counter, rule)
                                        .needing(LIMIT)
                                        .leasedFor(Duration.ofMinutes(5))
                                        .statement()))
                .grants()
                .get(0)
                .granted();
    }

    private static Statement needing(CounterKey counter, Rule rule, int permits) {
        return statementOf(counter, rule)
                .needing(permits)
                .leasedFor(Duration.ofMinutes(5))
                .statement();
    }

    /** When the server does the write. */
    enum Moment {
        BEFORE_THE_REPEAT,
        DURING_THE_REPEAT,
        AFTER_THE_REPEAT,
        AFTER_THE_NEXT_BATCH
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void aRepeatedBatchCountsOnceWheneverTheFirstWriteComes(Moment moment) {
        CounterKey[] counters = RULES.stream()
                .map(rule -> key(unique(), "acme", 0, 9_000_000_000_000L))
                .toArray(CounterKey[]::new);
        Statement[] statements = new Statement[counters.length];
        for (int i = 0; i < statements.length; i++) {
            statements[i] = needing(counters[i], RULES.get(i), 4);
        }
        exchange(store, mine(1));
        Batch batch = mine(2, statements);
        LateWrite late = cut(batch);
        if (moment == Moment.BEFORE_THE_REPEAT) {
            late.land();
        } else if (moment == Moment.DURING_THE_REPEAT) {
            late.landBeforeTheNext();
        }
        assertThat(exchange(store, batch).grants()).extracting(Grant::granted).containsOnly(4L);
        if (moment == Moment.AFTER_THE_NEXT_BATCH) {
            assertThat(exchange(
                                    store,
                                    mine(
                                            3,
                                            statementOf(counters[0], RULES.get(0))
                                                    .holding(1)
                                                    .statement()))
                            .grants())
                    .containsExactly(new Grant(1, 0, 0));
        }
        late.land();
        for (int i = 0; i < statements.length; i++) {
            long held = i == 0 && moment == Moment.AFTER_THE_NEXT_BATCH ? 1 : 4;
            assertThat(exchange(others, batch(unique(), 1, needing(counters[i], RULES.get(i), LIMIT)))
                            .grants())
                    .as("of " + RULES.get(i))
                    .extracting(Grant::granted)
                    .containsExactly(LIMIT - held);
        }
    }

    /**
     * Its windows were over, or the instance closed its counters meanwhile: it reports what is left to report in the
     * next one.
     */
    @ParameterizedTest
    @FieldSource("RULES")
    void aBatchThatWasGivenUpIsNotAppliedAfterTheNextOne(Rule rule) {
        exchange(store, mine(1));
        LateWrite late = cut(mine(2, needing(counter, rule, 4)));
        exchange(store, mine(3));
        late.land();
        assertThat(left(rule)).isEqualTo(LIMIT);
    }

    /** Another server answers, whose clock is behind: it grants no slots, since the lease of others has not ended there. */
    @Test
    void whatARepeatIsNotGrantedIsNotGrantedLater() {
        Rule rule = new Rule.Slots(LIMIT, 0, 0, Long.MAX_VALUE);
        exchange(
                others,
                batch(
                        unique(),
                        1,
                        statementOf(counter, rule)
                                .needing(LIMIT)
                                .leasedFor(Duration.ofMinutes(1))
                                .statement()));
        exchange(others, batch(unique(), 1, needing(counter, rule, 1)));
        Batch batch = mine(2, needing(counter, rule, 4));
        aheadMillis.set(70_000);
        LateWrite late = cut(batch);
        aheadMillis.set(0);
        assertThat(exchange(store, batch).grants()).extracting(Grant::granted).containsExactly(0L);
        late.land();
        aheadMillis.set(70_000);
        try (CounterStore fresh = CounterStores.open(mongo.patientUri())) {
            assertThat(exchange(fresh, batch(unique(), 1, needing(counter, rule, LIMIT)))
                            .grants())
                    .extracting(Grant::granted)
                    .containsExactly((long) LIMIT);
        }
    }
}
