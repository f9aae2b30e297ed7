package dev.sluice.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BusyPeriodsTest {

    private final Gcra gcra = Gcra.of(10, 1_000, 20);

    private record Calls(long atMillis, long number) {}

    /** What a bucket is short of that was told of each call when it was made. */
    private long replayed(List<Calls> calls, long nowMillis) {
        long arrival = Gcra.FULL;
        for (Calls call :
                calls.stream().sorted(Comparator.comparingLong(Calls::atMillis)).toList()) {
            arrival = Math.max(arrival, call.atMillis * gcra.milli()) + call.number * gcra.token();
        }
        return Math.max(0, arrival - nowMillis * gcra.milli());
    }

    @Test
    void callsThatAreReportedInAnyOrderCountAsIfEachHadBeenReportedAtOnce() {
        for (long seed = 1; seed <= 500; seed++) {
            Random random = new Random(seed);
            List<Calls> calls = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                calls.add(new Calls(100_000 + random.nextInt(3_000), 1 + random.nextInt(2)));
            }
            Collections.shuffle(calls, random);
            BusyPeriods periods = new BusyPeriods(gcra);
            calls.forEach(call -> periods.add(call.atMillis, call.number, 103_000));
            assertThat(periods.ahead(103_000)).as("seed " + seed).isEqualTo(replayed(calls, 103_000));
        }
    }

    @Test
    void aPauseInWhichTheBucketIsFullBreaksThem() {
        BusyPeriods periods = new BusyPeriods(gcra);
        periods.add(1_000, 5, 5_000);
        periods.add(1_400, 1, 5_000);
        periods.add(2_000, 1, 5_000);
        List<String> told = new ArrayList<>();
        periods.forEach((start, calls) -> told.add(start + ": " + calls));
        assertThat(told).containsExactly("1000: 6", "2000: 1");
    }

    @Test
    void whatIsGivenBackComesFromTheTimeAtWhichItWasTaken() {
        BusyPeriods periods = new BusyPeriods(gcra);
        periods.add(1_000, 2, 5_000);
        periods.add(4_500, 8, 5_000);
        long before = periods.ahead(5_000);
        periods.add(1_100, -1, 5_000);
        assertThat(periods.ahead(5_000)).as("flowed in again long ago").isEqualTo(before);
        periods.add(4_600, -2, 5_000);
        assertThat(before - periods.ahead(5_000)).isEqualTo(2 * gcra.token());
        periods.add(4_200, -1, 5_000);
        assertThat(before - periods.ahead(5_000)).as("long before it").isEqualTo(2 * gcra.token());
        periods.add(4_450, -1, 5_000);
        assertThat(before - periods.ahead(5_000))
                .as("asked for just before the period began")
                .isEqualTo(3 * gcra.token());
        periods.add(4_500, -100, 5_000);
        assertThat(periods.ahead(5_000)).isZero();
    }

    /** Whoever holds slow calls open, and gives them back, must not have a full bucket twice. */
    @Test
    void callsThatCountNoMoreLeaveTheBucketAsIfTheyHadNeverBeenMade() {
        for (long seed = 1; seed <= 500; seed++) {
            Random random = new Random(seed);
            List<Calls> kept = new ArrayList<>();
            List<Calls> returned = new ArrayList<>();
            BusyPeriods periods = new BusyPeriods(gcra);
            for (int i = 0; i < 10; i++) {
                // no two are so near each other that one is taken for the other
                Calls call = new Calls(100_000 + 250L * i + random.nextInt(10), 1 + random.nextInt(2));
                (random.nextBoolean() ? kept : returned).add(call);
                periods.add(call.atMillis, call.number, 102_500);
            }
            returned.forEach(call -> periods.add(call.atMillis, -call.number, 102_500));
            assertThat(periods.ahead(102_500)).as("seed " + seed).isEqualTo(replayed(kept, 102_500));
        }
    }

    @Test
    void aSlowCallThatIsGivenBackReturnsNothingThatHasFlowedIn() {
        Gcra slow = Gcra.of(4, 4_000, 6);
        BusyPeriods periods = new BusyPeriods(slow);
        periods.add(2_000, 6, 7_300);
        periods.add(7_200, 5, 7_300);
        periods.add(2_000, -6, 7_300);
        assertThat(periods.ahead(7_300) / slow.milli()).isEqualTo(4_900);
    }

    @Test
    void noMoreIsBelievedThanABucketCanBeShortOf() {
        BusyPeriods periods = new BusyPeriods(gcra);
        periods.add(5_000, 1_000_000, 5_000);
        assertThat(periods.ahead(5_000)).isBetween(gcra.furthest() - gcra.token(), gcra.furthest());
    }

    @Test
    void theyAreFewAndThoseThatEndedCanBeForgotten() {
        BusyPeriods periods = new BusyPeriods(gcra);
        for (int i = 0; i < 3 * BusyPeriods.MOST; i++) {
            periods.add(1_000L * i, 1, 1_000_000);
        }
        List<Long> starts = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        periods.forEach((start, calls) -> {
            starts.add(start);
            numbers.add(calls);
        });
        assertThat(starts).hasSize(BusyPeriods.MOST).isSorted();
        assertThat(numbers.stream().mapToLong(number -> number).sum()).isEqualTo(3L * BusyPeriods.MOST);
        periods.forgetBefore(1_000L * (3 * BusyPeriods.MOST - 1));
        starts.clear();
        periods.forEach((start, calls) -> starts.add(start));
        assertThat(starts).hasSize(1);
    }

    /** Each of several instances calls more slowly than the bucket fills, all together faster. */
    @Test
    void whatSeveralReportersCallTogetherIsNotForgotten() {
        Gcra fast = Gcra.of(1_000, 1_000, 1_000);
        for (double rate : List.of(1_100.0, 1_300.0, 1_500.0)) {
            BusyPeriods periods = new BusyPeriods(fast);
            List<Calls> calls = new ArrayList<>();
            Random random = new Random(1);
            for (long now = 250; now <= 5_000; now += 250) {
                for (int reporter = 0; reporter < 5; reporter++) {
                    double at = now - 250;
                    for (at -= Math.log(1 - random.nextDouble()) * 5_000 / rate;
                            at < now;
                            at -= Math.log(1 - random.nextDouble()) * 5_000 / rate) {
                        calls.add(new Calls((long) at, 1));
                        periods.add((long) at, 1, now);
                    }
                }
                periods.forgetBefore(now - 10_000);
            }
            long arrival = 0;
            for (Calls call : calls.stream()
                    .sorted(Comparator.comparingLong(Calls::atMillis))
                    .toList()) {
                arrival = Math.max(arrival, call.atMillis * fast.milli()) + call.number * fast.token();
            }
            double truth = (arrival - 5_000.0 * fast.milli()) / fast.milli();
            double told = (double) periods.ahead(5_000) / fast.milli();
            assertThat(told)
                    .as("at " + rate)
                    .isBetween(0.97 * Math.min(truth, fast.furthest() / (double) fast.milli()) - 20, truth + 20);
        }
    }

    @Test
    void aBurstIsGivenBackThoughThereAreTooManyPausesBeforeIt() {
        BusyPeriods periods = new BusyPeriods(gcra);
        for (long call = 0; call < 200; call++) {
            periods.add(10_000 + 150 * call, 1, 50_000);
        }
        periods.add(49_600, 10, 50_000);
        periods.add(50_000, 6, 50_000);
        long before = periods.ahead(50_000);
        periods.add(50_000, -6, 50_000);
        assertThat(before - periods.ahead(50_000)).isEqualTo(6 * gcra.token());
    }
}
