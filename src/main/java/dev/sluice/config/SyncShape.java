package dev.sluice.config;

import dev.sluice.Sync;
import dev.sluice.config.Value.Text;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How counters are kept together: a duration, {@code strict}, or a map of both figures. */
final class SyncShape {

    private static final Pattern PERCENTAGE = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3})?)%");
    private static final Shape<Duration> INTERVAL = Shapes.duration(Duration.ofMillis(1), Duration.ofHours(1));

    private SyncShape() {}

    /** The value of a tier's own {@code sync}; what it leaves open is as the file says. */
    static Shape<Sync> of(Sync otherwise) {
        return (value, findings) -> {
            if (value instanceof Value.Fields map) {
                try (Section keys = Section.of(map, findings)) {
                    Sync pace = pace(keys, otherwise);
                    return keys.isSound() ? pace : null;
                }
            }
            if (value instanceof Text text && text.content().equals("strict")) {
                return new Sync(otherwise.every(), 0, true);
            }
            Duration every = INTERVAL.read(value, findings);
            return every == null ? null : new Sync(every, otherwise.slack(), false);
        };
    }

    /** The keys {@code every} and {@code slack}. */
    static Sync pace(Section keys, Sync otherwise) {
        return new Sync(
                keys.optional("every", INTERVAL, otherwise.every()),
                keys.optional("slack", SyncShape::slack, otherwise.slack()),
                false);
    }

    private static @Nullable Double slack(Value value, Findings findings) {
        Text text = value instanceof Text scalar
                ? scalar
                : Shapes.text("a percentage", "1%").read(value, findings);
        if (text == null) {
            return null;
        }
        Matcher percentage = PERCENTAGE.matcher(text.content());
        double part = text.content().equals("0")
                ? 0
                : percentage.matches() ? Double.parseDouble(percentage.group(1)) / 100 : Double.NaN;
        if (!(part >= 0 && part <= 1)) {
            findings.add(
                    Code.OUT_OF_RANGE,
                    text.place(),
                    text.quoted() + " is not a part of the threshold; write 1%, or 0 for none");
            return null;
        }
        return part;
    }
}
