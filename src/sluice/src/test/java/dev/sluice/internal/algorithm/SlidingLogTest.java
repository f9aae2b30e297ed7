package dev.sluice.internal.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.tier.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** A log beside a list that has each call by itself. */
class SlidingLogTest {

    private static final int MOST = 12;
    private static final long PERIOD_MILLIS = 20;
    private static final long NOW = 1_767_225_600_000L;

    /**
     * Something that is done to a log.
     *
     * @param afterMillis since the last time; below zero where the clock steps back
     * @param cost calls to note, or to put back that were taken so long ago
     */
    record Step(long afterMillis, int cost, boolean putBack, long agoMillis) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.longs().between(-2, 8),
                        Arbitraries.integers().between(0, MOST / 2),
                        Arbitraries.of(false, false, true),
                        Arbitraries.longs().between(0, PERIOD_MILLIS))
                .as(Step::new)
                .list()
                .ofMaxSize(60);
    }

    @Property(tries = 2000)
    void countsLikeAListOfAllCalls(@ForAll("steps") List<Step> steps) {
        SlidingLog log = new SlidingLog(MOST, PERIOD_MILLIS);
        List<Long> calls = new ArrayList<>();
        long now = NOW;
        for (Step step : steps) {
            now += step.afterMillis();
            forget(calls, now);
            if (step.putBack()) {
                log.left(now);
                log.putBack(step.cost(), now - step.agoMillis());
                putBack(calls, step.cost(), now - step.agoMillis());
            } else {
                boolean fits = calls.size() + step.cost() <= MOST;
                assertThat(log.take(step.cost(), 0, now)).isEqualTo(fits);
                note(calls, fits ? step.cost() : 0, now);
            }
            assertThat(log.left(now)).isEqualTo(MOST - calls.size());
            assertThat(log.entries()).isEqualTo(Set.copyOf(calls).size());
            assertThat(log.emptyAtMillis())
                    .isEqualTo(calls.isEmpty() ? 0 : calls.get(calls.size() - 1) + PERIOD_MILLIS);
            for (int cost = 1; cost <= MOST; cost++) {
                int lacking = cost - (MOST - calls.size());
                long until = lacking <= 0 ? 0 : calls.get(lacking - 1) + PERIOD_MILLIS - now;
                assertThat(log.millisUntil(cost, now)).isEqualTo(until);
            }
        }
    }

    private static void forget(List<Long> calls, long now) {
        while (!calls.isEmpty() && calls.get(0) <= now - PERIOD_MILLIS) {
            calls.remove(0);
        }
    }

    private static void note(List<Long> calls, int cost, long now) {
        long time = calls.isEmpty() ? now : Math.max(now, calls.get(calls.size() - 1));
        for (int i = 0; i < cost; i++) {
            calls.add(time);
        }
    }

    private static void putBack(List<Long> calls, int cost, long takenAt) {
        for (int i = 0; i < cost; i++) {
            int first = 0;
            while (first < calls.size() && calls.get(first) < takenAt) {
                first++;
            }
            if (first < calls.size()) {
                calls.remove(first);
            }
        }
    }

    /**
     * As where only some answers count: each call begins before the last one ends, and none of them counts in the end.
     */
    @Test
    void forgetsReturnedCallsInTheMiddle() {
        SlidingLog log = new SlidingLog(5, 3_600_000);
        assertThat(log.take(1, 0, NOW)).isTrue();
        for (int call = 1; call <= 100_000; call++) {
            assertThat(log.take(1, 0, NOW + call)).isTrue();
            log.putBack(1, NOW + call - 1);
            assertThat(log.entries()).isEqualTo(1);
        }
        assertThat(log.left(NOW + 100_000)).isEqualTo(4);
    }

    @Test
    void futureCallsCountAsNowAfterAClockStep() {
        SlidingLog log = new SlidingLog(3, PERIOD_MILLIS);
        assertThat(log.take(2, 0, NOW + 1_000_000)).isTrue();
        assertThat(log.left(NOW)).isEqualTo(1);
        assertThat(log.millisUntil(3, NOW)).isEqualTo(PERIOD_MILLIS);
        assertThat(log.left(NOW + PERIOD_MILLIS)).isEqualTo(3);
    }

    @Test
    void holdsTheLargestThresholdWithTheLargestTolerance() {
        long most = Limit.SlidingLog.MAX_LOGGED * 11;
        assertThat(new SlidingLog(most, 1).take(most, 0, NOW)).isTrue();
    }

    @Test
    void holdsNoMoreThanTwoMillionCalls() {
        assertThat(new SlidingLog((1 << 21) - 1, 1).take((1 << 21) - 1, 0, NOW)).isTrue();
        assertThatThrownBy(() -> new SlidingLog(1 << 21, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a log cannot hold 2097152 calls; the maximum is 2097151");
    }

    @Test
    void takesOnlyIfEnoughRemains() {
        SlidingLog log = new SlidingLog(5, PERIOD_MILLIS);

        assertThat(log.take(2, 4, NOW)).isFalse();
        assertThat(log.take(2, 3, NOW)).isTrue();
        assertThat(log.take(0, 3, NOW)).isTrue();
        assertThat(log.left(NOW)).isEqualTo(3);
    }

    @Test
    void aCallMayLieAPeriodAhead() {
        SlidingLog log = new SlidingLog(5, PERIOD_MILLIS);
        assertThat(log.take(1, 0, NOW)).isTrue();

        assertThat(log.isFarAheadOf(NOW - PERIOD_MILLIS)).isFalse();
        assertThat(log.isFarAheadOf(NOW - PERIOD_MILLIS - 1)).isTrue();
        assertThat(log.millisUntilEmpty(log.emptyAtMillis(), NOW - PERIOD_MILLIS))
                .isEqualTo(2 * PERIOD_MILLIS);
        assertThat(log.millisUntilEmpty(log.emptyAtMillis(), NOW - PERIOD_MILLIS - 1))
                .isEqualTo(PERIOD_MILLIS);
        assertThat(log.millisUntilEmpty(log.emptyAtMillis(), NOW + 2 * PERIOD_MILLIS))
                .isZero();
    }

    @Test
    void anEmptyLogIsNotAhead() {
        SlidingLog log = new SlidingLog(5, PERIOD_MILLIS);
        assertThat(log.take(1, 0, NOW)).isTrue();
        assertThat(log.take(1, 0, NOW + 1)).isTrue();
        log.left(NOW + 2 * PERIOD_MILLIS);

        assertThat(log.isFarAheadOf(NOW - 1_000_000)).isFalse();
    }

    /** Its ring has wrapped around by then. */
    @Test
    void growsWithItsCalls() {
        SlidingLog log = new SlidingLog(1_000, 100);
        for (int call = 0; call < 7; call++) {
            assertThat(log.take(1, 0, NOW - 95 + call)).isTrue();
        }
        for (int call = 10; call < 60; call++) {
            assertThat(log.take(1, 0, NOW + call)).isTrue();
        }
        assertThat(log.entries()).isEqualTo(50);
        for (int call = 10; call < 60; call++) {
            assertThat(log.millisUntil(951 + call - 10, NOW + 60)).isEqualTo(40 + call);
        }
    }
}
