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
            for (int i = 0; i < BusyPeriods.MOST; i++) {
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
    void whatIsGivenBackIsTheLatest() {
        BusyPeriods periods = new BusyPeriods(gcra);
        periods.add(1_000, 2, 5_000);
        periods.add(4_900, 8, 5_000);
        long before = periods.ahead(5_000);
        periods.add(5_000, -3, 5_000);
        assertThat(before - periods.ahead(5_000)).isEqualTo(3 * gcra.token());
        periods.add(5_000, -100, 5_000);
        assertThat(periods.ahead(5_000)).isZero();
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
        for (int i = 0; i < 40; i++) {
            periods.add(1_000L * i, 1, 50_000);
        }
        List<Long> starts = new ArrayList<>();
        periods.forEach((start, calls) -> starts.add(start));
        assertThat(starts).hasSize(BusyPeriods.MOST).last().isEqualTo(39_000L);
        periods.forgetBefore(38_500);
        starts.clear();
        periods.forEach((start, calls) -> starts.add(start));
        assertThat(starts).containsExactly(39_000L);
    }
}
