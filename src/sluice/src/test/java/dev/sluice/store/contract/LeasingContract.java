package dev.sluice.store.contract;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.store.Exchanges;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What an instance holds is free again when it has sent no batch for the length of the lease. */
public abstract class LeasingContract extends ContractPart {

    protected LeasingContract(StoreUnderTest tested) {
        super(tested);
    }

    private final CounterKey acme = key("acme");

    private Exchanges.Asked slots(long inUse, long sinceMillis) {
        return slots(inUse, sinceMillis, Long.MAX_VALUE);
    }

    private Exchanges.Asked slots(long inUse, long sinceMillis, long asOfMillis) {
        return statementOf(acme, new Rule.Slots(5, inUse, sinceMillis, asOfMillis));
    }

    @Test
    void givesEachSlotToOneInstance() {
        assertThat(ask(instance, 1, slots(1, 0).needing(2))).isEqualTo(new Grant(3, 2, 0));
        assertThat(ask(other, 1, slots(0, 0).needing(3))).isEqualTo(new Grant(5, 2, 3));
        assertThat(ask(instance, 2, slots(1, 0))).isEqualTo(new Grant(3, 0, 2));
        assertThat(ask(other, 2, slots(2, 0).needing(9))).isEqualTo(new Grant(5, 2, 1));
        assertThat(ask(instance, 3, slots(0, 0))).isEqualTo(new Grant(4, 0, 4));
    }

    @Test
    void countsSlotsThatAreHeldFree() {
        ask(instance, 1, slots(1, 0).holding(2));
        assertThat(ask(other, 1, slots(0, 0).needing(3))).isEqualTo(new Grant(5, 2, 3));
    }

    @Test
    void tellsWhoMayHaveFreeSlotsSinceCallsWait() {
        ask(instance, 1, slots(3, 0).holding(2));
        letPass(Duration.ofMillis(50));
        long since = exchange(store, batch(unique(), 1)).nowMillis();
        letPass(Duration.ofMillis(50));
        assertThat(ask(other, 1, slots(0, since).needing(1)).elsewhere()).isEqualTo(5);
        ask(instance, 2, slots(5, 0));
        assertThat(ask(other, 2, slots(0, since).needing(1))).isEqualTo(new Grant(5, 0, 0));
    }

    @Test
    void whatWasCountedBeforeCallsWaitedTellsNothingOfFreeSlots() {
        long since = exchange(store, batch(unique(), 1)).nowMillis();
        letPass(Duration.ofMillis(50));
        ask(instance, 1, slots(5, 0, since - 1));
        assertThat(ask(other, 1, slots(0, since).needing(1)).elsewhere()).isEqualTo(5);
        ask(instance, 2, slots(5, 0, since));
        assertThat(ask(other, 2, slots(0, since).needing(1)).elsewhere()).isZero();
    }

    @Test
    void freesTheSlotsOfAnUnresponsiveInstance() {
        ask(instance, 1, slots(2, 0).needing(3).leasedFor(BRIEF));
        letPass(AFTER_BRIEF);
        assertThat(ask(other, 1, slots(0, 0).needing(4))).isEqualTo(new Grant(4, 4, 0));
    }

    @Test
    void sharesFreeSlotsOut() {
        assertThat(ask(instance, 1, slots(1, 0).wanting(9))).isEqualTo(new Grant(3, 2, 0));
        assertThat(ask(other, 1, slots(0, 0).wanting(9)).granted()).isZero();
    }
}
