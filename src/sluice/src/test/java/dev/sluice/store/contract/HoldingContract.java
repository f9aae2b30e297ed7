package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Grant;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What an instance holds counts as used until it is returned. */
public abstract class HoldingContract extends ContractPart {

    protected HoldingContract(StoreUnderTest tested) {
        super(tested);
    }

    private final CounterKey acme = key("acme");

    @Test
    void countsWhatIsHeldAsUsed() {
        assertThat(ask(instance, 1, statementOf(acme, 100).used(2).holding(3)).total())
                .isEqualTo(5);
        assertThat(total(acme)).isEqualTo(5);
    }

    @Test
    void replacesWhatTheSenderHeldBefore() {
        ask(instance, 1, statementOf(acme, 100).holding(5));
        assertThat(ask(instance, 2, statementOf(acme, 100).used(3).holding(2)).total())
                .isEqualTo(5);
        assertThat(ask(instance, 3, statementOf(acme, 100).holding(2)).total()).isEqualTo(5);
        assertThat(ask(instance, 4, statementOf(acme, 100)).total()).isEqualTo(3);
        assertThat(ask(instance, 5, statementOf(acme, 100).holding(1)).total()).isEqualTo(4);
    }

    @Test
    void countsWhatIsGrantedAsHeld() {
        ask(instance, 1, statementOf(acme, 100).needing(4));
        assertThat(total(acme)).isEqualTo(4);
        assertThat(ask(instance, 2, statementOf(acme, 100).used(4)).total()).isEqualTo(4);
        assertThat(total(acme)).isEqualTo(4);
    }

    @Test
    void isExactlyWhatWasUsedWhenAllIsReturned() {
        ask(instance, 1, statementOf(acme, 100).used(1).needing(4).wanting(10));
        ask(other, 1, statementOf(acme, 100).used(2).wanting(10));
        ask(instance, 2, statementOf(acme, 100).used(5));
        ask(other, 2, statementOf(acme, 100).used(3));
        assertThat(total(acme)).isEqualTo(11);
    }

    @Test
    void keepsHoldingsApart() {
        ask(instance, 1, statementOf(acme, 100).holding(4));
        ask(other, 1, statementOf(acme, 100).holding(2));
        ask(instance, 2, statementOf(acme, 100));
        assertThat(total(acme)).isEqualTo(2);
    }

    @Test
    void tellsWhatOthersHoldWhereTooLittleIsGranted() {
        ask(instance, 1, statementOf(acme, 10).used(1).holding(4));
        ask(other, 1, statementOf(acme, 10).holding(3));
        assertThat(ask(third, 1, statementOf(acme, 10).needing(5))).isEqualTo(new Grant(10, 2, 7));
        assertThat(ask(instance, 2, statementOf(acme, 10).holding(4).needing(1)))
                .isEqualTo(new Grant(10, 0, 5));
    }

    @Test
    void countsWhatWasHeldAsUsedWhenTheLeaseEnds() {
        ask(instance, 1, statementOf(acme, 10).used(2).needing(7).leasedFor(BRIEF));
        assertThat(ask(other, 1, statementOf(acme, 10).needing(2))).isEqualTo(new Grant(10, 1, 7));

        letPass(AFTER_BRIEF);

        assertThat(ask(other, 2, statementOf(acme, 10).used(1).needing(9))).isEqualTo(new Grant(10, 0, 0));
    }

    @Test
    void renewsALeaseWithEachStatement() {
        Duration lease = Duration.ofMillis(1_500);
        long seenAfter = lease.toMillis();
        Grant seen = new Grant(0, 0, 0);
        // On a busy machine the renewed lease may have ended too, which says nothing.
        for (int attempt = 0; attempt < 20 && seenAfter >= lease.toMillis(); attempt++) {
            CounterKey key = key("acme-" + attempt);
            ask(instance, 10 * attempt + 1, statementOf(key, 10).needing(8).leasedFor(lease));
            letPass(Duration.ofSeconds(1));
            long renewed = now();
            ask(instance, 10 * attempt + 2, statementOf(key, 10).holding(8).leasedFor(lease));
            letPass(Duration.ofSeconds(1));
            seen = ask(other, attempt + 1, statementOf(key, 10).needing(9));
            seenAfter = now() - renewed;
        }
        assertThat(seen).isEqualTo(new Grant(10, 2, 8));
    }

    @Test
    void countsWhatAnUnresponsiveHolderHasUsedOnce() {
        ask(instance, 1, statementOf(acme, 10).needing(8).leasedFor(BRIEF));
        letPass(AFTER_BRIEF);
        assertThat(ask(other, 1, statementOf(acme, 10).needing(9)).granted()).isEqualTo(2);

        assertThat(ask(instance, 2, statementOf(acme, 10).used(5)).total()).isEqualTo(7);
        assertThat(ask(other, 2, statementOf(acme, 10).used(2)).total()).isEqualTo(7);
    }

    @Test
    void replacesAlsoWhatWasHeldLongerThanItsLease() {
        ask(instance, 1, statementOf(acme, 10).needing(8).leasedFor(BRIEF));
        letPass(AFTER_BRIEF);
        assertThat(ask(instance, 2, statementOf(acme, 10).used(2).holding(6)).total())
                .isEqualTo(8);
        assertThat(ask(other, 1, statementOf(acme, 10).needing(9))).isEqualTo(new Grant(10, 2, 6));
    }
}
