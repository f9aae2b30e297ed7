package dev.sluice.internal.limiter.endpoint;

import dev.sluice.Call;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.match.caller.SubjectSources;
import dev.sluice.internal.match.path.EndpointPaths;
import dev.sluice.limits.ClientDirectory;
import dev.sluice.limits.Plans;
import dev.sluice.limits.SubjectSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds a caller's plan from the facts that are known so far. Immutable and thread-safe. */
final class CallerPlans {

    private final Map<String, FoundPlan> plans;
    private final @Nullable FoundPlan byDefault;
    private final List<SubjectSource> claimed;
    /** The sources that identify callers in the directory. */
    private final List<SubjectSource> chain;

    private final @Nullable ClientDirectory directory;

    private CallerPlans(
            Map<String, FoundPlan> plans,
            @Nullable FoundPlan byDefault,
            List<SubjectSource> claimed,
            List<SubjectSource> chain,
            @Nullable ClientDirectory directory) {
        this.plans = plans;
        this.byDefault = byDefault;
        this.claimed = claimed;
        this.chain = chain;
        this.directory = directory;
    }

    /** A plan in the file, with its overrides. */
    record FoundPlan(String name, ClientOverrideSet overrides) {}

    static CallerPlans of(Plans plans, ClientOverrideSet.Interner overrideSets) {
        Map<String, FoundPlan> found = new HashMap<>();
        plans.byName().forEach((name, plan) -> found.put(name, new FoundPlan(name, overrideSets.of(plan))));
        Plans.Directory directory = plans.directory();
        return new CallerPlans(
                found,
                found.get(plans.byDefault()),
                SubjectSources.identifying(plans.claimed()),
                directory == null ? List.of() : SubjectSources.identifying(directory.chain()),
                directory == null ? null : directory.clients());
    }

    /** Returns a copy for calls to the given paths. */
    CallerPlans bind(EndpointPaths paths) {
        List<SubjectSource> bound =
                chain.stream().map(source -> SubjectSources.bind(source, paths)).toList();
        return bound.equals(chain) ? this : new CallerPlans(plans, byDefault, claimed, bound, directory);
    }

    /**
     * Returns a caller's plan; {@code null} if the caller has none.
     *
     * @param named the plan specified in the caller's {@code clients} entry; empty if none is specified
     */
    @Nullable FoundPlan find(String named, Call call) {
        FoundPlan plan = named.isEmpty() ? null : plans.get(named);
        if (plan == null && directory != null) {
            plan = inDirectory(directory, call);
        }
        if (plan == null && !claimed.isEmpty()) {
            plan = plans.get(SubjectSources.resolve(claimed, call));
        }
        return plan == null ? byDefault : plan;
    }

    private @Nullable FoundPlan inDirectory(ClientDirectory clients, Call call) {
        for (SubjectSource source : chain) {
            String sent = source.resolver().resolve(call);
            if (sent != null && !sent.isEmpty()) {
                return plans.get(clients.planOf(source.name(), sent, SubjectKey.of(source, sent)));
            }
        }
        return null;
    }
}
