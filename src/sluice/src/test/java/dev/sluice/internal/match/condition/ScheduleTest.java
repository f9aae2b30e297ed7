package dev.sluice.internal.match.condition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.TestCall;
import dev.sluice.internal.match.condition.Schedule.Hours;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {

    private static final Call CALL = TestCall.get("/");
    private static final Set<DayOfWeek> ALL_DAYS = EnumSet.allOf(DayOfWeek.class);

    private static boolean holds(Schedule schedule, String instant) {
        return schedule.holds(CALL, Instant.parse(instant).toEpochMilli());
    }

    private static Schedule hours(int from, int to, String zone) {
        return new Schedule(new Hours(from * 60, to * 60), ALL_DAYS, new WallClock(ZoneId.of(zone)));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-14T00:59:59.999Z, false", "2026-01-14T01:00:00Z, true", "2026-01-14T05:59:59.999Z, true",
        "2026-01-14T06:00:00Z, false", "1969-12-31T03:00:00Z, true", "1969-12-31T00:00:00Z, false"
    })
    void holdsFromTheFirstMinuteUpToTheLast(String instant, boolean holds) {
        assertThat(holds(hours(1, 6, "UTC"), instant)).isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-16T21:59:59Z, false", // a Friday
        "2026-01-16T22:00:00Z, true",
        "2026-01-17T05:59:59Z, true",
        "2026-01-17T06:00:00Z, false",
        "2026-01-17T22:00:00Z, false",
        "2026-01-18T02:00:00Z, false",
        "2026-01-16T02:00:00Z, false" // belongs to Thursday
    })
    void hoursOverMidnightBelongToTheDayOnWhichTheyBegan(String instant, boolean holds) {
        Schedule fridayNight =
                new Schedule(new Hours(22 * 60, 6 * 60), Set.of(DayOfWeek.FRIDAY), new WallClock(ZoneId.of("UTC")));
        assertThat(holds(fridayNight, instant)).isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-29T00:59:59Z, false", // 01:59:59 in Paris; then it is 03:00
        "2026-03-29T01:00:00Z, true",
        "2026-03-29T02:00:00Z, false",
        "2026-10-25T00:59:59Z, false", // 02:59:59, for the first time
        "2026-10-25T01:00:00Z, false", // 02:00, for the second time
        "2026-10-25T01:59:59Z, false",
        "2026-10-25T02:00:00Z, true",
        "2026-10-25T03:00:00Z, false",
        "2026-07-01T01:30:00Z, true",
        "2026-01-01T01:30:00Z, false",
        "2026-01-01T02:30:00Z, true"
    })
    void followsTheClocksOfTheZone(String instant, boolean holds) {
        assertThat(holds(hours(3, 4, "Europe/Paris"), instant)).isEqualTo(holds);
    }

    @Test
    void anHourThatIsSkippedNeverHoldsAndOneThatIsRepeatedHoldsTwice() {
        Schedule schedule = hours(2, 3, "Europe/Paris");
        long held = 0;
        for (long at = Instant.parse("2026-03-29T00:00:00Z").toEpochMilli(), i = 0; i < 180; i++, at += 60_000) {
            held += schedule.holds(CALL, at) ? 1 : 0;
        }
        assertThat(held).isZero();
        for (long at = Instant.parse("2026-10-24T23:00:00Z").toEpochMilli(), i = 0; i < 240; i++, at += 60_000) {
            held += schedule.holds(CALL, at) ? 1 : 0;
        }
        assertThat(held).isEqualTo(120);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Europe/Paris",
                "America/New_York",
                "Asia/Kolkata",
                "Australia/Lord_Howe",
                "UTC",
                "Africa/Casablanca"
            })
    void tellsTheTimeThatJavaTells(String zone) {
        ZoneId id = ZoneId.of(zone);
        WallClock clock = new WallClock(id);
        long start = Instant.parse("2024-01-01T00:00:00Z").toEpochMilli();
        for (long at = start; at < start + 3L * 366 * 86_400_000; at += 1_234_567) {
            assertThat(clock.localMillis(at))
                    .isEqualTo(LocalDateTime.ofInstant(Instant.ofEpochMilli(at), id)
                            .toInstant(java.time.ZoneOffset.UTC)
                            .toEpochMilli());
        }
    }

    @Property
    void tellsTheTimeThatJavaTellsWhicheverWayTimeGoes(
            @ForAll @LongRange(min = -2_000_000_000_000L, max = 4_000_000_000_000L) long one,
            @ForAll @LongRange(min = -2_000_000_000_000L, max = 4_000_000_000_000L) long other) {
        ZoneId zone = ZoneId.of("Europe/London");
        WallClock clock = new WallClock(zone);
        for (long at : new long[] {one, other, one}) {
            long offset = zone.getRules().getOffset(Instant.ofEpochMilli(at)).getTotalSeconds() * 1000L;
            assertThat(clock.localMillis(at)).isEqualTo(at + offset);
        }
    }

    @Test
    void isEqualAndReadsAsTheFileHasIt() {
        assertThat(hours(1, 6, "Europe/Paris")).isEqualTo(hours(1, 6, "Europe/Paris"));
        assertThat(hours(1, 6, "Europe/Paris")).isNotEqualTo(hours(1, 6, "UTC"));
        assertThat(hours(1, 6, "Europe/Paris")).hasToString("between: 01:00-06:00, zone: Europe/Paris");
        assertThat(new Schedule(Hours.ALL, Set.of(DayOfWeek.SUNDAY, DayOfWeek.MONDAY), new WallClock(ZoneId.of("UTC"))))
                .hasToString("days: [ MON, SUN ], zone: UTC");
    }

    @Test
    void hoursAreMinutesOfADay() {
        assertThat(new Hours(0, 1440)).isEqualTo(Hours.ALL);
        assertThat(new Hours(1439, 0)).hasToString("23:59-00:00");
        for (Executable wrong : List.<Executable>of(
                () -> new Hours(-1, 60),
                () -> new Hours(1440, 60),
                () -> new Hours(60, -1),
                () -> new Hours(60, 1441),
                () -> new Hours(60, 60))) {
            Assertions.assertThrows(IllegalArgumentException.class, wrong);
        }
    }

    @Test
    void saysWhichTimeItFound() {
        Schedule night = hours(22, 6, "UTC");
        assertThat(night.found(CALL, Instant.parse("2026-01-16T23:05:00Z").toEpochMilli()))
                .isEqualTo("FRI 23:05");
        assertThat(night.found(CALL, Instant.parse("2026-01-17T05:59:00Z").toEpochMilli()))
                .isEqualTo("SAT 05:59, in the hours of FRI");
    }
}
