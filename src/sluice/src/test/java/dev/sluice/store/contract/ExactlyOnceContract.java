package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.algorithm.Gcra;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A batch counts once, however often it is sent. */
public abstract class ExactlyOnceContract extends ContractPart {

    protected ExactlyOnceContract(StoreUnderTest tested) {
        super(tested);
    }

    private final CounterKey acme = key("acme");

    @Test
    void aBatchThatComesAgainIsAnsweredAsBefore() {
        Batch batch = batch(
                instance,
                1,
                statementOf(acme, 10).used(2).needing(5),
                statementOf(key("other"), 10).needing(1));
        List<Grant> first = exchange(store, batch).grants();
        exchange(store, batch(other, 1, report(acme, 1)));
        assertThat(exchange(store, batch).grants()).isEqualTo(first);
        assertThat(total(acme)).isEqualTo(8);
    }

    @Test
    void theAnswerThatIsGivenAgainTellsWhenTheBatchWasApplied() {
        Batch batch = batch(instance, 1, report(acme, 1));
        Batch.Reply first = exchange(store, batch);
        assertThat(first.appliedMillis()).isEqualTo(first.nowMillis());
        letPass(Duration.ofMillis(20));
        Batch.Reply again = exchange(store, batch);
        assertThat(again.appliedMillis()).isEqualTo(first.appliedMillis());
        assertThat(again.nowMillis()).isGreaterThanOrEqualTo(first.nowMillis() + 20);
    }

    @Test
    void aBatchOfAllRulesThatComesAgainIsAnsweredAsBefore() {
        Gcra five = Gcra.of(5, 86_400_000, 5);
        Batch batch = batch(
                instance,
                1,
                statementOf(key("frame"), new Rule.Frame(10, 3)).used(2).needing(5),
                statementOf(key("flow"), new Rule.Bucket(five.token(), five.milli(), five.depth(), five.furthest()))
                        .used(2)
                        .needing(1),
                statementOf(key("log"), new Rule.Log(10, 60_000)).used(2).needing(5),
                statementOf(key("slots"), new Rule.Slots(10, 2, 0, Long.MAX_VALUE))
                        .needing(5));
        List<Grant> first = exchange(store, batch).grants();
        assertThat(exchange(store, batch).grants()).isEqualTo(first);
    }

    @Test
    void aBatchThatComesAgainElsewhereIsAnsweredAsBefore() {
        Batch batch = batch(instance, 1, statementOf(acme, 10).used(2).needing(5));
        Grant first = grant(store, batch);
        try (CounterStore another = open()) {
            assertThat(grant(another, batch)).isEqualTo(first);
        }
    }

    @Test
    void anOlderBatchIsNotApplied() {
        exchange(store, batch(instance, 10, report(acme, 1)));
        assertThatThrownBy(() -> exchange(store, batch(instance, 9, report(acme, 100))))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.temporary()).isFalse());
        assertThat(grant(store, batch(instance, 11, question(acme))).total()).isEqualTo(1);
    }

    @Test
    void anOlderBatchIsNotAppliedHoweverLong() {
        List<Statement> statements =
                IntStream.range(0, 1000).mapToObj(i -> report(key("t" + i), 1)).toList();
        exchange(store, new Batch(instance, 1, statements));
        exchange(store, batch(instance, 3, report(key("t999"), 1)));
        assertThatThrownBy(() -> exchange(store, new Batch(instance, 2, statements)))
                .isInstanceOf(StoreException.class);
        assertThat(total(key("t999"))).isEqualTo(2);
    }

    @Test
    void sequencesMayBeLargeAndHaveGaps() {
        for (long sequence : new long[] {0, 1, 9, 10, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE}) {
            Batch batch = batch(instance, sequence, report(acme, 1));
            exchange(store, batch);
            assertThat(exchange(store, batch).losses()).isEmpty();
        }
        assertThat(total(acme)).isEqualTo(7);
    }

    @Test
    void sendersDoNotDisturbEachOther() {
        Batch one = batch(instance, 7, report(acme, 1));
        Batch two = batch(instance + "/strict", 3, report(acme, 10));
        exchange(store, one);
        exchange(store, two);
        assertThat(grant(store, one).total()).isEqualTo(1);
        assertThat(grant(store, two).total()).isEqualTo(11);
    }
}
