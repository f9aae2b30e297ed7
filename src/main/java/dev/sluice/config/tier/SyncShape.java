package dev.sluice.config.tier;

import dev.sluice.config.shape.Percentage;
import dev.sluice.config.shape.Section;
import dev.sluice.config.shape.Shape;
import dev.sluice.config.shape.Shapes;
import dev.sluice.config.yaml.Findings;
import dev.sluice.config.yaml.ProblemCode;
import dev.sluice.config.yaml.Value;
import dev.sluice.config.yaml.Value.Text;
import dev.sluice.tier.Sync;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How counters are kept together: a duration, {@code strict}, or a map of both figures. */
public final class SyncShape {

    private static final Shape<Duration> INTERVAL = Shapes.duration(Duration.ofMillis(1), Duration.ofHours(1));

    private static final Shape<Double> SLACK =
            Shapes.scalar("a percentage", "1%").then(SyncShape::slack);

    private SyncShape() {}

    /** The value of a tier's own {@code sync}; what it leaves open is as the file says. */
    static Shape<Sync> of(Sync otherwise) {
        Shape<Sync> map = Section.shape(
                "{ every: 1s, slack: 1% }",
                (keys, findings) -> {
                    Sync pace = pace(keys, otherwise);
                    return keys.isValid() ? pace : null;
                });
        Shape<Sync> interval = INTERVAL.then((every, findings) -> new Sync(every, otherwise.slack(), false));
        return (value, findings) -> value instanceof Text text && text.content().equals("strict")
                ? new Sync(otherwise.every(), 0, true)
                : (value instanceof Value.Fields ? map : interval).read(value, findings);
    }

    /** The value of a tier's own {@code sync} where there is but one way. */
    static Shape<Sync> strictOnly(Sync otherwise, String algorithm) {
        Shape<Sync> any = of(otherwise);
        return (value, findings) -> {
            Sync sync = any.read(value, findings);
            return sync == null || sync.strict()
                    ? sync
                    : findings.refuse(
                            ProblemCode.CONTRADICTION,
                            value.position(),
                            "calls to a " + algorithm
                                    + " like this are decided in the store, one by one; write strict, or leave the key out");
        };
    }

    /** The keys {@code every} and {@code slack}. */
    public static Sync pace(Section keys, Sync otherwise) {
        return new Sync(
                keys.optional("every", INTERVAL, otherwise.every()),
                keys.optional("slack", SLACK, otherwise.slack()),
                false);
    }

    private static @Nullable Double slack(Text text, Findings findings) {
        Double part = text.content().equals("0") ? Double.valueOf(0) : Percentage.parse(text.content());
        return part != null && part <= 1
                ? part
                : findings.refuse(
                        ProblemCode.OUT_OF_RANGE,
                        text,
                        " is not a percentage from 0% to 100%; write 1%, or 0 for none");
    }
}
