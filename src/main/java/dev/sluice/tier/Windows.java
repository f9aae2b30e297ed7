package dev.sluice.tier;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * Divides time into windows that follow each other without a gap. Nothing else knows where a window begins or ends. Two
 * that are equal have the same windows. Immutable, so safe for any threads.
 */
public sealed interface Windows permits Windows.Even, Windows.Calendar {

    /** The number of the window that contains this time; the next window has the next number. */
    long numberAt(long nowMillis);

    /** When the window of this number begins, and the one before it ends. */
    long startOf(long number);

    /** When the window that contains this time begins. */
    default long startAt(long nowMillis) {
        return startOf(numberAt(nowMillis));
    }

    /** When the window that contains this time ends; it is the first moment of the next one. */
    default long endAt(long nowMillis) {
        return startOf(numberAt(nowMillis) + 1);
    }

    /** How long a window usually is; for months, the longest. */
    Duration length();

    /** No window is shorter. */
    Duration shortest();

    /** No window is longer. */
    Duration longest();

    /** No window of these overlaps more windows of the others. */
    default long mostOverlapped(Windows others) {
        return longest().toMillis() / others.shortest().toMillis() + 2;
    }

    /** Windows of this length, the first of which begins with 1970 in UTC. */
    static Windows every(Duration length) {
        return new Even(length);
    }

    /** Days, weeks or months of the calendar, which begin at midnight in this zone. */
    static Windows every(Unit unit, ZoneId zone) {
        return new Calendar(unit, zone);
    }

    /** A part of the calendar. */
    enum Unit {
        DAY(1, 1),
        /** From Monday. */
        WEEK(7, 7),
        MONTH(28, 31);

        /** In days since 1970. */
        private static final long FIRST_MONDAY =
                LocalDate.EPOCH.with(DayOfWeek.MONDAY).toEpochDay();

        private final int fewestDays;
        private final int mostDays;

        Unit(int fewestDays, int mostDays) {
            this.fewestDays = fewestDays;
            this.mostDays = mostDays;
        }

        /** As the file writes it: {@code month}. */
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

    /** Windows of one length, in whole milliseconds, aligned to the epoch. */
    record Even(Duration length) implements Windows {

        public Even {
            if (length.toMillis() < 1) {
                throw new IllegalArgumentException("windows of " + length + " are too short");
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
     * Days, weeks or months, which begin with the first moment of their first day in a zone. Where clocks change, a day
     * is longer or shorter than 24 hours. Where they skip midnight, the day begins when they go on, and where they repeat
     * it, at the first one: an hour that they repeat afterwards stays in the window that has begun.
     */
    record Calendar(Unit unit, ZoneId zone) implements Windows {

        /** Clocks go forward or back by no more. */
        private static final Duration CHANGE = Duration.ofHours(2);

        /** All names of UTC are one, since counters are found by it. */
        public Calendar {
            zone = zone.normalized().equals(ZoneOffset.UTC) ? ZoneId.of("UTC") : zone;
        }

        @Override
        public long numberAt(long nowMillis) {
            long number = unit.numberOf(LocalDate.ofInstant(Instant.ofEpochMilli(nowMillis), zone));
            // Clocks that go back over midnight show the day before again.
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

        /** For example {@code month}, or {@code month-Europe/Berlin} if the zone is not UTC. */
        public String name() {
            return unit.word() + (isUtc() ? "" : '-' + zone.getId());
        }

        public boolean isUtc() {
            return zone.getId().equals("UTC");
        }
    }
}
