package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.value.Durations;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.tier.Algorithm;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Windows;
import dev.sluice.tier.Windows.Unit;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a tier's period. It is a duration, or a calendar day, week or month. A number without a unit is in
 * seconds. A number that looks like milliseconds causes a warning.
 */
final class PeriodShape {

    private static final Shape<Duration> DURATION = Shapes.duration(Duration.ofMillis(1), Limit.MAX_PERIOD);

    /**
     * Other limiters' notations for a day, week or month. Some of these words can also denote a duration of that
     * length.
     */
    private static final Pattern LIKE_A_UNIT = Pattern.compile(
            "(?:(?:per|each|every|calendar|a|one|1)[ _-]?)*+(d|w|mo)(?:n|ay|aily|eek|eekly|nth|nthly)?s?(?:ly)?");

    private PeriodShape() {}

    /** Returns the shape for tiers with this algorithm. Calendar periods begin at midnight in this zone. */
    static Shape<Windows> of(Algorithm algorithm, ZoneId zone) {
        return (value, findings) -> {
            Unit unit = unit(value);
            if (unit != null && value instanceof Text text) {
                return algorithm == Algorithm.FIXED_WINDOW
                        ? Windows.every(unit, zone)
                        : refuse(algorithm, unit, text, findings);
            }
            Unit meant = meant(value);
            if (meant != null && value instanceof Text text) {
                return findings.refuse(
                        ProblemCode.NOT_A_DURATION,
                        text,
                        " is not a duration; write " + days(meant) + ", or " + meant.word() + " for windows that begin "
                                + beginning(meant));
            }
            Duration period = DURATION.read(value, findings);
            if (period != null && value instanceof Text text && looksLikeMillis(text.content(), period)) {
                warn(text, period, findings);
            }
            return period == null ? null : Windows.every(period);
        };
    }

    private static @Nullable Windows refuse(Algorithm algorithm, Unit unit, Text text, Findings findings) {
        return findings.refuse(
                ProblemCode.CONTRADICTION,
                text,
                " works only with fixed-window, not with " + algorithm.word() + "; write " + days(unit)
                        + ", or algorithm: " + Algorithm.FIXED_WINDOW.word());
    }

    /** Returns the calendar period with this name; {@code null} if there is none. */
    static @Nullable Unit unit(@Nullable Value value) {
        return value instanceof Text text ? unit(text.content()) : null;
    }

    static @Nullable Unit unit(String word) {
        return Arrays.stream(Unit.values())
                .filter(unit -> unit.word().equals(word))
                .findFirst()
                .orElse(null);
    }

    /**
     * Guesses which calendar period an invalid value denotes. Returns {@code null} if there is no guess, or if the
     * value is a valid duration.
     */
    private static @Nullable Unit meant(Value value) {
        if (!(value instanceof Text text) || text.isSubstituted() || Durations.parse(text.content()) != null) {
            return null;
        }
        Matcher matcher = LIKE_A_UNIT.matcher(text.content().trim().toLowerCase(Locale.ROOT));
        return !matcher.matches()
                ? null
                : switch (matcher.group(1)) {
                    case "d" -> Unit.DAY;
                    case "w" -> Unit.WEEK;
                    default -> Unit.MONTH;
                };
    }

    /** Returns a duration that is about as long as the calendar period, such as {@code 30d}. */
    static String days(Unit unit) {
        return switch (unit) {
            case DAY -> "1d";
            case WEEK -> "7d";
            case MONTH -> "30d";
        };
    }

    private static String beginning(Unit unit) {
        return switch (unit) {
            case DAY -> "at midnight";
            case WEEK -> "on Monday";
            case MONTH -> "on the first";
        };
    }

    /**
     * Returns the calendar period that is about as long as the given duration. If there is none, returns a list of all
     * calendar periods.
     */
    static String near(Duration period) {
        long days = period.toDays();
        return days == 1 ? "day" : days == 7 ? "week" : days >= 28 && days <= 31 ? "month" : "day, week or month";
    }

    /**
     * Whether the text probably denotes milliseconds, because it has no unit and is a multiple of 1,000. Whole hours
     * are accepted as seconds. If the period is a day or longer, only whole days are accepted as seconds.
     */
    private static boolean looksLikeMillis(String text, Duration period) {
        long seconds = period.toSeconds();
        boolean isRound = seconds % (seconds < 86_400 ? 3_600 : 86_400) == 0;
        return text.matches("\\d+") && seconds % 1_000 == 0 && !isRound;
    }

    private static void warn(Text text, Duration period, Findings findings) {
        findings.add(
                ProblemCode.DOUBTFUL_PERIOD,
                text,
                " is in seconds, which is " + Durations.inWords(period) + "; write "
                        + Durations.shortest(Duration.ofMillis(period.toSeconds()))
                        + " if you mean milliseconds, or " + Durations.shortest(period) + " if you mean seconds");
    }
}
