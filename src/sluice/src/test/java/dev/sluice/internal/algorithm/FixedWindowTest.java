package dev.sluice.internal.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tier.Limit;
import dev.sluice.tier.Windows;
import dev.sluice.tier.Windows.Unit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FixedWindowTest {

    private static final long NOW = 1_627_318_780_000L;

    private static Windows every(long millis) {
        return Windows.every(Duration.ofMillis(millis));
    }

    private static long used(FixedWindow windows, long state, long most, long nowMillis) {
        return most - windows.left(windows.normalised(state, nowMillis), nowMillis);
    }

    /** Beside one count for each window, whatever the size of the figures and however far the windows are apart. */
    @Property(tries = 500)
    void countsEachWindowSeparately(
            @ForAll @LongRange(min = 1, max = Limit.MAX_THRESHOLD) long most,
            @ForAll @LongRange(min = 1, max = 100_000) long periodMillis,
            @ForAll @Size(max = 60) long[] random) {
        FixedWindow windows = new FixedWindow(most, every(periodMillis));
        Map<Long, Long> books = new HashMap<>();
        long state = SingleWordAlgorithm.FULL;
        long now = NOW;
        for (long number : random) {
            now += Math.floorMod(number, 4) == 0 ? Math.floorMod(number, 3 * periodMillis) : 0;
            long cost = Math.floorMod(number, most);
            long window = Math.floorDiv(now, periodMillis);
            long before = books.getOrDefault(window, 0L);
            state = windows.normalised(state, now);
            assertThat(state).isNotNegative();
            long taken = windows.take(state, cost, 0, now);
            if (before + cost <= most) {
                assertThat(taken).isNotNegative();
                books.put(window, before + cost);
                state = taken;
            } else {
                assertThat(taken).isEqualTo(SingleWordAlgorithm.TOO_FEW);
            }
            assertThat(used(windows, state, most, now)).isEqualTo(books.getOrDefault(window, 0L));
            assertThat(windows.resetMillis(state, now)).isEqualTo((window + 1) * periodMillis - now);
        }
    }

    @Test
    void aLateCallCountsInTheCurrentWindow() {
        FixedWindow windows = new FixedWindow(5, every(60_000));
        long state = windows.take(windows.normalised(SingleWordAlgorithm.FULL, NOW), 5, 0, NOW);
        long early = NOW - 60_000;

        assertThat(windows.normalised(state, early)).isEqualTo(state);
        assertThat(windows.take(state, 1, 0, early)).isEqualTo(SingleWordAlgorithm.TOO_FEW);
        assertThat(windows.resetMillis(state, early)).isEqualTo(60_000 + windows.resetMillis(state, NOW));
    }

    @Test
    void aWindowTooFarAheadIsDiscarded() {
        for (long period : new long[] {1, 1_000, 60_000}) {
            FixedWindow windows = new FixedWindow(5, every(period));
            long state = windows.take(windows.normalised(SingleWordAlgorithm.FULL, NOW), 5, 0, NOW);
            long normalised = Math.max(10_000, period);

            assertThat(used(windows, state, 5, NOW - normalised)).isEqualTo(5);
            assertThat(used(windows, state, 5, NOW - normalised - period)).isZero();
        }
    }

    @Test
    void permitsAreReturnedToTheWindowTheyCameFrom() {
        FixedWindow windows = new FixedWindow(5, every(1_000));
        long first = windows.take(windows.normalised(SingleWordAlgorithm.FULL, NOW), 3, 0, NOW);
        long second = windows.take(windows.normalised(first, NOW + 1_000), 2, 0, NOW + 1_000);

        assertThat(used(windows, windows.putBack(first, 3, first, NOW), 5, NOW)).isZero();
        assertThat(windows.putBack(second, 3, first, NOW)).isEqualTo(second);
        assertThat(used(windows, windows.putBack(second, 3, second, NOW), 5, NOW + 1_000))
                .isZero();
    }

    @Test
    void chargesTakeAtMostWhatIsLeft() {
        FixedWindow windows = new FixedWindow(5, every(1_000));
        long charged = windows.charge(SingleWordAlgorithm.FULL, Limit.MAX_THRESHOLD, NOW);

        assertThat(used(windows, charged, 5, NOW)).isEqualTo(5);
        assertThat(used(windows, charged, 5, NOW + 1_000)).isZero();
    }

    @Test
    void returnsNoMoreThanIsCounted() {
        FixedWindow windows = new FixedWindow(5, every(1_000));
        long state = windows.take(windows.normalised(SingleWordAlgorithm.FULL, NOW), 3, 0, NOW);
        long charged = windows.charge(windows.putBack(state, 2, state, NOW), 1, NOW);

        long putBack = windows.putBack(charged, 3, state, NOW);
        assertThat(used(windows, putBack, 5, NOW)).isZero();
        assertThat(windows.windowNumber(putBack)).isEqualTo(windows.windowNumber(state));
    }

    @Test
    void aWindowIsIdleOnceTheNextOneHasEnded() {
        FixedWindow windows = new FixedWindow(5, every(1_000));
        long state = windows.take(windows.normalised(SingleWordAlgorithm.FULL, NOW), 3, 0, NOW);

        assertThat(windows.isIdle(state, NOW)).isFalse();
        assertThat(windows.isIdle(state, NOW + 1_999)).as("calls may be late").isFalse();
        assertThat(windows.isIdle(state, NOW + 2_000)).isTrue();
    }

    /** It keeps the window of the last call, so as not to divide. */
    @Test
    void findsAnEarlierWindowAfterALaterOne() {
        FixedWindow windows = new FixedWindow(5, every(1_000));
        long later = windows.normalised(SingleWordAlgorithm.FULL, NOW);
        long earlier = windows.normalised(SingleWordAlgorithm.FULL, NOW - 60_000);

        assertThat(windows.windowNumber(later) - windows.windowNumber(earlier)).isEqualTo(60);
        assertThat(windows.resetMillis(earlier, NOW - 60_000)).isEqualTo(1_000);
    }

    @Test
    void aWindowThatIsAheadStaysAheadIfTheLimitChanges() {
        FixedWindow windows = new FixedWindow(5, every(60_000));
        long state = windows.take(windows.normalised(SingleWordAlgorithm.FULL, NOW), 4, 0, NOW);
        FixedWindow larger = new FixedWindow(Limit.MAX_THRESHOLD, every(60_000));
        long continued = larger.carriedOver(state, windows, NOW - 60_000);

        assertThat(used(larger, continued, Limit.MAX_THRESHOLD, NOW)).isEqualTo(4);
        assertThat(larger.resetMillis(continued, NOW)).isEqualTo(windows.resetMillis(state, NOW));
    }

    @Test
    void takesOnlyIfEnoughRemains() {
        FixedWindow windows = new FixedWindow(5, every(1_000));
        long state = windows.normalised(SingleWordAlgorithm.FULL, NOW);

        assertThat(windows.take(state, 2, 4, NOW)).isEqualTo(SingleWordAlgorithm.TOO_FEW);
        assertThat(windows.take(state, 2, 3, NOW)).isEqualTo(state + 2);
    }

    @Test
    void callsPassAgainWhenTheNextWindowBegins() {
        FixedWindow windows = new FixedWindow(5, every(60_000));
        long state = windows.normalised(SingleWordAlgorithm.FULL, NOW);

        assertThat(windows.millisUntil(state, 1, NOW)).isEqualTo(every(60_000).endAt(NOW) - NOW);
        assertThat(every(60_000).startAt(-1)).isEqualTo(-60_000);
    }

    @Test
    void countsADayOf25HoursFromMidnightToMidnight() {
        FixedWindow days = new FixedWindow(5, Windows.every(Unit.DAY, ZoneId.of("Europe/Berlin")));
        long midnight = Instant.parse("2026-10-24T22:00:00Z").toEpochMilli();
        long hours25 = Duration.ofHours(25).toMillis();
        long state = days.take(days.normalised(SingleWordAlgorithm.FULL, midnight), 5, 0, midnight);

        assertThat(days.resetMillis(state, midnight)).isEqualTo(hours25);
        assertThat(used(days, state, 5, midnight + hours25 - 1)).isEqualTo(5);
        assertThat(days.resetMillis(state, midnight + hours25 - 1)).isEqualTo(1);
        assertThat(used(days, state, 5, midnight + hours25)).isZero();
        assertThat(used(days, state, 5, midnight - 1)).isEqualTo(5);
    }

    /** A month that has begun by a clock in advance counts on when the clock is set right, and tells its own end. */
    @Test
    void resetsAtTheEndOfTheStatesMonth() {
        FixedWindow months = new FixedWindow(5, Windows.every(Unit.MONTH, ZoneId.of("UTC")));
        long march = Instant.parse("2027-03-01T00:00:00Z").toEpochMilli();
        long state = months.take(months.normalised(SingleWordAlgorithm.FULL, march), 2, 0, march);

        assertThat(months.resetMillis(state, march - 1000))
                .isEqualTo(Duration.ofDays(31).toMillis() + 1000);
        assertThat(months.isIdle(state, march + Duration.ofDays(61).toMillis() - 1))
                .isFalse();
        assertThat(months.isIdle(state, march + Duration.ofDays(61).toMillis())).isTrue();
    }
}
