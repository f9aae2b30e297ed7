package dev.sluice.tier;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * Divides time into contiguous windows. All code that needs the bounds of a window uses this interface. Equal values
 * have the same windows. Immutable and thread-safe.
 *
 * <pre>{@code
 * Windows.every(Duration.ofSeconds(10));
 * Windows.every(Windows.Unit.MONTH, ZoneId.of("Europe/Berlin"));
 * }</pre>
 */
public sealed interface Windows permits Windows.Even, Windows.Calendar {

    /** The number of the window that contains the given time. Consecutive windows have consecutive numbers. */
    long numberAt(long nowMillis);

    /** The beginning of the window with the given number. The previous window ends at the same moment. */
    long startOf(long number);

    /** The beginning of the window that contains the given time. */
    default long startAt(long nowMillis) {
        return startOf(numberAt(nowMillis));
    }

    /** The end of the window that contains the given time. The next window begins at the same moment. */
    default long endAt(long nowMillis) {
        return startOf(numberAt(nowMillis) + 1);
    }

    /** The usual length of a window; for months, the maximum length. */
    Duration length();

    /** The length of the shortest window. */
    Duration shortest();

    /** The length of the longest window. */
    Duration longest();

    /** The maximum number of windows in {@code others} that a single one of these windows can overlap. */
    default long mostOverlapped(Windows others) {
        return longest().toMillis() / others.shortest().toMillis() + 2;
    }

    /** Windows of the given length. They are aligned to the start of 1970 in UTC. */
    static Windows every(Duration length) {
        return new Even(length);
    }

    /** Calendar days, weeks or months that begin at midnight in the given zone. */
    static Windows every(Unit unit, ZoneId zone) {
        return new Calendar(unit, zone);
    }

    /** A calendar unit. */
    enum Unit {
        DAY(1, 1),
        /** A week from Monday to Sunday. */
        WEEK(7, 7),
        MONTH(28, 31);

        /** The first Monday, in days since 1970. */
        private static final long FIRST_MONDAY =
                LocalDate.EPOCH.with(DayOfWeek.MONDAY).toEpochDay();

        private final int fewestDays;
        private final int mostDays;

        Unit(int fewestDays, int mostDays) {
            this.fewestDays = fewestDays;
            this.mostDays = mostDays;
        }

        /** The word in the file, for example {@code month}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        private long numberOf(LocalDate date) {
            return switch (this) {
                case DAY -> date.toEpochDay();
                case WEEK -> Math.floorDiv(date.toEpochDay() - FIRST_MONDAY, 7);
                case MONTH -> date.getYear() * 12L + date.getMonthValue() - 1;
            };
        }

        private LocalDate firstDayOf(long number) {
            return switch (this) {
                case DAY -> LocalDate.ofEpochDay(number);
                case WEEK -> LocalDate.ofEpochDay(FIRST_MONDAY + number * 7);
                case MONTH -> LocalDate.of((int) Math.floorDiv(number, 12L), (int) Math.floorMod(number, 12L) + 1, 1);
            };
        }
    }

    /** Windows of equal length in whole milliseconds, aligned to the start of 1970 in UTC. */
    record Even(Duration length) implements Windows {

        public Even {
            if (length.toMillis() < 1) {
                throw new IllegalArgumentException("a window must last at least 1 ms, but lasts " + length);
            }
        }

        @Override
        public long numberAt(long nowMillis) {
            return Math.floorDiv(nowMillis, length.toMillis());
        }

        @Override
        public long startOf(long number) {
            return number * length.toMillis();
        }

        @Override
        public Duration shortest() {
            return length;
        }

        @Override
        public Duration longest() {
            return length;
        }

        @Override
        public long mostOverlapped(Windows others) {
            if (others instanceof Even even) {
                long own = length.toMillis();
                long other = even.length.toMillis();
                return own % other == 0 ? own / other : other % own == 0 ? 1 : own / other + 2;
            }
            return Windows.super.mostOverlapped(others);
        }
    }

    /**
     * Days, weeks or months in a time zone. A window begins at the first moment of its first day. A day on which the
     * clocks change is longer or shorter than 24 hours. If the clocks skip midnight, the day begins immediately after
     * the gap. If they repeat midnight, the day begins at the first midnight, and the repeated hour belongs to the new
     * window.
     */
    record Calendar(Unit unit, ZoneId zone) implements Windows {

        /** The maximum expected clock change. */
        private static final Duration CHANGE = Duration.ofHours(2);

        /** Replaces all names for UTC with a single name, because the zone's name is part of counter keys. */
        public Calendar {
            zone = zone.normalized().equals(ZoneOffset.UTC) ? ZoneId.of("UTC") : zone;
        }

        @Override
        public long numberAt(long nowMillis) {
            long number = unit.numberOf(LocalDate.ofInstant(Instant.ofEpochMilli(nowMillis), zone));
            // When clocks go back past midnight, they show the previous day again.
            return nowMillis >= startOf(number + 1) ? number + 1 : number;
        }

        @Override
        public long startOf(long number) {
            return unit.firstDayOf(number).atStartOfDay(zone).toInstant().toEpochMilli();
        }

        @Override
        public Duration length() {
            return Duration.ofDays(unit.mostDays);
        }

        @Override
        public Duration shortest() {
            return Duration.ofDays(unit.fewestDays).minus(change());
        }

        @Override
        public Duration longest() {
            return length().plus(change());
        }

        private Duration change() {
            return zone.getRules().isFixedOffset() ? Duration.ZERO : CHANGE;
        }

        @Override
        public long mostOverlapped(Windows others) {
            if (!(others instanceof Calendar calendar) || !calendar.zone.equals(zone)) {
                return Windows.super.mostOverlapped(others);
            }
            return switch (unit) {
                case DAY -> 1;
                case WEEK -> calendar.unit == Unit.DAY ? 7 : calendar.unit == Unit.WEEK ? 1 : 2;
                case MONTH -> calendar.unit == Unit.DAY ? 31 : calendar.unit == Unit.WEEK ? 6 : 1;
            };
        }

        /**
         * The unit, followed by the zone unless the zone is UTC, for example {@code month} or {@code
         * month-Europe/Berlin}.
         */
        public String name() {
            return unit.word() + (isUtc() ? "" : '-' + zone.getId());
        }

        public boolean isUtc() {
            return zone.getId().equals("UTC");
        }
    }
}
