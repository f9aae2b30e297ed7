package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.value.Percentage;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import org.jspecify.annotations.Nullable;

/** Reads the {@code tolerance} and {@code elastic} keys of a tier. They allow calls beyond the threshold. */
final class OverageKeys {

    private static final int MOST = (int) (Overage.MAX_PART * 100);

    private static final Shape<Overage.Elastic> ELASTIC =
            Section.shape("{ upTo: 150%, whileLoadBelow: 60% }", OverageKeys::elastic);

    private OverageKeys() {}

    /** Reads the overage of a tier with this limit. Pass {@code null} if the limit is invalid. */
    static Overage read(Section tier, @Nullable Limit limit) {
        if (limit != null && limit.hasQueue()) {
            tier.optional("tolerance", withoutQueue("tolerance"));
            tier.optional("elastic", withoutQueue("elastic"));
            return Overage.NONE;
        }
        long capacity = limit == null ? Limit.MAX_THRESHOLD : limit.capacity();
        Overage soft = tier.optional("tolerance", tolerance(capacity));
        Overage elastic = tier.optional("elastic", elastic(soft, capacity));
        return elastic != null ? elastic : soft != null ? soft : Overage.NONE;
    }

    private static Shape<Overage> withoutQueue(String key) {
        return (value, findings) -> findings.refuse(
                ProblemCode.CONTRADICTION,
                value.position(),
                "calls beyond the threshold are queued, so they cannot pass immediately; remove " + key
                        + ", or queue and maxQueueTime");
    }

    private static Shape<Overage> tolerance(long capacity) {
        Shape<Double> percentage = Percentage.between(0, MOST, "10%");
        return (value, findings) -> {
            Double part = percentage.read(value, findings);
            return part == null ? null : warnIfIdle(new Overage.Soft(part), value, capacity, findings);
        };
    }

    private static Shape<Overage> elastic(@Nullable Overage soft, long capacity) {
        return (value, findings) -> {
            if (soft != null) {
                return findings.refuse(
                        ProblemCode.CONTRADICTION,
                        value.position(),
                        "a tier can have tolerance or elastic, but not both; remove one");
            }
            Overage elastic = ELASTIC.read(value, findings);
            return elastic == null ? null : warnIfIdle(elastic, value, capacity, findings);
        };
    }

    private static Overage.@Nullable Elastic elastic(Section keys, Findings findings) {
        Double upTo = keys.required("upTo", Percentage.between(100, 100 + MOST, "150%"), "upTo: 150%");
        Double load = keys.required("whileLoadBelow", Percentage.between(0, 100, "60%"), "whileLoadBelow: 60%");
        return upTo == null || load == null ? null : new Overage.Elastic(upTo, load);
    }

    private static Overage warnIfIdle(Overage overage, Value value, long capacity, Findings findings) {
        if (overage.maxCalls(capacity) == 0) {
            findings.add(
                    ProblemCode.IDLE_EXCESS,
                    value.position(),
                    "this key has no effect, because it allows less than one call beyond " + capacity
                            + "; write a larger percentage, or remove the key");
        }
        return overage;
    }
}
