package dev.sluice.internal.match.condition;

import dev.sluice.Call;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * A condition that holds during certain hours on certain days, in the local time of a zone. Hours that span midnight
 * belong to the day on which they begin. The hour that is skipped when daylight saving time begins never matches. The
 * hour that is repeated when daylight saving time ends can match twice.
 *
 * @param hours the hours of the day
 * @param days the days on which the hours begin
 * @param clock the clock that provides the local time of the zone
 */
public record Schedule(Hours hours, Set<DayOfWeek> days, WallClock clock) implements DescribedCondition {

    private static final long DAY = TimeUnit.DAYS.toMillis(1);
    private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);

    public Schedule {
        days = Set.copyOf(days);
    }

    /**
     * A part of the day. The end is exclusive.
     *
     * @param from the start in minutes after midnight, less than 1440
     * @param to the end in minutes after midnight, at most 1440. If it is less than {@code from}, it is on the next day
     */
    public record Hours(int from, int to) {

        /** The whole day. */
        public static final Hours ALL = new Hours(0, 1440);

        public Hours {
            if (from < 0 || from >= 1440 || to < 0 || to > 1440 || from == to) {
                throw new IllegalArgumentException(from + " to " + to + " are not minutes of a day");
            }
        }

        public boolean areWholeDay() {
            return from == 0 && to == 1440;
        }

        boolean overMidnight() {
            return to < from;
        }

        /** Whether this minute belongs to hours that began on the previous day. */
        boolean beganDayBefore(int minute) {
            return overMidnight() && minute < to;
        }

        /** Whether this minute belongs to hours that began on the same day. */
        boolean beganOnSameDay(int minute) {
            return minute >= from && (overMidnight() || minute < to);
        }

        @Override
        public String toString() {
            return time(from) + "-" + time(to);
        }

        private static String time(int minutes) {
            return String.format(Locale.ROOT, "%02d:%02d", minutes / 60, minutes % 60);
        }
    }

    @Override
    public boolean holds(Call call, long nowMillis) {
        long local = clock.localMillis(nowMillis);
        int minute = minuteOf(local);
        return hours.beganDayBefore(minute)
                ? beginOn(dayOf(local) - 1)
                : hours.beganOnSameDay(minute) && beginOn(dayOf(local));
    }

    private static long dayOf(long localMillis) {
        return Math.floorDiv(localMillis, DAY);
    }

    private static int minuteOf(long localMillis) {
        return (int) (Math.floorMod(localMillis, DAY) / MINUTE);
    }

    /** Whether the hours begin on this day. The day is the number of days since 1 January 1970. */
    private boolean beginOn(long day) {
        return days.size() == 7 || days.contains(weekday(day));
    }

    /** Describes the local day and time. If the hours began on the previous day, the text also names that day. */
    @Override
    public String found(Call call, long nowMillis) {
        long local = clock.localMillis(nowMillis);
        long day = dayOf(local);
        int minute = minuteOf(local);
        String found = shortName(weekday(day)) + " " + Hours.time(minute);
        return hours.beganDayBefore(minute) ? found + ", in the hours of " + shortName(weekday(day - 1)) : found;
    }

    private static String shortName(DayOfWeek day) {
        return day.name().substring(0, 3);
    }

    /** Returns the day of the week. 1 January 1970 was a Thursday. */
    private static DayOfWeek weekday(long day) {
        return DayOfWeek.of(Math.floorMod(day + 3, 7) + 1);
    }

    /** Formats the schedule in the file's notation. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        if (!hours.areWholeDay()) {
            parts.add("between: " + hours);
        }
        if (days.size() < 7) {
            List<String> names =
                    new TreeSet<>(days).stream().map(Schedule::shortName).toList();
            parts.add("days: [ " + String.join(", ", names) + " ]");
        }
        parts.add("zone: " + clock);
        return String.join(", ", parts);
    }
}
