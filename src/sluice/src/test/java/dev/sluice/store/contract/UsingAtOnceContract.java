package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What calls use as soon as it is granted. */
public abstract class UsingAtOnceContract extends ContractPart {

    protected UsingAtOnceContract(StoreUnderTest tested) {
        super(tested);
    }

    private final CounterKey acme = key("acme");

    private void countsAsUsedAndNotAsHeld(Rule rule) {
        assertThat(ask(instance, 1, statementOf(acme, rule).needingAtOnce(3, 1)).granted())
                .isEqualTo(3);
        Grant others = ask(other, 1, statementOf(acme, rule).needing(9));
        assertThat(others.granted()).isEqualTo(7);
        assertThat(others.elsewhere()).isZero();
        ask(other, 2, statementOf(acme, rule));
        assertThat(ask(instance, 2, statementOf(acme, rule).needing(9)).granted())
                .isEqualTo(7);
    }

    @Test
    void countsAsUsedInAWindow() {
        countsAsUsedAndNotAsHeld(new Rule.Total(10));
    }

    @Test
    void countsAsUsedInABucket() {
        long year = Duration.ofDays(365).toMillis();
        countsAsUsedAndNotAsHeld(new Rule.Bucket(year / 10, 1, year, year));
    }

    @Test
    void countsAsUsedInALog() {
        countsAsUsedAndNotAsHeld(new Rule.Log(10, Duration.ofHours(1).toMillis()));
    }

    @Test
    void occupiesSlots() {
        assertThat(ask(
                        instance,
                        1,
                        statementOf(acme, new Rule.Slots(10, 0, 0, Long.MAX_VALUE))
                                .needingAtOnce(3, 1)))
                .isEqualTo(new Grant(3, 3, 0));
        long now = ask(
                        other,
                        1,
                        statementOf(acme, new Rule.Slots(10, 0, 0, Long.MAX_VALUE))
                                .needing(9))
                .elsewhere();
        assertThat(now).isEqualTo(3);
        assertThat(ask(
                                other,
                                2,
                                statementOf(acme, new Rule.Slots(10, 7, 1, Long.MAX_VALUE))
                                        .needing(1))
                        .elsewhere())
                .isZero();
    }

    @Test
    void isReturnedIfItWasNotUsedAfterAll() {
        ask(instance, 1, statementOf(acme, 10).needingAtOnce(3, 1));
        assertThat(ask(instance, 2, statementOf(acme, 10).used(-2)).total()).isEqualTo(1);
    }

    @Test
    void isNotGrantedWhereTooFewAreLeftForAnyCall() {
        assertThat(ask(instance, 1, statementOf(acme, 10).used(8).needingAtOnce(6, 3)))
                .isEqualTo(new Grant(8, 0, 0));
        assertThat(ask(instance, 2, statementOf(acme, 10).needingAtOnce(6, 2))).isEqualTo(new Grant(10, 2, 0));
    }
}
