package dev.sluice.config.tier;

import dev.sluice.Sync;
import dev.sluice.config.shape.Percentage;
import dev.sluice.config.shape.Section;
import dev.sluice.config.shape.Shape;
import dev.sluice.config.shape.Shapes;
import dev.sluice.config.yaml.Findings;
import dev.sluice.config.yaml.ProblemCode;
import dev.sluice.config.yaml.Value;
import dev.sluice.config.yaml.Value.Text;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How counters are kept together: a duration, {@code strict}, or a map of both figures. */
public final class SyncShape {

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

    /** The value of a tier's own {@code sync} where there is but one way. */
    static Shape<Sync> strictOnly(Sync otherwise, String algorithm) {
        Shape<Sync> any = of(otherwise);
        return (value, findings) -> {
            Sync sync = any.read(value, findings);
            if (sync == null || sync.strict()) {
                return sync;
            }
            findings.add(
                    ProblemCode.CONTRADICTION,
                    value.position(),
                    "calls to a " + algorithm
                            + " like this are decided in the store, one by one; write strict, or leave the key out");
            return null;
        };
    }

    /** The keys {@code every} and {@code slack}. */
    public static Sync pace(Section keys, Sync otherwise) {
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
        Double part = text.content().equals("0") ? Double.valueOf(0) : Percentage.parse(text.content());
        if (part == null || part > 1) {
            findings.add(
                    ProblemCode.OUT_OF_RANGE, text, " is not a percentage from 0% to 100%; write 1%, or 0 for none");
            return null;
        }
        return part;
    }
}
