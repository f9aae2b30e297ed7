package dev.sluice.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.tier.Windows.Calendar;
import dev.sluice.tier.Windows.Unit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowsTest {

    private static final long YEAR = Duration.ofDays(365).toMillis();

    private static Windows every(Unit unit, String zone) {
        return Windows.every(unit, ZoneId.of(zone));
    }

    private static Instant start(Windows windows, String now) {
        return Instant.ofEpochMilli(windows.startAt(Instant.parse(now).toEpochMilli()));
    }

    private static Instant end(Windows windows, String now) {
        return Instant.ofEpochMilli(windows.endAt(Instant.parse(now).toEpochMilli()));
    }

    @Test
    void evenWindowsAreAlignedToTheEpoch() {
        Windows tenSeconds = Windows.every(Duration.ofSeconds(10));

        assertThat(start(tenSeconds, "2026-11-26T15:03:07.100Z")).isEqualTo("2026-11-26T15:03:00Z");
        assertThat(end(tenSeconds, "2026-11-26T15:03:00Z")).isEqualTo("2026-11-26T15:03:10Z");
        assertThat(tenSeconds.startAt(-1)).isEqualTo(-10_000);
        assertThatThrownBy(() -> Windows.every(Duration.ofNanos(1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Nested
    class OfTheCalendar {

        @ParameterizedTest
        @CsvSource({
            "DAY, UTC, 2026-11-26T23:59:59.999Z, 2026-11-26T00:00:00Z, 2026-11-27T00:00:00Z",
            "DAY, Europe/Berlin, 2026-11-26T23:00:00Z, 2026-11-26T23:00:00Z, 2026-11-27T23:00:00Z",
            "DAY, Asia/Kolkata, 2026-11-26T18:29:59Z, 2026-11-25T18:30:00Z, 2026-11-26T18:30:00Z",
            "WEEK, UTC, 2026-11-29T23:59:59Z, 2026-11-23T00:00:00Z, 2026-11-30T00:00:00Z",
            "WEEK, UTC, 1969-12-31T00:00:00Z, 1969-12-29T00:00:00Z, 1970-01-05T00:00:00Z",
            "WEEK, America/New_York, 2026-11-30T04:59:59Z, 2026-11-23T05:00:00Z, 2026-11-30T05:00:00Z",
            "MONTH, UTC, 2026-12-31T23:59:59Z, 2026-12-01T00:00:00Z, 2027-01-01T00:00:00Z",
            "MONTH, UTC, 2027-02-14T12:00:00Z, 2027-02-01T00:00:00Z, 2027-03-01T00:00:00Z",
            "MONTH, UTC, 2028-02-29T12:00:00Z, 2028-02-01T00:00:00Z, 2028-03-01T00:00:00Z",
            "MONTH, Europe/Berlin, 2026-03-31T21:59:59Z, 2026-02-28T23:00:00Z, 2026-03-31T22:00:00Z"
        })
        void beginAndEndAtMidnight(Unit unit, String zone, String now, String start, String end) {
            Windows windows = every(unit, zone);

            assertThat(start(windows, now)).isEqualTo(start);
            assertThat(end(windows, now)).isEqualTo(end);
            assertThat(start(windows, end)).isEqualTo(end);
        }

        @Test
        void daysHave23Or25HoursWhenClocksChange() {
            Windows days = every(Unit.DAY, "Europe/Berlin");

            assertThat(start(days, "2026-03-29T12:00:00Z")).isEqualTo("2026-03-28T23:00:00Z");
            assertThat(end(days, "2026-03-29T12:00:00Z")).isEqualTo("2026-03-29T22:00:00Z");
            assertThat(start(days, "2026-10-25T12:00:00Z")).isEqualTo("2026-10-24T22:00:00Z");
            assertThat(end(days, "2026-10-25T12:00:00Z")).isEqualTo("2026-10-25T23:00:00Z");
        }

        @Test
        void aDayWithoutMidnightBeginsAfterTheGap() {
            assertThat(end(every(Unit.DAY, "Africa/Cairo"), "2026-04-23T20:00:00Z"))
                    .as("clocks go from 0:00 to 1:00 on 24 April")
                    .isEqualTo("2026-04-23T22:00:00Z");
            assertThat(end(every(Unit.DAY, "America/Havana"), "2026-03-07T20:00:00Z"))
                    .isEqualTo("2026-03-08T05:00:00Z");
        }

        /** At 0:01 of 7 November, clocks in St. John's went back to 23:01 of the 6th. */
        @Test
        void aRepeatedHourBelongsToTheNextDay() {
            Windows days = every(Unit.DAY, "America/St_Johns");

            assertThat(end(days, "2010-11-06T12:00:00Z")).isEqualTo("2010-11-07T02:30:00Z");
            assertThat(start(days, "2010-11-07T02:30:30Z")).isEqualTo("2010-11-07T02:30:00Z");
            assertThat(start(days, "2010-11-07T03:10:00Z"))
                    .as("23:40 of the 6th, once more")
                    .isEqualTo("2010-11-07T02:30:00Z");
            assertThat(end(days, "2010-11-07T03:10:00Z")).isEqualTo("2010-11-08T03:30:00Z");
        }

        @Test
        void aDayWithTwoMidnightsBeginsAtTheFirst() {
            Windows days = every(Unit.DAY, "America/Havana");

            assertThat(start(days, "2026-11-01T04:30:00Z")).isEqualTo("2026-11-01T04:00:00Z");
            assertThat(start(days, "2026-11-01T05:30:00Z")).isEqualTo("2026-11-01T04:00:00Z");
            assertThat(end(days, "2026-11-01T05:30:00Z")).isEqualTo("2026-11-02T05:00:00Z");
        }

        /** Samoa had no 30 December 2011. */
        @Test
        void aDateThatAZoneSkipsHasNoTime() {
            Windows days = every(Unit.DAY, "Pacific/Apia");

            assertThat(end(days, "2011-12-30T09:59:59Z")).isEqualTo("2011-12-30T10:00:00Z");
            assertThat(start(days, "2011-12-30T10:00:00Z")).isEqualTo("2011-12-30T10:00:00Z");
            assertThat(end(days, "2011-12-30T10:00:00Z")).isEqualTo("2011-12-31T10:00:00Z");
        }

        @Test
        void monthsHaveAsManyDaysAsInTheCalendar() {
            Windows months = every(Unit.MONTH, "UTC");
            long january = Instant.parse("2028-01-01T00:00:00Z").toEpochMilli();
            long first = months.numberAt(january);

            assertThat(IntStream.range(0, 12)
                            .mapToObj(i -> Duration.ofMillis(months.startOf(first + i + 1) - months.startOf(first + i))
                                    .toDays()))
                    .containsExactly(31L, 29L, 31L, 30L, 31L, 30L, 31L, 31L, 30L, 31L, 30L, 31L);
        }

        @Test
        void allNamesOfUtcAreEqual() {
            for (String zone : List.of("UTC", "Z", "Etc/UTC", "GMT", "+00:00", "UTC+0")) {
                assertThat(every(Unit.DAY, zone)).isEqualTo(every(Unit.DAY, "UTC"));
            }
            assertThat(new Calendar(Unit.DAY, ZoneOffset.UTC).name()).isEqualTo("day");
            assertThat(new Calendar(Unit.MONTH, ZoneId.of("Europe/London")).name())
                    .isEqualTo("month-Europe/London");
        }
    }

    @Provide
    Arbitrary<Windows> anyWindows() {
        Arbitrary<String> zones =
                Arbitraries.of(ZoneId.getAvailableZoneIds().stream().sorted().toList());
        return Arbitraries.of(Unit.class).flatMap(unit -> zones.map(zone -> every(unit, zone)));
    }

    /** In all zones of the world, at any time from 1970 to 2105. */
    @Property(tries = 5_000)
    void everyMomentIsInOneWindow(
            @ForAll("anyWindows") Windows windows,
            @ForAll @LongRange(min = 0, max = 135) long year,
            @ForAll long random) {
        long now = year * YEAR + Math.floorMod(random, YEAR);
        long number = windows.numberAt(now);

        assertThat(windows.startOf(number)).isLessThanOrEqualTo(now);
        assertThat(windows.startOf(number + 1)).isGreaterThan(now);
        assertThat(windows.numberAt(windows.startOf(number + 1) - 1)).isEqualTo(number);
        assertThat(windows.numberAt(windows.startOf(number))).isEqualTo(number);
    }

    /** Where no zone leaves out or repeats a day. */
    @Property(tries = 2_000)
    void noWindowIsLongerOrShorterThanItSays(
            @ForAll("anyWindows") Windows windows,
            @ForAll @LongRange(min = 45, max = 135) long year,
            @ForAll long random) {
        long now = year * YEAR + Math.floorMod(random, YEAR);

        assertThat(windows.endAt(now) - windows.startAt(now))
                .isBetween(windows.shortest().toMillis(), windows.longest().toMillis());
    }

    /** Counts windows one by one, beside what a short rule says. */
    @Property(tries = 500)
    void noWindowOverlapsMoreThanItSays(
            @ForAll("anyWindows") Windows windows,
            @ForAll("anyWindows") Windows others,
            @ForAll @LongRange(min = 45, max = 135) long year) {
        long start = windows.startAt(year * YEAR);
        long last = windows.endAt(year * YEAR) - 1;

        assertThat(others.numberAt(last) - others.numberAt(start) + 1)
                .isLessThanOrEqualTo(windows.mostOverlapped(others));
    }

    @Test
    void aMonthOverlapsSixWeeksAndAWeekTwoMonths() {
        Windows weeks = every(Unit.WEEK, "Europe/Berlin");
        Windows months = every(Unit.MONTH, "Europe/Berlin");

        assertThat(months.mostOverlapped(weeks)).isEqualTo(6);
        assertThat(weeks.mostOverlapped(months)).isEqualTo(2);
        assertThat(months.mostOverlapped(every(Unit.DAY, "Europe/Berlin"))).isEqualTo(31);
        assertThat(every(Unit.DAY, "Europe/Berlin").mostOverlapped(months)).isEqualTo(1);
        assertThat(every(Unit.DAY, "UTC").mostOverlapped(Windows.every(Duration.ofHours(1))))
                .isEqualTo(26);
    }
}
