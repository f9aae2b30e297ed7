package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.value.Percentage;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.tier.Sync;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The shape of the {@code sync} key. Its value is a duration, {@code strict}, or a map with {@code every} and
 * {@code slack}.
 */
public final class SyncShape {

    private static final Shape<Duration> INTERVAL = Shapes.duration(Duration.ofMillis(1), Duration.ofHours(1));

    private static final Shape<Double> SLACK =
            Shapes.scalar("a percentage", "1%").then(SyncShape::slack);

    private SyncShape() {}

    /** Returns the shape for a tier. Missing keys default to the file's {@code sync}. */
    static Shape<Sync> of(Sync ofFile) {
        Shape<Sync> map = Section.shape(
                "{ every: 1s, slack: 1% }",
                (keys, findings) -> {
                    Sync pace = pace(keys, ofFile);
                    return keys.isValid() ? pace : null;
                });
        Shape<Sync> interval = INTERVAL.then((every, findings) -> new Sync(every, ofFile.slack(), false));
        return (value, findings) -> value instanceof Text text && text.content().equals("strict")
                ? new Sync(ofFile.every(), 0, true)
                : (value instanceof Value.Fields ? map : interval).read(value, findings);
    }

    /** Returns the shape for a tier that is always strict. */
    static Shape<Sync> strictOnly(Sync ofFile, String algorithm) {
        Shape<Sync> any = of(ofFile);
        return (value, findings) -> {
            Sync sync = any.read(value, findings);
            return sync == null || sync.strict()
                    ? sync
                    : findings.refuse(
                            ProblemCode.CONTRADICTION,
                            value.position(),
                            "the store decides each call to this " + algorithm + "; write strict, or remove the key");
        };
    }

    /** Reads the {@code every} and {@code slack} keys. */
    public static Sync pace(Section keys, Sync byDefault) {
        return new Sync(
                keys.optional("every", INTERVAL, byDefault.every()),
                keys.optional("slack", SLACK, byDefault.slack()),
                false);
    }

    private static @Nullable Double slack(Text text, Findings findings) {
        Double part = text.content().equals("0") ? Double.valueOf(0) : Percentage.parse(text.content());
        String meant = Percentage.meant(text);
        Double known = meant == null || text.content().equals(meant) ? null : Percentage.parse(meant);
        return part != null && part <= 1
                ? part
                : findings.refuse(
                        ProblemCode.OUT_OF_RANGE,
                        text,
                        " is not a percentage from 0% to 100%; write " + (known != null && known <= 1 ? meant : "1%")
                                + ", or 0 for none");
    }
}
