package dev.sluice.internal.limiter.fleet;

import static dev.sluice.internal.limiter.simulation.CallPattern.slots;
import static dev.sluice.internal.limiter.simulation.CallPattern.window;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.internal.limiter.simulation.CallPattern;
import dev.sluice.internal.limiter.simulation.FleetSimulation;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.internal.limiter.sync.ManualSynchroniser;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one instance exchanges with the store, step by step, with its clock set by hand. */
@Timeout(60)
class ExchangesOfAnInstanceTest {

    @Nested
    class Exchanging {

        @Test
        void oneExchangeForACallThatFindsNoPermit() {
            ManualSynchroniser machine = ManualSynchroniser.deciding(OnFailure.DENY);
            assertThat(machine.call("a").admitted()).isTrue();
            assertThat(machine.batches).hasSize(1);
            assertThat(machine.lastStatement().needed().all()).isEqualTo(1);
        }

        @Test
        void oneExchangeForAllCallsThatWait() {
            try (SimulatedFleet fleet = new SimulatedFleet(
                    1,
                    FleetSimulation.limits(List.of(List.of(window(50, "PT1H"))), ManualSynchroniser.NO_SLACK),
                    true)) {
                List<Decision> decisions = new ArrayList<>();
                fleet.pass(100);
                for (int i = 0; i < 30; i++) {
                    fleet.loop.in(0, () -> decisions.add(fleet.instances.get(0).decide(FleetSimulation.call("a", 1))));
                }
                fleet.pass(2);
                assertThat(decisions).hasSize(30).allMatch(Decision::admitted);
                assertThat(fleet.traffic.sums().exchanges()).isEqualTo(1);
            }
        }

        @Test
        void noLaterCallTakesWhatAWaitingCallWasGranted() {
            ManualSynchroniser machine = new ManualSynchroniser(
                    new SharingOptions(OnFailure.DENY, Duration.ofMillis(50)),
                    ManualSynchroniser.NO_SLACK,
                    window(1, "PT1H"));
            List<Decision> later = new ArrayList<>();
            machine.meanwhile = () -> later.add(machine.call("a"));
            assertThat(machine.call("a").admitted()).isTrue();
            assertThat(later).hasSize(1).noneMatch(Decision::admitted);
        }

        @Test
        void aCallThatWaitedReportsTheCorrectRemaining() {
            ManualSynchroniser machine = ManualSynchroniser.deciding(OnFailure.DENY);
            assertThat(machine.call("a").remaining()).isEqualTo(4);
            assertThat(machine.call("a").remaining()).isEqualTo(3);
        }

        @Test
        void aCallWhoseThreadIsWokenLateCountsWhatWasTakenAheadMeanwhile() {
            ManualSynchroniser machine = new ManualSynchroniser(window(50, "PT1H"));
            for (int call = 0; call < 7; call++) {
                machine.call("a");
                machine.pass(10);
            }
            machine.pass(1_100);
            machine.meanwhile = () -> {
                machine.pass(60);
                machine.call("b"); // this exchange fills up the share of the other caller too
                assertThat(machine.statements())
                        .anyMatch(statement -> statement.needed().all() == 0 && statement.wanted() > 0);
            };
            assertThat(machine.call("a").remaining()).isEqualTo(50 - 8);
        }

        @Test
        void readsRequestsSoonWhileCallsComeAndSleepsOtherwise() {
            ManualSynchroniser machine = new ManualSynchroniser(window(5, "PT1S"));
            machine.call("a");
            long busy = machine.synchroniser.step();
            assertThat(busy).isLessThanOrEqualTo(machine.nanos() + 25_000_000);
            machine.pass(10_000); // the sweep of idle counters leaves a note
            int batchesBefore = machine.batches.size();
            int stepsBefore = machine.steps;
            machine.pass(60_000);
            assertThat(machine.batches.size() - batchesBefore).isLessThanOrEqualTo(60 / 3);
            assertThat(machine.steps - stepsBefore)
                    .as("steps: for exchanges, their answers, and each sweep")
                    .isLessThanOrEqualTo(2 * (60 / 3) + 60 / 5);
        }

        @Test
        void limitsThatWereUsedUpOneAfterTheOtherAreAskedForTogether() {
            ManualSynchroniser machine = new ManualSynchroniser(window(1, "PT1H"));
            for (int caller = 0; caller < 20; caller++) {
                machine.call("caller-" + caller);
                machine.pass(25);
            }
            int statementsBefore = machine.statements().size();
            int batchesBefore = machine.batches.size();
            for (int call = 0; call < 300; call++) {
                assertThat(machine.call("caller-" + call % 20).admitted()).isFalse();
                machine.pass(10);
            }
            assertThat(machine.statements().size() - statementsBefore)
                    .as("each limit once, after two intervals")
                    .isEqualTo(20);
            assertThat(machine.batches.size() - batchesBefore)
                    .as("in the quarters of half an interval, and heartbeats")
                    .isLessThanOrEqualTo(3 + 3);
        }

        /** Its account is idle, and the one of the new limit has to wait for it. */
        @Test
        void asksAtOnceForTheFirstCallAfterAReload() {
            Limits before = FleetSimulation.limits(List.of(List.of(window(5, "PT1H"))), ManualSynchroniser.NO_SLACK);
            Limits after = FleetSimulation.limits(List.of(List.of(window(10, "PT1H"))), ManualSynchroniser.NO_SLACK);
            try (SimulatedFleet fleet = new SimulatedFleet(1, before, true)) {
                List<Long> waited = new ArrayList<>();
                Runnable call = () -> {
                    long began = fleet.loop.nanos();
                    fleet.instances.get(0).decide(FleetSimulation.call("a", 1));
                    waited.add((fleet.loop.nanos() - began) / ManualSynchroniser.MILLI);
                };
                fleet.loop.in(0, call);
                fleet.pass(3_300);
                fleet.instances.get(0).limiter.replace(after);
                fleet.loop.in(0, call);
                fleet.pass(1_000);
                assertThat(waited).containsExactly(1L, 1L);
            }
        }

        @Test
        void asksAtLeastOnceAnIntervalWhetherSomethingIsLost() {
            ManualSynchroniser machine = ManualSynchroniser.deciding(OnFailure.DENY);
            machine.call("a");
            machine.pass(2_000);
            int before = machine.batches.size();
            machine.pass(5_000);
            assertThat(machine.batches.size() - before).isBetween(4, 6);
        }
    }

    @Nested
    class OneCounterAfterTheOther {

        private final ManualSynchroniser machine = new ManualSynchroniser(slots(3));

        private boolean passes(String caller) {
            return machine.call(caller).admitted();
        }

        /** Drives out all counters that were there before. */
        private void flood() {
            for (int i = 0; i < 5 * ManualSynchroniser.MAXIMUM; i++) {
                requireNonNull(machine.call("flood-" + i).ticket()).ended(200);
            }
        }

        @Test
        void slotsOfACounterThatWasEvictedStayTaken() {
            assertThat(passes("a")).isTrue();
            flood();
            machine.pass(2_000);
            assertThat(passes("a")).isTrue();
            assertThat(passes("a")).isTrue();
            assertThat(passes("a")).isFalse();
            machine.pass(20_000);
            assertThat(passes("a")).as("calls are still in flight").isFalse();
        }

        @Test
        void slotsStayTakenWhenTheLimitChanges() {
            Decision first = machine.call("a");
            assertThat(passes("a")).isTrue();
            machine.replace(slots(4));
            assertThat(passes("a")).isTrue();
            assertThat(passes("a")).isTrue();
            assertThat(passes("a")).isFalse();
            requireNonNull(first.ticket()).ended(200);
            machine.pass(1_000);
            assertThat(passes("a")).isTrue();
            assertThat(passes("a")).isFalse();
        }

        @Test
        void callsStayCountedWhenTheLimitChanges() {
            ManualSynchroniser windows = new ManualSynchroniser(window(5, "PT1H"));
            for (int i = 0; i < 4; i++) {
                assertThat(windows.call("a").admitted()).isTrue();
            }
            windows.replace(window(6, "PT1H"));
            assertThat(windows.call("a").admitted()).isTrue();
            assertThat(windows.call("a").admitted()).isTrue();
            assertThat(windows.call("a").admitted()).isFalse();
            windows.pass(3_000);
            assertThat(windows.told(0)).isEqualTo(6);
        }
    }

    @Nested
    class OneLimitAfterTheOther {

        @Test
        void aThirdCounterWaitsForTheSecondsReport() {
            ManualSynchroniser machine = ManualSynchroniser.withSlack(window(10, "PT1H"));
            machine.call("a");
            machine.replace(window(20, "PT1H"));
            machine.call("a");
            machine.replace(window(30, "PT1H"));
            for (int i = 0; i < 6; i++) {
                machine.call("a");
            }
            machine.synchroniser.step(); // reads the requests
            assertThat(machine.call("a").admitted()).isTrue();
            assertThat(machine.statements())
                    .extracting(statement -> statement.rule())
                    .startsWith(new Rule.Total(10), new Rule.Total(20), new Rule.Total(30));
        }
    }

    @Nested
    class EndsOfWindows {

        @Test
        void aCallThatIsSlowToSayWhoCallsIsCountedInTheNextWindow() {
            ManualSynchroniser machine = new ManualSynchroniser(window(5, "PT10S"));
            assertThat(machine.call("a").admitted()).isTrue();
            machine.pass(9_900);
            Call call = FleetSimulation.call("a", 1);
            Call slow = (Call) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Call.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("header") && arguments[0].equals("X-Cost")) {
                            machine.pass(1_000);
                        }
                        return method.invoke(call, arguments);
                    });
            assertThat(machine.limiter.decide(slow).admitted()).isTrue();
        }

        @Test
        void sharesAreReturnedThoughTheStoreWasUnavailableUntilLongAfterTheWindow() {
            ManualSynchroniser machine = new ManualSynchroniser(window(1_000, "PT4S"));
            for (int i = 0; i < 100; i++) {
                machine.call("a");
                machine.pass(10);
            }
            assertThat(machine.lastStatement().held() + machine.lastStatement().wanted())
                    .isPositive();
            machine.failing = true;
            machine.pass(20_000);
            machine.failing = false;
            int before = machine.statements().size();
            machine.pass(5_000);
            assertThat(machine.statements().stream().skip(before)).anyMatch(statement -> statement.held() == 0);
        }
    }

    @Nested
    class Lives {

        @Test
        void aShareIsReturnedWithinAnInterval() {
            ManualSynchroniser machine = new ManualSynchroniser(window(1000, "PT1H"));
            for (int i = 0; i < 200; i++) {
                machine.call("a");
                machine.pass(10);
            }
            assertThat(machine.statements()).anyMatch(statement -> statement.held() > 0);
            machine.pass(1_000);
            assertThat(machine.told(0)).isEqualTo(200);
            assertThat(machine.lastStatement().held() + machine.lastStatement().wanted())
                    .isZero();
            int settled = machine.statements().size();
            machine.pass(10_000);
            assertThat(machine.statements()).hasSize(settled);
        }

        @Test
        void theSurplusIsReturnedWhenCallsGetFewer() {
            ManualSynchroniser machine = new ManualSynchroniser(window(1000, "PT1H"));
            for (int i = 0; i < 200; i++) {
                machine.call("a");
                machine.pass(10);
            }
            for (int i = 0; i < 10; i++) {
                machine.call("a");
                machine.pass(500);
            }
            assertThat(machine.lastStatement().held()).isLessThan(10);
        }

        @Test
        void leasesOfSlotsInUseAreRenewed() {
            ManualSynchroniser machine = new ManualSynchroniser(slots(3));
            Decision decision = machine.call("a");
            int before = machine.statements().size();
            machine.pass(20_000);
            assertThat(machine.statements().size() - before).isGreaterThanOrEqualTo(20 / 5);
            assertThat(machine.lastStatement().rule())
                    .isInstanceOfSatisfying(
                            Rule.Slots.class,
                            leased -> assertThat(leased.inUse()).isEqualTo(1));
            requireNonNull(decision.ticket()).ended(200);
            machine.pass(1_500);
            assertThat(machine.lastStatement().rule())
                    .isInstanceOfSatisfying(
                            Rule.Slots.class,
                            leased -> assertThat(leased.inUse()).isZero());
        }

        @Test
        void aReturningCallerDoesNotWait() {
            ManualSynchroniser machine = new ManualSynchroniser(CallPattern.bucket(5, "PT1S", 5));
            machine.call("a");
            machine.pass(5_000);
            machine.limiter.sweep();
            machine.pass(2_000);
            long before = machine.nanos();
            assertThat(machine.call("a").admitted()).isTrue();
            assertThat(machine.nanos()).isEqualTo(before);
        }
    }
}
