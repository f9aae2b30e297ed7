package dev.sluice.config;

import dev.sluice.Excess;
import org.jspecify.annotations.Nullable;

/** The keys {@code tolerance} and {@code elastic} of a tier: what may pass beyond its threshold. */
final class ExcessKeys {

    private static final int MOST = (int) (Excess.MAX_PART * 100);
    private static final String EXAMPLE = "{ upTo: 150%, whileLoadBelow: 60% }";

    private ExcessKeys() {}

    /** What the keys say, of a tier that lets so many calls pass at once. */
    static Excess read(Section tier, long capacity) {
        Excess soft = tier.optional("tolerance", tolerance(capacity));
        Excess elastic = tier.optional("elastic", elastic(soft, capacity));
        return elastic != null ? elastic : soft != null ? soft : Excess.NONE;
    }

    private static Shape<Excess> tolerance(long capacity) {
        Shape<Double> percentage = Percentage.between(0, MOST, "10%");
        return (value, findings) -> {
            Double part = percentage.read(value, findings);
            return part == null ? null : warnIfIdle(new Excess.Soft(part), value, capacity, findings);
        };
    }

    private static Shape<Excess> elastic(@Nullable Excess soft, long capacity) {
        return (value, findings) -> {
            if (soft != null) {
                findings.add(
                        Code.CONTRADICTION,
                        value.place(),
                        "a tier has a tolerance or is elastic, not both; remove one");
                return null;
            }
            Value.Fields map = Shapes.fields(value, EXAMPLE, findings);
            if (map == null) {
                return null;
            }
            try (Section keys = Section.of(map, findings)) {
                Double upTo = keys.required("upTo", Percentage.between(100, 100 + MOST, "150%"), "upTo: 150%");
                Double load = keys.required("whileLoadBelow", Percentage.between(0, 100, "60%"), "whileLoadBelow: 60%");
                return upTo == null || load == null
                        ? null
                        : warnIfIdle(new Excess.Elastic(upTo, load), value, capacity, findings);
            }
        };
    }

    private static Excess warnIfIdle(Excess excess, Value value, long capacity, Findings findings) {
        if (excess.beyond(capacity) == 0) {
            findings.add(
                    Code.IDLE_EXCESS,
                    value.place(),
                    "this lets nothing more pass, for it is less than one call of " + capacity
                            + "; write a larger percentage, or remove it");
        }
        return excess;
    }
}
