package dev.sluice.limiter.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limiter.counter.CounterFamilies;
import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.limiter.exchange.ManualSynchroniser;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limiter.simulation.CallPattern;
import dev.sluice.limiter.simulation.FleetSimulation;
import dev.sluice.limits.Explanation;
import org.junit.jupiter.api.Test;

class BalanceTest {

    private final SharedPool pool = pool();

    /** A pool without permits. */
    private static SharedPool pool() {
        ManualSynchroniser machine = new ManualSynchroniser(CallPattern.window(100, "PT1H"));
        Explanation why = machine.limiter.explain(FleetSimulation.call("a", 1)).get(0);
        CounterFamily family = new CounterFamilies(machine.synchroniser, () -> 0)
                .of(new CounterFamily.Identity(
                        "e", "GET", why.tier(), java.util.List.of("tenant"), java.util.List.of("ip")));
        return (SharedPool) java.util.Objects.requireNonNull(
                machine.synchroniser.open(family, "acme").at(machine.synchroniser.nowMillis()));
    }

    private Balance ungranted(long ungranted) {
        pool.permits.add(ungranted);
        return new Balance(pool, ungranted);
    }

    private void use(long permits) {
        assertThat(pool.permits.take(permits, 0, 0)).isNotNegative();
    }

    @Test
    void callsUseGrantedPermitsFirstAndUngrantedOnesThen() {
        Balance balance = ungranted(5);
        balance.grant(10, 0);
        use(8);
        assertThat(balance.state()).isEqualTo(new Balance.State(8, 2, 5, 0));
        use(4);
        assertThat(balance.state()).isEqualTo(new Balance.State(12, 0, 3, 0));
    }

    @Test
    void whatWasUsedIsToldOnce() {
        Balance balance = ungranted(0);
        balance.grant(10, 0);
        use(4);
        Balance.State state = balance.state();
        assertThat(balance.unreported(state)).isEqualTo(4);
        use(1); // while the store is being asked
        balance.reported(state, balance.unreported(state), 0);
        assertThat(balance.unreported(balance.state())).isEqualTo(1);
    }

    @Test
    void ungrantedPermitsThatWereUsedAndToldAreUngrantedNoMore() {
        Balance balance = ungranted(5);
        use(3);
        balance.reported(balance.state(), balance.unreported(balance.state()), 0);
        assertThat(balance.ungranted()).isEqualTo(2);
        balance.setUngranted(5);
        assertThat(balance.state()).isEqualTo(new Balance.State(3, 0, 5, 0));
    }

    @Test
    void whatIsTakenOutIsNotUsed() {
        Balance balance = ungranted(0);
        balance.grant(10, 0);
        use(4);
        balance.takeOut(Long.MAX_VALUE);
        assertThat(balance.state()).isEqualTo(new Balance.State(4, 0, 0, 0));
    }

    @Test
    void ungrantedPermitsAreWithdrawnAsFarAsTheyAreUnused() {
        Balance balance = ungranted(10);
        use(7);
        balance.setUngranted(0);
        assertThat(balance.state()).isEqualTo(new Balance.State(7, 0, 0, 0));
        assertThat(balance.ungranted()).isEqualTo(7);
    }

    @Test
    void whatWasChargedBeyondThePermitsIsToldOnce() {
        Balance balance = ungranted(0);
        balance.grant(3, 0);
        pool.charge(5, 0);
        Balance.State state = balance.state();
        assertThat(state).isEqualTo(new Balance.State(5, 0, 0, 2));
        balance.reported(state, balance.unreported(state), 0);
        assertThat(balance.unreported(balance.state())).isZero();
        assertThat(pool.overdrawn.get()).isZero();
    }

    @Test
    void whatTheStoreHasForgottenIsToldAgain() {
        Balance balance = ungranted(0);
        balance.grant(10, 0);
        use(6);
        balance.reported(balance.state(), balance.unreported(balance.state()), 0);
        balance.lost(2);
        assertThat(balance.unreported(balance.state())).isEqualTo(2);
        balance.lost(Long.MAX_VALUE);
        assertThat(balance.unreported(balance.state())).isEqualTo(6);
    }

    @Test
    void whatIsUnderWayWhileTheStoreForgetsIsNotToldTwice() {
        Balance balance = ungranted(0);
        balance.grant(10, 0);
        use(4);
        balance.reported(balance.state(), 4, 0);
        use(2);
        Balance.State underWay = balance.state();
        balance.lost(Long.MAX_VALUE); // before the answer: the store knows of those two, and of nothing else
        balance.reported(underWay, 2, 1);
        assertThat(balance.unreported(balance.state()))
                .isEqualTo(3); // one waiting call counts as used and has not passed yet
    }
}
