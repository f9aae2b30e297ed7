package dev.sluice.internal.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BusyPeriodsTest {

    private static final Gcra EVEN = Gcra.of(10, 1_000, 20);

    /** Neither a token nor a millisecond is one unit. A token takes 428.57 ms to flow in, and a grain is 321 ms. */
    private static final Gcra ODD = Gcra.of(7, 3_000, 12);

    private final Gcra gcra = EVEN;

    private record Calls(long atMillis, long number) {}

    private static List<String> entries(BusyPeriods periods) {
        List<String> entries = new ArrayList<>();
        periods.forEach((start, calls) -> entries.add(start + ": " + calls));
        return entries;
    }

    /** What a bucket is short of that was told of each call when it was made. */
    private static long replayed(Gcra gcra, List<Calls> calls, long nowMillis) {
        long arrival = Gcra.FULL;
        for (Calls call :
                calls.stream().sorted(Comparator.comparingLong(Calls::atMillis)).toList()) {
            arrival = Math.max(arrival, call.atMillis * gcra.milli()) + call.number * gcra.token();
        }
        return Math.max(0, arrival - nowMillis * gcra.milli());
    }

    static List<Gcra> buckets() {
        return List.of(EVEN, ODD);
    }

    @ParameterizedTest
    @MethodSource("buckets")
    void orderOfReportsDoesNotMatter(Gcra gcra) {
        for (long seed = 1; seed <= 500; seed++) {
            Random random = new Random(seed);
            List<Calls> calls = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                calls.add(new Calls(100_000 + random.nextInt(3_000), 1 + random.nextInt(2)));
            }
            Collections.shuffle(calls, random);
            BusyPeriods periods = new BusyPeriods(gcra);
            calls.forEach(call -> periods.add(call.atMillis, call.number, 103_000));
            assertThat(periods.ahead(103_000)).as("seed " + seed).isEqualTo(replayed(gcra, calls, 103_000));
        }
    }

    /** Follows a change of the figures between random calls, which are reported up to two seconds late. */
    @ParameterizedTest
    @MethodSource("buckets")
    void aChangeKeepsTheMissingTokensWhateverIsReportedLater(Gcra gcra) {
        for (long seed = 1; seed <= 500; seed++) {
            Random random = new Random(seed);
            Gcra next = Gcra.of(1 + random.nextInt(30), 1_000L * (1 + random.nextInt(4)), 1 + random.nextInt(30));
            long changed = 100_001L + random.nextInt(2_999);
            List<Calls> calls = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                int within = i < 6 ? (int) (changed - 100_000) : 3_000;
                calls.add(new Calls(100_000 + random.nextInt(within), 1 + random.nextInt(2)));
            }
            BusyPeriods periods = new BusyPeriods(gcra);
            calls.subList(0, 6).forEach(call -> periods.add(call.atMillis, call.number, 103_000));
            BusyPeriods following = periods.following(next, changed, 103_000);
            calls.subList(6, 12).forEach(call -> following.add(call.atMillis, call.number, 103_000));

            double missing = replayed(gcra, next, changed, calls, 103_000);
            double tokens = (double) following.ahead(103_000) / next.token();
            double most = (double) next.furthest() / next.token() - 1; // whole calls are cut
            double aMilli = 2.0 * next.milli() / next.token();
            assertThat(tokens).as("seed " + seed).isBetween(Math.min(missing, most) - aMilli, missing + aMilli);
        }
    }

    /**
     * The tokens that a bucket is short of that was told of each call when it was made, and that changed its pace then.
     */
    private static double replayed(Gcra before, Gcra after, long changedMillis, List<Calls> calls, long nowMillis) {
        List<Calls> all = new ArrayList<>(calls);
        all.add(new Calls(changedMillis, 0));
        all.add(new Calls(nowMillis, 0));
        all.sort(Comparator.comparingLong(Calls::atMillis));
        double missing = 0;
        long last = 0;
        for (Calls call : all) {
            Gcra pace = call.atMillis > changedMillis ? after : before;
            missing =
                    Math.max(0, missing - (double) (call.atMillis - last) * pace.milli() / pace.token()) + call.number;
            last = call.atMillis;
        }
        return missing;
    }

    @Test
    void anInstanceWithOldLimitsLeavesNoTrace() {
        Gcra next = Gcra.of(25, 1_000, 20);
        BusyPeriods periods = new BusyPeriods(EVEN);
        periods.add(1_000, 15, 1_000);

        BusyPeriods followed = periods.following(next, 1_500, 1_600);
        BusyPeriods late = followed.following(EVEN, 0, 1_700);
        BusyPeriods again = late.following(next, 1_500, 1_700);

        assertThat(late.ahead(1_700)).isEqualTo(periods.ahead(1_700));
        assertThat(again.ahead(1_700)).isEqualTo(followed.ahead(1_700));
        assertThat(again.before()).isEqualTo(followed.before());
    }

    @Test
    void aPauseWithAFullBucketEndsABusyPeriod() {
        BusyPeriods periods = new BusyPeriods(gcra);
        periods.add(1_000, 5, 5_000);
        periods.add(1_400, 1, 5_000);
        periods.add(2_000, 1, 5_000);
        assertThat(entries(periods)).containsExactly("1000: 6", "2000: 1");
    }

    @Test
    void neighboursMergeIfTheyAreClose() {
        BusyPeriods periods = new BusyPeriods(ODD);
        periods.add(5_000, 1, 6_000);
        periods.add(5_321, 1, 6_000);
        assertThat(entries(periods)).containsExactly("5000: 2");
        periods.add(5_322, 1, 6_000);
        assertThat(entries(periods)).containsExactly("5000: 2", "5322: 1");
    }

    @Test
    void anEntryWithoutAPauseBeforeItBelongsToTheBusyPeriod() {
        BusyPeriods periods = new BusyPeriods(ODD);
        periods.add(5_000, 7, 20_000); // 3 s
        periods.add(8_000, 1, 20_000);
        periods.add(8_429, 1, 20_000); // 3 units of time after the last token has flowed in
        assertThat(entries(periods)).containsExactly("5000: 8", "8429: 1");
    }

    @Test
    void oldNeighboursMergeOnceTheirCallsCannotComeBack() {
        BusyPeriods periods = new BusyPeriods(ODD);
        long lastInTime = 5_000 + ODD.millisToRefill();
        periods.add(4_000, 3, lastInTime);
        periods.add(5_000, 1, lastInTime);
        assertThat(entries(periods)).containsExactly("4000: 3", "5000: 1");
        periods.add(9_000, 1, lastInTime + 1);
        assertThat(entries(periods)).containsExactly("4000: 4", "9000: 1");
    }

    @Test
    void noCallsLeaveNoEntry() {
        BusyPeriods periods = new BusyPeriods(ODD);
        periods.add(5_000, 0, 5_000);
        assertThat(entries(periods)).isEmpty();
        periods.add(5_000, 2, 5_000);
        periods.add(5_000, -2, 5_000);
        assertThat(entries(periods)).isEmpty();
    }

    @Test
    void callsAreReturnedAtTheTimeTheyWereTaken() {
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
    @ParameterizedTest
    @MethodSource("buckets")
    void returnedCallsLeaveNoTrace(Gcra gcra) {
        long apart = gcra.depth() / gcra.milli() / 16 + 125; // so that none is taken for another
        long now = 100_000 + 10 * apart;
        for (long seed = 1; seed <= 500; seed++) {
            Random random = new Random(seed);
            List<Calls> kept = new ArrayList<>();
            List<Calls> returned = new ArrayList<>();
            BusyPeriods periods = new BusyPeriods(gcra);
            for (int i = 0; i < 10; i++) {
                Calls call = new Calls(100_000 + apart * i + random.nextInt(10), 1 + random.nextInt(2));
                (random.nextBoolean() ? kept : returned).add(call);
                periods.add(call.atMillis, call.number, now);
            }
            returned.forEach(call -> periods.add(call.atMillis, -call.number, now));
            assertThat(periods.ahead(now)).as("seed " + seed).isEqualTo(replayed(gcra, kept, now));
        }
    }

    @Test
    void aSlowCallReturnsNothingThatHasFlowedIn() {
        Gcra slow = Gcra.of(4, 4_000, 6);
        BusyPeriods periods = new BusyPeriods(slow);
        periods.add(2_000, 6, 7_300);
        periods.add(7_200, 5, 7_300);
        periods.add(2_000, -6, 7_300);
        assertThat(periods.ahead(7_300) / slow.milli()).isEqualTo(4_900);
    }

    /** An entry has a time of its own, and may be old; its calls still wait for their tokens. */
    @Test
    void aLateReturnUsesTheEntryWhoseTokensStillFlowIn() {
        BusyPeriods periods = new BusyPeriods(ODD);
        periods.add(1_000, 1, 9_000);
        periods.add(5_000, 7, 9_000); // until 8 s
        periods.add(5_900, 1, 9_000);
        periods.add(8_000, -1, 9_000);
        assertThat(entries(periods)).as("just after the last token").containsExactly("1000: 1", "5000: 7", "5900: 1");
        periods.add(6_422, -1, 9_000); // 522 ms after it, and a token flows in within 429 ms
        assertThat(entries(periods)).containsExactly("1000: 1", "5000: 6", "5900: 1");
        periods.add(7_571, -1, 9_000);
        assertThat(entries(periods))
                .as("a little before the last token")
                .containsExactly("1000: 1", "5000: 5", "5900: 1");
        periods.add(7_143, -1, 9_000);
        assertThat(entries(periods)).as("a little after it").containsExactly("1000: 1", "5000: 5", "5900: 1");
    }

    @ParameterizedTest
    @CsvSource({"4579, true", "4578, false", "5421, true", "5422, true", "4900, true"})
    void aReturnUsesAnEntryWithinReach(long atMillis, boolean comesBack) {
        BusyPeriods periods = new BusyPeriods(ODD);
        periods.add(5_000, 3, 9_000);
        periods.add(atMillis, -1, 9_000);
        assertThat(entries(periods)).containsExactly(comesBack ? "5000: 2" : "5000: 3");
    }

    @ParameterizedTest
    @MethodSource("buckets")
    void entriesAreCutToWhatABucketCanLack(Gcra gcra) {
        BusyPeriods periods = new BusyPeriods(gcra);
        periods.add(3_900, 2, 5_000);
        periods.add(5_000, 1_000_000, 5_000);
        assertThat(periods.ahead(5_000)).isBetween(gcra.furthest() - gcra.token(), gcra.furthest());
        assertThat(periods.ahead(8_000))
                .as("tokens flow in from then on")
                .isEqualTo(periods.ahead(5_000) - 3_000 * gcra.milli());
        assertThat(entries(periods)).as("the latest are cut first").hasSize(2).startsWith("3900: 2");

        BusyPeriods ofOneEntry = new BusyPeriods(gcra);
        ofOneEntry.add(5_000, 1_000_000, 5_000);
        assertThat(ofOneEntry.ahead(8_000)).isLessThanOrEqualTo(gcra.furthest() - 3_000 * gcra.milli());
    }

    @Test
    void callsOfAClockFarAheadCountAsNow() {
        BusyPeriods periods = new BusyPeriods(ODD);
        periods.add(90_000, 3, 5_000);
        assertThat(entries(periods)).containsExactly("5000: 3");
    }

    @Test
    void anEntryWithoutCallsIsRemoved() {
        BusyPeriods periods = new BusyPeriods(ODD);
        periods.add(5_000, 1_000_000, 5_000);
        periods.add(4_600, 1, 5_000);
        periods.add(5_500, 1, 5_000);
        assertThat(entries(periods)).hasSize(2).startsWith("4600: 1");
    }

    /** Its calls move to just before the next entry, where the bucket is as empty as before after both. */
    @Test
    void tooManyEntriesMergeAtTheShortestPause() {
        BusyPeriods periods = new BusyPeriods(ODD);
        for (int i = 0; i <= BusyPeriods.MOST; i++) {
            periods.add(10_000L * i + (i == 60 ? 2_000 : 0), 1, 10_000L * BusyPeriods.MOST);
        }
        assertThat(entries(periods))
                .hasSize(BusyPeriods.MOST)
                .contains("609571: 2")
                .doesNotContain("620000: 2");
    }

    @Test
    void aBusyPeriodIsForgottenAsSoonAsItHasEnded() {
        BusyPeriods periods = new BusyPeriods(ODD);
        periods.add(5_000, 7, 20_000); // until 8 s
        periods.add(9_000, 7, 20_000); // until 12 s
        periods.forgetBefore(7_999);
        assertThat(entries(periods)).hasSize(2);
        periods.forgetBefore(8_000);
        assertThat(entries(periods)).containsExactly("9000: 7");
        periods.forgetBefore(11_999);
        assertThat(entries(periods)).hasSize(1);
        periods.forgetBefore(12_000);
        assertThat(entries(periods)).isEmpty();
    }

    @Test
    void entriesAreBoundedAndEndedOnesAreForgotten() {
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
    void usesOfSeveralReportersAreKept() {
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
    void aBurstIsReturnedDespiteManyEarlierPauses() {
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
