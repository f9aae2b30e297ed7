package dev.sluice.cli.rehearse.format;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;

/**
 * Reads times as logs write them: {@code 10/Oct/2000:13:55:36 -0700}, ISO 8601 with a space or a {@code T}, with or
 * without fraction and zone, {@code 2000/10/10 13:55:36}, and numbers of seconds, milliseconds, microseconds or
 * nanoseconds since 1970. A time without a zone is UTC.
 */
final class LogTime {

    /** No time. */
    static final long NONE = Long.MIN_VALUE;

    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final long LAST = 253_402_300_800_000L;
    private static final double LEAST_MILLIS = 1e11;
    private static final double LEAST_MICROS = 1e14;
    private static final double LEAST_NANOS = 1e17;

    private LogTime() {}

    /** In milliseconds since 1970; {@link #NONE} if the text is not a time. */
    static long parse(byte[] text, int from, int to) {
        int length = to - from;
        if (length >= 20 && text[from + 2] == '/' && text[from + 6] == '/') {
            return common(text, from, to);
        }
        if (length >= 19 && (text[from + 4] == '-' || text[from + 4] == '/') && text[from + 7] == text[from + 4]) {
            return iso(text, from, to);
        }
        return sinceEpoch(text, from, to);
    }

    private static long common(byte[] text, int from, int to) {
        int month = MONTHS.indexOf(new String(text, from + 3, 3, StandardCharsets.ISO_8859_1));
        if (text[from + 11] != ':' || month < 0 || month % 3 != 0) {
            return NONE;
        }
        long day = day(digits(text, from + 7, 4), month / 3 + 1, digits(text, from, 2));
        return withTime(day, text, from + 12, to);
    }

    private static long iso(byte[] text, int from, int to) {
        byte between = text[from + 10];
        if (between != 'T' && between != 't' && between != ' ' && between != '_') {
            return NONE;
        }
        long day = day(digits(text, from, 4), digits(text, from + 5, 2), digits(text, from + 8, 2));
        return withTime(day, text, from + 11, to);
    }

    /** {@code 13:55:36}, with or without fraction and zone. */
    private static long withTime(long day, byte[] text, int from, int to) {
        if (day == NONE || from + 8 > to || text[from + 2] != ':' || text[from + 5] != ':') {
            return NONE;
        }
        int hour = digits(text, from, 2);
        int minute = digits(text, from + 3, 2);
        int second = digits(text, from + 6, 2);
        if (hour < 0 || hour > 24 || minute < 0 || minute > 59 || second < 0 || second > 60) {
            return NONE;
        }
        long millis = ((day * 24 + hour) * 60 + minute) * 60_000 + second * 1000L;
        int at = from + 8;
        if (at < to && (text[at] == '.' || text[at] == ',')) {
            int unit = 100;
            for (at++; at < to && isDigit(text[at]); at++) {
                millis += (long) (text[at] - '0') * unit;
                unit /= 10;
            }
        }
        return withZone(millis, text, at, to);
    }

    private static long withZone(long local, byte[] text, int from, int to) {
        int at = from < to && text[from] == ' ' ? from + 1 : from;
        if (at == to || (at + 1 == to && (text[at] == 'Z' || text[at] == 'z'))) {
            return local;
        }
        boolean isAhead = text[at] == '+';
        if ((!isAhead && text[at] != '-') || at + 3 > to) {
            return NONE;
        }
        int minutesAt = at + 3 < to && text[at + 3] == ':' ? at + 4 : at + 3;
        int hours = digits(text, at + 1, 2);
        int minutes = minutesAt + 2 == to ? digits(text, minutesAt, 2) : minutesAt == to ? 0 : -1;
        if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
            return NONE;
        }
        long offset = (hours * 60L + minutes) * 60_000;
        return isAhead ? local - offset : local + offset;
    }

    private static long sinceEpoch(byte[] text, int from, int to) {
        double number = decimal(text, from, to);
        if (!(number > 0)) {
            return NONE;
        }
        double millis = number >= LEAST_NANOS
                ? number / 1e6
                : number >= LEAST_MICROS ? number / 1e3 : number >= LEAST_MILLIS ? number : number * 1e3;
        return millis < LAST ? Math.round(millis) : NONE;
    }

    /** A number with or without a fraction, or {@code 1.6E9}; NaN if the text is not a number. */
    static double decimal(byte[] text, int from, int to) {
        int at = from;
        double number = 0; // exact except for nanoseconds
        for (; at < to && isDigit(text[at]); at++) {
            number = number * 10 + (text[at] - '0');
        }
        if (at == from) {
            return Double.NaN;
        }
        if (at < to && text[at] == '.') {
            double unit = 0.1;
            for (at++; at < to && isDigit(text[at]); at++) {
                number += (text[at] - '0') * unit;
                unit /= 10;
            }
        }
        if (at < to && (text[at] == 'e' || text[at] == 'E')) {
            boolean hasPlus = at + 1 < to && text[at + 1] == '+';
            int exponent = digits(text, at + (hasPlus ? 2 : 1), to - at - (hasPlus ? 2 : 1));
            return exponent < 0 ? Double.NaN : number * Math.pow(10, exponent);
        }
        return at == to ? number : Double.NaN;
    }

    /** Reads a number with this many digits; -1 if one is not a digit. */
    static int digits(byte[] text, int from, int count) {
        if (count < 1 || count > 9 || from + count > text.length) {
            return -1;
        }
        int number = 0;
        for (int i = from; i < from + count; i++) {
            if (!isDigit(text[i])) {
                return -1;
            }
            number = number * 10 + text[i] - '0';
        }
        return number;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** The number of days since 1970; a day that the month does not have counts into the next month. */
    private static long day(int year, int month, int day) {
        if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31) {
            return NONE;
        }
        return LocalDate.of(year, month, 1).toEpochDay() + day - 1;
    }
}
