package dev.sluice.config.tier;

import dev.sluice.config.shape.Durations;
import dev.sluice.config.shape.Shape;
import dev.sluice.config.shape.Shapes;
import dev.sluice.config.yaml.Findings;
import dev.sluice.config.yaml.ProblemCode;
import dev.sluice.config.yaml.Value.Text;
import dev.sluice.tier.Limit;
import java.time.Duration;

/** The period of a tier. A number without a unit is in seconds; if it looks like milliseconds, that is reported. */
final class PeriodShape {

    private static final Shape<Duration> DURATION = Shapes.duration(Duration.ofMillis(1), Limit.MAX_PERIOD);

    private PeriodShape() {}

    static Shape<Duration> period() {
        return (value, findings) -> {
            Duration period = DURATION.read(value, findings);
            if (period != null && value instanceof Text text && looksLikeMillis(text.content(), period)) {
                warn(text, period, findings);
            }
            return period;
        };
    }

    /** Whether it is a multiple of 1,000 without a unit, and neither whole hours nor, over a day, whole days. */
    private static boolean looksLikeMillis(String text, Duration period) {
        long seconds = period.toSeconds();
        boolean isRound = seconds % (seconds < 86_400 ? 3_600 : 86_400) == 0;
        return text.matches("\\d+") && seconds % 1_000 == 0 && !isRound;
    }

    private static void warn(Text text, Duration period, Findings findings) {
        findings.add(
                ProblemCode.DOUBTFUL_PERIOD,
                text,
                " is in seconds, " + Durations.inWords(period) + "; write "
                        + Durations.shortest(Duration.ofMillis(period.toSeconds()))
                        + " if it is meant in milliseconds, or else " + Durations.shortest(period));
    }
}
