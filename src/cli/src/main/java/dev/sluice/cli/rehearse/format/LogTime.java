package dev.sluice.cli.rehearse.format;

import java.time.LocalDate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses times in the notations that are common in logs. These are {@code 10/Oct/2000:13:55:36 -0700}, {@code
 * 2000/10/10 13:55:36}, and ISO 8601 with a space or a {@code T}. Fraction and zone are optional in ISO 8601. Numbers
 * of seconds, milliseconds, microseconds or nanoseconds since 1970 are also supported. A time without a zone is
 * interpreted as UTC.
 */
final class LogTime {

    /** The result for a text that is not a time. */
    static final long NONE = Long.MIN_VALUE;

    private static final Pattern WRITTEN = Pattern.compile("(?:(?<day>\\d\\d)/(?<month>\\w{3})/(?<year>\\d{4}):"
            + "|(?<isoYear>\\d{4})(?<mark>[-/])(?<isoMonth>\\d\\d)\\k<mark>(?<isoDay>\\d\\d)[Tt _])"
            + "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)(?:[.,](?<fraction>\\d+))?"
            + " ?(?:[Zz]|(?<sign>[+-])(?<hours>\\d\\d):?(?<minutes>\\d\\d)?)?");
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d*)?([eE]\\+?\\d{1,3})?");
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final long LAST = 253_402_300_800_000L;
    private static final double LEAST_MILLIS = 1e11;
    private static final double LEAST_MICROS = 1e14;
    private static final double LEAST_NANOS = 1e17;

    private LogTime() {}

    /** Returns the time in milliseconds since 1970; {@link #NONE} if the text is not a time. */
    static long parse(String text) {
        Matcher time = WRITTEN.matcher(text);
        if (!time.matches()) {
            return sinceEpoch(text);
        }
        boolean isIso = time.group("isoYear") != null;
        long day = isIso
                ? day(time.group("isoYear"), Integer.parseInt(time.group("isoMonth")), time.group("isoDay"))
                : day(time.group("year"), month(time.group("month")), time.group("day"));
        int hour = number(time, "hour");
        int minute = number(time, "minute");
        int second = number(time, "second");
        int zoneHours = number(time, "hours");
        int zoneMinutes = number(time, "minutes");
        boolean isValid =
                hour <= 24 && minute <= 59 && second <= 60 && zoneHours <= 18 && zoneMinutes <= 59 && day != NONE;
        if (!isValid) {
            return NONE;
        }
        long offset = (zoneHours * 60L + zoneMinutes) * ("-".equals(time.group("sign")) ? -1 : 1);
        return ((day * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1000L + millis(time.group("fraction"));
    }

    private static int number(Matcher time, String part) {
        String digits = time.group(part);
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    /** Returns the number of a month, starting at 1; 0 if there is no such month. */
    private static int month(String name) {
        int at = MONTHS.indexOf(name);
        return at % 3 == 0 ? at / 3 + 1 : 0;
    }

    /**
     * Returns the number of days since 1970. If the day exceeds the length of the month, the result is a day in the
     * next month.
     */
    private static long day(String year, int month, String day) {
        int inMonth = Integer.parseInt(day);
        boolean isDay = Integer.parseInt(year) >= 1970 && month >= 1 && month <= 12 && inMonth >= 1 && inMonth <= 31;
        return isDay ? LocalDate.of(Integer.parseInt(year), month, 1).toEpochDay() + inMonth - 1 : NONE;
    }

    private static int millis(@Nullable String fraction) {
        return fraction == null ? 0 : Integer.parseInt((fraction + "00").substring(0, 3));
    }

    private static long sinceEpoch(String text) {
        double number = decimal(text);
        if (!(number > 0)) {
            return NONE;
        }
        double millis = number >= LEAST_NANOS
                ? number / 1e6
                : number >= LEAST_MICROS ? number / 1e3 : number >= LEAST_MILLIS ? number : number * 1e3;
        return millis < LAST ? Math.round(millis) : NONE;
    }

    /**
     * Parses a number. It can have a fraction or an exponent, as in {@code 1.6E9}. Returns NaN if the text is not a
     * number.
     */
    static double decimal(String text) {
        return NUMBER.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
    }
}
