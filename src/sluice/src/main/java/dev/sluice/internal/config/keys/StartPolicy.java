package dev.sluice.internal.config.keys;

import dev.sluice.internal.config.value.Durations;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value.Text;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value of {@code store.onStart}. It specifies whether a limiter starts if the store does not respond.
 *
 * @param needsStore whether the store must respond before the limiter starts
 * @param patience the time for which the limiter retries before the start fails
 */
public record StartPolicy(boolean needsStore, Duration patience) {

    /** The default policy: the limiter starts even if the store does not respond. */
    public static final StartPolicy GO_ON = new StartPolicy(false, Duration.ZERO);

    private static final StartPolicy FAIL = new StartPolicy(true, Duration.ZERO);

    private static final Duration LONGEST = Duration.ofHours(1);
    private static final String WAIT = "wait ";
    private static final String EXPECTED = "go-on, fail, or wait and a duration, such as wait 10s";

    static final Shape<StartPolicy> SHAPE =
            Shapes.scalar("one of " + EXPECTED, "fail").then(StartPolicy::read);

    /** Formats the policy in the file's notation. */
    @Override
    public String toString() {
        return !needsStore ? "go-on" : patience.isZero() ? "fail" : WAIT + Durations.shortest(patience);
    }

    private static @Nullable StartPolicy read(Text text, Findings findings) {
        String word = text.content();
        if (word.startsWith(WAIT)) {
            return waiting(text, word.substring(WAIT.length()).strip(), findings);
        }
        return switch (word) {
            case "go-on" -> GO_ON;
            case "fail" -> FAIL;
            default ->
                findings.refuse(
                        ProblemCode.UNKNOWN_WORD,
                        text,
                        " is not " + EXPECTED
                                + Nearest.hint(text, List.of("go-on", "fail"), "")
                                        .transform(hint -> hint.isEmpty() ? "" : "; " + hint));
        };
    }

    private static @Nullable StartPolicy waiting(Text text, String written, Findings findings) {
        Duration patience = Durations.parse(written);
        if (patience == null) {
            return findings.refuse(ProblemCode.NOT_A_DURATION, text, " has no duration; write, for example, wait 10s");
        }
        if (patience.compareTo(Duration.ofMillis(1)) < 0 || patience.compareTo(LONGEST) > 0) {
            return findings.refuse(
                    ProblemCode.OUT_OF_RANGE, text, " is out of range; write a duration from 1ms to 1h after wait");
        }
        return new StartPolicy(true, patience);
    }
}
