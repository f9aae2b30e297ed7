package dev.sluice.internal.store;

import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Reply;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.algorithm.Gcra;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However late a batch comes again, it is not applied twice. The clock of the store is set by hand. */
public abstract class NeverTwiceContract {

    private static final Duration TWO_DAYS = Duration.ofDays(2);

    private final String instance = unique();
    private final String other = unique();
    private final String endpoint = unique();
    private CounterStore store;
    private CounterKey acme;
    private long sequenceOfOther;
    /** Of the window that all calls are in. */
    private long start;

    /** A handle on the same counters, opened now. */
    protected abstract CounterStore open();

    /** The store's clock. */
    protected abstract long now();

    /** Lets time pass by the store's clock: what lives shorter than that is gone. */
    protected abstract void passes(Duration time);

    @BeforeEach
    void openStore() {
        store = open();
        acme = tenant("acme");
        othersExchange();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private CounterKey tenant(String name) {
        start = start == 0 ? now() / 86_400_000 * 86_400_000 : start;
        return key(endpoint, name, start, start + Duration.ofDays(7).toMillis());
    }

    private Batch made(long sequence, Statement... statements) {
        return new Batch(instance, sequence, now(), List.of(statements), Batch.Presence.NOT_STATED, 0);
    }

    private Statement withAllRules(int rule) {
        Gcra five = Gcra.of(5, 7 * 86_400_000L, 5);
        CounterKey key = tenant("rule" + rule);
        return switch (rule) {
            case 0 ->
                statementOf(key, 100).used(3).needingAtOnce(2, 1).wanting(10).statement();
            case 1 ->
                statementOf(key, new Rule.Frame(100, 3))
                        .used(3)
                        .needingAtOnce(2, 1)
                        .statement();
            case 2 ->
                statementOf(key, new Rule.Bucket(five.token(), five.milli(), five.depth(), five.furthest()))
                        .used(2)
                        .needingAtOnce(1, 1)
                        .statement();
            default ->
                statementOf(key, new Rule.Log(100, 7 * 86_400_000L))
                        .used(3)
                        .needingAtOnce(2, 1)
                        .statement();
        };
    }

    private void passesWithoutAnswer(Duration time) {
        store.close();
        passes(time);
        store = open();
    }

    /** Another instance exchanges, long enough to clear up what is old. */
    private void othersExchange() {
        for (int i = 0; i < 8; i++) {
            passes(Duration.ofSeconds(11));
            exchange(
                    store,
                    new Batch(
                            other,
                            ++sequenceOfOther,
                            now(),
                            List.of(report(tenant("other"), 1)),
                            Batch.Presence.NOT_STATED,
                            0));
        }
        passesWithoutAnswer(Duration.ZERO); // a handle may ask for the store's clock now and then only
    }

    private long total(CounterKey key) {
        return exchange(store, new Batch(unique(), 1, now(), List.of(question(key)), Batch.Presence.NOT_STATED, 0))
                .grants()
                .get(0)
                .total();
    }

    @ParameterizedTest
    @ValueSource(longs = {61, 3_600, 86_000})
    void aBatchThatComesAgainLateCountsOnce(long seconds) {
        Batch batch =
                made(7, statementOf(acme, 100).used(3).holding(2).needing(4).statement(), report(tenant("another"), 5));
        exchange(store, batch);
        passesWithoutAnswer(Duration.ofSeconds(seconds));
        Reply again = exchange(store, batch);
        assertThat(TimeToLive.USUAL.isGrantOver(batch.statements().get(0), again))
                .isTrue();
        assertThat(again.losses()).isEmpty();
        assertThat(total(acme)).as("with what the lapsed lease held").isEqualTo(9);
        assertThat(total(tenant("another"))).isEqualTo(5);
        exchange(store, made(8, report(acme, 1)));
        assertThat(total(acme)).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(longs = {61, 3_600, 86_000})
    void itCountsOnceThoughOthersHaveClearedUpMeanwhile(long seconds) {
        Batch batch = made(7, report(acme, 3), report(tenant("another"), 5));
        exchange(store, batch);
        passesWithoutAnswer(Duration.ofSeconds(seconds));
        othersExchange();
        for (int times = 0; times < 2; times++) {
            Reply again = exchange(store, batch);
            assertThat(TimeToLive.USUAL.isGrantOver(batch.statements().get(0), again))
                    .isTrue();
            assertThat(again.grants()).hasSize(2);
            assertThat(again.losses()).isEmpty();
        }
        assertThat(total(acme)).isEqualTo(3);
        exchange(store, made(8, report(acme, 1), report(tenant("another"), 1)));
        assertThat(total(acme)).isEqualTo(4);
        assertThat(total(tenant("another"))).isEqualTo(6);
    }

    /** Calls that waited were decided without the store: what it counts as used by them can be returned. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void itIsKnownWhatWasUsedAtOnce(int rule) {
        Statement statement = withAllRules(rule);
        Batch batch = made(7, report(acme, 1), statement);
        Reply first = exchange(store, batch);
        long usedAtOnce = statement.needed().usedOf(first.grants().get(1).granted());
        assertThat(usedAtOnce).isEqualTo(statement.needed().all());
        passesWithoutAnswer(Duration.ofSeconds(61));
        othersExchange();
        Reply again = exchange(store, batch);
        assertThat(again.appliedMillis()).isEqualTo(first.appliedMillis());
        assertThat(statement.needed().usedOf(again.grants().get(1).granted())).isEqualTo(usedAtOnce);
    }

    @ParameterizedTest
    @ValueSource(longs = {61, 3_600, 86_000})
    void aBatchThatNeverArrivedIsApplied(long seconds) {
        exchange(store, made(6, report(acme, 1)));
        Batch batch = made(7, report(acme, 3));
        passesWithoutAnswer(Duration.ofSeconds(seconds));
        othersExchange();
        exchange(store, batch);
        assertThat(total(acme)).isEqualTo(4);
    }

    @Test
    void afterTwoDaysItIsRefusedSinceNobodyKnows() {
        Batch batch = made(7, report(acme, 3));
        exchange(store, batch);
        passesWithoutAnswer(TWO_DAYS.dividedBy(2));
        othersExchange();
        passesWithoutAnswer(TWO_DAYS.dividedBy(2));
        othersExchange();
        if (remembersForEver()) {
            exchange(store, batch);
        } else {
            assertThatThrownBy(() -> exchange(store, batch))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.isForgotten() && !e.temporary()).isTrue());
        }
        assertThat(total(acme)).isEqualTo(3);
        exchange(store, made(8, report(acme, 1)));
        assertThat(total(acme)).isEqualTo(4);
    }

    /** Whether a batch is known as long as its counters. */
    protected boolean remembersForEver() {
        return false;
    }

    @Test
    void manyInstancesMayComeAndGo() {
        List<Batch> batches = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Batch batch = new Batch(
                    "pod-" + i + '-' + unique(), 1 + i, now(), List.of(report(acme, 1)), Batch.Presence.NOT_STATED, 0);
            batches.add(batch);
            exchange(store, batch);
        }
        passesWithoutAnswer(Duration.ofSeconds(61));
        othersExchange();
        exchange(store, made(1, report(acme, 1)));
        for (Batch batch : batches) {
            try {
                exchange(store, batch);
            } catch (StoreException e) {
                assertThat(e.isForgotten()).isTrue();
            }
        }
        assertThat(total(acme)).isEqualTo(61);
    }
}
