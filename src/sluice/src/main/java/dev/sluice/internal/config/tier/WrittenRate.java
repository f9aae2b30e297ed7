package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.value.Durations;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A threshold that is written as a rate, as in other limiters, for example {@code 100/m} or {@code 100 per minute}.
 *
 * @param calls the number of calls
 * @param period the period in the file's notation
 */
record WrittenRate(String calls, String period) {

    private static final Pattern RATE = Pattern.compile(
            "([1-9]\\d{0,14})\\s*+(?:[A-Za-z]{1,10}\\s*+)?(?:/|\\bper\\b)\\s*+(\\d{0,6})\\s*+([A-Za-z]{1,12})");

    /**
     * Reads a rate. Returns {@code null} if the value is not a rate. Also returns {@code null} if the value contains a
     * variable, because messages must not reveal the variable's value.
     */
    static @Nullable WrittenRate of(@Nullable Value value) {
        if (!(value instanceof Text text) || text.isSubstituted()) {
            return null;
        }
        Matcher matcher = RATE.matcher(text.content());
        if (!matcher.matches()) {
            return null;
        }
        String number = matcher.group(2).isEmpty() ? "1" : matcher.group(2);
        String period = Durations.guess(number + matcher.group(3));
        Duration duration = Durations.parse(period);
        return duration == null || duration.isZero() ? null : new WrittenRate(matcher.group(1), period);
    }
}
