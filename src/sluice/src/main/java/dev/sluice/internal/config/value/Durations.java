package dev.sluice.internal.config.value;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses and formats durations in the file's notation, such as {@code 10} or {@code 10s}, {@code 500ms}, {@code 5m},
 * {@code 1h}, {@code 1d} and {@code PT10S}.
 */
public final class Durations {

    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,18})(ms|s|m|h|d|)");
    private static final Pattern NUMBER_AND_WORD = Pattern.compile("(\\d{1,18}|\\d{1,6}\\.\\d{1,3})\\s*([a-z]+)");
    private static final Pattern CLOCK = Pattern.compile("(\\d{1,2}):(\\d\\d):(\\d\\d)");
    private static final Map<String, String> ONE_OF =
            Map.of("second", "1s", "minute", "1m", "hour", "1h", "hourly", "1h", "day", "1d", "daily", "1d");
    private static final Pattern COMBINED = Pattern.compile("(\\d{1,4}(ms|s|m|h|d)\\s*){2,5}");
    private static final Pattern PART = Pattern.compile("(\\d+)([a-z]+)");
    private static final Map<String, Long> MILLIS = millis();

    private Durations() {}

    private static Map<String, Long> millis() {
        Map<String, Long> millis = new LinkedHashMap<>(); // the longest unit comes first, so that texts are short
        millis.put("d", 86_400_000L);
        millis.put("h", 3_600_000L);
        millis.put("m", 60_000L);
        millis.put("s", 1_000L);
        millis.put("ms", 1L);
        return millis;
    }

    /**
     * Parses a duration. Returns {@code null} if the text is not a duration. If the number of milliseconds exceeds a
     * {@code long}, the result is the longest duration that fits.
     */
    public static @Nullable Duration parse(String text) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text);
        if (matcher.matches()) {
            String unit = matcher.group(2).isEmpty() ? "s" : matcher.group(2);
            return ofMillis(Long.parseLong(matcher.group(1)), MILLIS.getOrDefault(unit, 1L));
        }
        try {
            return text.startsWith("P") ? Duration.parse(text) : null;
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static Duration ofMillis(long number, long millisEach) {
        return Duration.ofMillis(number > Long.MAX_VALUE / millisEach ? Long.MAX_VALUE : number * millisEach);
    }

    /**
     * Formats a duration in its largest whole unit, for example 60 seconds as {@code 1m}, and 90 seconds as
     * {@code 90s}.
     */
    public static String shortest(Duration duration) {
        long millis = duration.toMillis();
        for (Map.Entry<String, Long> unit : MILLIS.entrySet()) {
            if (millis != 0 && millis % unit.getValue() == 0) {
                return millis / unit.getValue() + unit.getKey();
            }
        }
        return millis + "s";
    }

    /** Formats a duration in several units, for example a thousand minutes as {@code 16h 40m}. */
    public static String inWords(Duration duration) {
        StringJoiner words = new StringJoiner(" ");
        long remaining = duration.toMillis();
        for (Map.Entry<String, Long> unit : MILLIS.entrySet()) {
            if (remaining >= unit.getValue()) {
                words.add(remaining / unit.getValue() + unit.getKey());
                remaining %= unit.getValue();
            }
        }
        return words.length() == 0 ? "0s" : words.toString();
    }

    /**
     * Guesses which duration an invalid text denotes, for example {@code 10m} for {@code 10 mins}, or {@code 90s} for
     * {@code 1m30s}.
     */
    public static String guess(String text) {
        if (COMBINED.matcher(text.trim()).matches()) {
            return shortest(Duration.ofMillis(PART.matcher(text)
                    .results()
                    .mapToLong(part -> Long.parseLong(part.group(1)) * MILLIS.getOrDefault(part.group(2), 1L))
                    .sum()));
        }
        Matcher clock = CLOCK.matcher(text.trim());
        if (clock.matches()) {
            long seconds = Long.parseLong(clock.group(1)) * 3600 + Long.parseLong(clock.group(2)) * 60;
            return shortest(Duration.ofSeconds(seconds + Long.parseLong(clock.group(3))));
        }
        Matcher matcher = NUMBER_AND_WORD.matcher(inFigures(text.trim().toLowerCase(Locale.ROOT)));
        if (matcher.matches()) {
            BigDecimal number = new BigDecimal(matcher.group(1));
            String word = matcher.group(2);
            String unit = word.startsWith("ms") || word.startsWith("mil") ? "ms" : word.substring(0, 1);
            if (unit.equals("w") || word.startsWith("mo")) {
                return number.multiply(BigDecimal.valueOf(unit.equals("w") ? 7 : 30))
                                .stripTrailingZeros()
                                .toPlainString()
                        + "d";
            }
            if (MILLIS.containsKey(unit)) {
                return number.scale() == 0
                        ? number + unit
                        : shortest(Duration.ofMillis(number.multiply(BigDecimal.valueOf(MILLIS.get(unit)))
                                .longValue()));
            }
        }
        return "10s, 5m, 1h or 1d";
    }

    /**
     * Replaces number words with digits, for example {@code ten seconds} with {@code 10 seconds}, or {@code minute}
     * with {@code 1m}.
     */
    private static String inFigures(String text) {
        int blank = text.indexOf(' ');
        Long number = blank < 0 ? null : WrittenNumber.one(text.substring(0, blank));
        return number == null ? ONE_OF.getOrDefault(text, text) : number + text.substring(blank);
    }
}
