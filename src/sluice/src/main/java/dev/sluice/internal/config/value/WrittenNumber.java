package dev.sluice.internal.config.value;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Guesses which whole number a text denotes, for example {@code five}, {@code 2k}, {@code 1,000} or {@code 100 calls}.
 */
final class WrittenNumber {

    private static final List<String> SMALL = List.of(
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve");
    private static final Map<String, Long> OTHERS = Map.ofEntries(
            Map.entry("a", 1L),
            Map.entry("an", 1L),
            Map.entry("fifteen", 15L),
            Map.entry("twenty", 20L),
            Map.entry("thirty", 30L),
            Map.entry("fifty", 50L),
            Map.entry("sixty", 60L));
    private static final Map<String, Long> FACTORS = Map.of("hundred", 100L, "thousand", 1000L, "million", 1_000_000L);

    private static final Pattern GROUPED = Pattern.compile("\\d{1,3}([ ,']\\d{3}){1,4}");
    private static final Pattern WITH_UNIT = Pattern.compile("(\\d{1,12})\\s*(k|K|[a-z]{3,20}(?: .{0,40})?)");

    private WrittenNumber() {}

    /** Returns the number that the text denotes; {@code null} if the text is unclear. */
    static @Nullable Long of(String text) {
        if (GROUPED.matcher(text).matches()) {
            return Long.valueOf(text.replaceAll("\\D", ""));
        }
        Matcher unit = WITH_UNIT.matcher(text);
        if (unit.matches()) {
            return Long.parseLong(unit.group(1)) * (unit.group(2).equalsIgnoreCase("k") ? 1000 : factor(unit.group(2)));
        }
        return inWords(text.toLowerCase(Locale.ROOT));
    }

    private static long factor(String unit) {
        return FACTORS.getOrDefault(unit, 1L);
    }

    /** Returns the number that one or two words denote. */
    private static @Nullable Long inWords(String words) {
        int blank = words.indexOf(' ');
        if (blank < 0) {
            Long one = one(words);
            return one == null ? FACTORS.get(words) : one;
        }
        Long first = one(words.substring(0, blank));
        Long factor = FACTORS.get(words.substring(blank + 1));
        return first == null || factor == null ? null : Long.valueOf(first * factor);
    }

    /** Returns the number that a single word denotes; {@code null} for factors such as {@code hundred}. */
    static @Nullable Long one(String word) {
        int small = SMALL.indexOf(word);
        return small < 0 ? OTHERS.get(word) : Long.valueOf(small);
    }
}
