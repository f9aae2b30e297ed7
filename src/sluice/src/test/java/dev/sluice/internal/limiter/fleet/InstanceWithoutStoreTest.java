package dev.sluice.internal.limiter.fleet;

import static dev.sluice.internal.limiter.simulation.CallPattern.slots;
import static dev.sluice.internal.limiter.simulation.CallPattern.window;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.limiter.sync.ManualSynchroniser;
import dev.sluice.limits.SharingOptions.OnFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One instance whose store is unavailable, late or back again, step by step, with its clock set by hand. */
@Timeout(60)
class InstanceWithoutStoreTest {

    @Test
    void afterTheTimeoutEachCountsAlone() {
        ManualSynchroniser machine = ManualSynchroniser.deciding(OnFailure.LOCAL);
        machine.unresponsive = true;
        for (int i = 0; i < 5; i++) {
            assertThat(machine.call("a").admitted()).isTrue();
        }
        assertThat(machine.call("a").admitted()).isFalse();
    }

    @Test
    void afterTheTimeoutNothingPasses() {
        ManualSynchroniser machine = ManualSynchroniser.deciding(OnFailure.DENY);
        machine.unresponsive = true;
        long before = machine.nanos();
        assertThat(machine.call("a").admitted()).isFalse();
        assertThat(machine.nanos() - before).isBetween(50 * ManualSynchroniser.MILLI, 70 * ManualSynchroniser.MILLI);
    }

    @Test
    void aCallWaitsForABackgroundThatWasLate() {
        ManualSynchroniser machine = ManualSynchroniser.deciding(OnFailure.DENY);
        machine.starvedNanos = 1_000 * ManualSynchroniser.MILLI;
        assertThat(machine.call("acme").admitted()).isTrue();
    }

    @Test
    void aCallWaitsNoLongerThanTwoSecondsForABackgroundThatIsLate() {
        ManualSynchroniser machine = ManualSynchroniser.deciding(OnFailure.DENY);
        machine.starvedNanos = 3_000 * ManualSynchroniser.MILLI;
        long before = machine.nanos();
        assertThat(machine.call("acme").admitted()).isFalse();
        assertThat(machine.nanos() - before)
                .isBetween(2_050 * ManualSynchroniser.MILLI, 2_070 * ManualSynchroniser.MILLI);
    }

    @Test
    void nobodyWaitsAgainForAStoreThatIsUnavailable() {
        ManualSynchroniser machine = ManualSynchroniser.deciding(OnFailure.ALLOW);
        machine.failing = true;
        machine.call("a");
        long before = machine.nanos();
        for (int i = 0; i < 20; i++) {
            assertThat(machine.call("b").admitted()).isTrue();
        }
        assertThat(machine.nanos()).isEqualTo(before);
    }

    @Test
    void admittedCallsAreReportedAfterwards() {
        ManualSynchroniser machine = ManualSynchroniser.deciding(OnFailure.LOCAL);
        machine.failing = true;
        machine.call("a");
        machine.call("a");
        machine.failing = false;
        int before = machine.statements().size();
        machine.pass(3_000);
        assertThat(machine.told(before)).isEqualTo(2);
    }

    @Test
    void aStoreThatOmitsGrantsCountsAsUnavailable() {
        ManualSynchroniser machine = ManualSynchroniser.deciding(OnFailure.DENY);
        machine.grantless = true;
        assertThat(machine.call("a").admitted()).isFalse();
        machine.pass(1_000);
        machine.grantless = false;
        machine.pass(2_000);
        assertThat(machine.call("a").admitted()).isTrue();
    }

    @Test
    void callsOfAQuietCallerAreReportedAfterwards() {
        ManualSynchroniser machine = ManualSynchroniser.deciding(OnFailure.LOCAL);
        machine.call("a");
        machine.call("b");
        machine.pass(5_000);
        machine.failing = true;
        machine.call("other");
        machine.pass(2_000);
        machine.call("a");
        machine.call("b");
        machine.failing = false;
        int before = machine.statements().size();
        machine.pass(3_000);
        assertThat(machine.told(before)).isEqualTo(3);
    }

    @Test
    void closingReportsAllAndThenDecidesAlone() {
        ManualSynchroniser machine = ManualSynchroniser.withSlack(window(5, "PT1H"));
        machine.call("a");
        assertThat(machine.told(0)).isZero();
        machine.limiter.close();
        assertThat(machine.told(0)).isEqualTo(1);
        assertThat(machine.call("b").admitted()).isTrue();
        assertThat(machine.told(0)).isEqualTo(1);
    }

    @Test
    void closingReportsCallsInFlightOnce() {
        ManualSynchroniser machine = new ManualSynchroniser(slots(3));
        machine.call("a");
        machine.pass(1_000);
        int before = machine.batches.size();
        machine.exchangeNanos = ManualSynchroniser.MILLI;
        machine.limiter.close();
        assertThat(machine.batches.size() - before).isLessThanOrEqualTo(1);
    }

    @Test
    void closingDuringAHangingStepLeavesTheAccountsAlone() {
        ManualSynchroniser machine = ManualSynchroniser.withSlack(window(5, "PT1H"));
        machine.call("a");
        machine.stuck = true;
        machine.limiter.close();
        assertThat(machine.batches).isEmpty();
    }
}
