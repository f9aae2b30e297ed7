package dev.sluice.internal.config.keys;

import dev.sluice.internal.config.clients.NameHints;
import dev.sluice.internal.config.value.Identifiers;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.limits.Plan;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Reads the {@code plans} of a file, and references to plans elsewhere in the file. */
public final class PlansSection {

    private static final String EXAMPLE = "{ pro: { multiply: 10 } }";
    private static final int MOST = 1_000;

    private final Map<String, Plan> plans = new LinkedHashMap<>();
    /**
     * The positions of all plans. They include invalid plans, so that a reference to such a plan is not reported as a
     * second mistake.
     */
    private final Map<String, FilePosition> positions = new LinkedHashMap<>();
    /** The plan names that other keys refer to, whether or not these plans exist. */
    private final Set<String> named = new HashSet<>();

    private PlansSection() {}

    public static PlansSection read(Section file, OverrideKeys overrides) {
        PlansSection section = new PlansSection();
        file.optional("plans", (value, findings) -> section.read(value, overrides, findings));
        return section;
    }

    private PlansSection read(Value value, OverrideKeys overrides, Findings findings) {
        Value.Fields map = Shapes.map(EXAMPLE).read(value, findings);
        if (map == null) {
            return this;
        }
        if (map.fields().size() > MOST) {
            findings.add(
                    ProblemCode.TOO_MUCH,
                    map.position(),
                    "there are more than " + MOST + " plans; let clients share plans");
            return this;
        }
        map.fields().forEach((name, field) -> {
            Identifiers.check(name, Quote.of(name), field.keyPosition(), "the name of a plan", findings);
            positions.put(name, field.keyPosition());
            Plan plan = Section.shape("{ multiply: 10 }", (keys, problems) -> {
                        OverrideKeys.Overrides read = overrides.read(keys);
                        return new Plan(name, read.exempt(), read.multiply(), read.mode(), read.endpoints());
                    })
                    .read(field.value(), findings);
            if (plan != null) {
                plans.put(name, plan);
            }
        });
        return this;
    }

    /** Returns the plans, by name. */
    Map<String, Plan> all() {
        return plans;
    }

    /** Returns the shape of a reference to a plan in the file. */
    Shape<String> name() {
        return Shapes.text("the name of a plan", "pro").then((text, findings) -> {
            named.add(text.content());
            return positions.containsKey(text.content())
                    ? text.content()
                    : findings.refuse(
                            ProblemCode.UNKNOWN_PLAN,
                            text,
                            " is not a plan of this file; " + NameHints.plan(text.content(), positions.keySet()));
        });
    }

    /**
     * Warns about plans that no client uses. Call this method only if no plans come from outside the file. If a key
     * refers to a plan that does not exist, there is no warning, because the reference might be a misspelling of the
     * unused plan.
     */
    void warnOfUnused(Findings findings) {
        if (!positions.keySet().containsAll(named)) {
            return;
        }
        positions.forEach((name, position) -> {
            if (!named.contains(name)) {
                findings.add(
                        ProblemCode.UNUSED_PLAN,
                        position,
                        "no client has the plan " + Quote.plain(name) + "; assign it to a client with plan: "
                                + Quote.plain(name)
                                + ", or specify in clients where plans come from, for example "
                                + "{ planFrom: \"claim:plan\" }");
            }
        });
    }
}
