package dev.sluice.cli.explain;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.Subject;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.fleet.BlockedCallers;
import dev.sluice.cli.fleet.CallerFilter;
import dev.sluice.cli.fleet.EffectiveTiers;
import dev.sluice.cli.fleet.LimitNotes;
import dev.sluice.cli.fleet.StoredUsage;
import dev.sluice.cli.output.TimeText;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.Explanation;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plan;
import dev.sluice.limits.Plans;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the counters in the store that apply to a call.
 *
 * @param usages the usage of each shared counter
 * @param blocks the blocks of callers, by counter key without the window
 * @param kept the client limits that are set in the store
 */
record StoredCounters(
        Map<CounterKey, StoredUsage> usages,
        Map<CounterKey, Block> blocks,
        List<StoredOverride> kept,
        long nowMillis,
        boolean isKnown) {

    /** The value to use if no store is specified, so that the counters are unknown. */
    static final StoredCounters UNKNOWN = new StoredCounters(Map.of(), Map.of(), List.of(), 0, false);

    static StoredCounters of(
            StoreConnection store, List<Explanation> explanations, List<StoredOverride> kept, long nowMillis) {
        List<StoredUsage.Asked> asked = explanations.stream()
                .filter(one -> StoredUsage.isShared(one.tier()))
                .map(one -> new StoredUsage.Asked(one.key(), one.tier()))
                .toList();
        Map<CounterKey, StoredUsage> usages = new HashMap<>();
        StoredUsage.of(store, asked, nowMillis, true).forEach(one -> usages.put(one.key(), one));
        Map<CounterKey, Block> blocks = new HashMap<>();
        if (explanations.stream().anyMatch(one -> one.tier().block() != null)) {
            BlockedCallers.of(store, CallerFilter.ALL, nowMillis).forEach(block -> blocks.put(block.key(), block));
        }
        return new StoredCounters(usages, blocks, kept, nowMillis, true);
    }

    /** Returns the limit that is set in the store for the caller; empty if there is none. */
    List<String> limit(Explanation explained) {
        return kept.stream()
                .filter(one -> appliesAt(explained.endpoint(), one.limit()))
                .filter(one -> one.limit().isOfPlan()
                        ? one.limit().value().equals(explained.plan())
                        : EffectiveTiers.fits(one.limit(), explained.key().subjects()))
                .min(Comparator.comparing((StoredOverride one) -> one.limit().isOfPlan()) // after the caller's own
                        .thenComparing(one -> isForAll(one.limit())) // after one for this endpoint
                        .thenComparing(StoredOverride::limit, EffectiveTiers.ORDER))
                .map(one -> "set in the store"
                        + (one.limit().isOfPlan() ? " for plan " + explained.plan() : "") + ": "
                        + SafeText.cut(one.limit().tiers(), 200) + LimitNotes.of(one, nowMillis))
                .stream()
                .toList();
    }

    /**
     * Describes a limit that depends on a plan, if the plan becomes known only during a call. The lines show the source
     * of the plan, and the limit for each plan.
     */
    List<String> plans(Limits limits, Explanation explained) {
        EffectiveTiers effective = new EffectiveTiers(
                limits, kept.stream().map(StoredOverride::limit).toList());
        List<Subject> subjects = explained.key().subjects();
        List<EffectiveTiers.Found> all = limits.endpoints().stream()
                .filter(endpoint -> endpoint.id().equals(explained.endpoint().id()))
                .findFirst()
                .map(endpoint -> effective.of(endpoint, subjects))
                .orElse(List.of());
        if (all.size() <= 1) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add(effective.planNamer(subjects));
        all.forEach(found -> lines.add(found.text()));
        return lines;
    }

    private static boolean isForAll(ClientOverride limit) {
        return limit.endpoint().equals(ClientOverride.ALL_ENDPOINTS);
    }

    private static boolean appliesAt(Endpoint endpoint, ClientOverride limit) {
        return isForAll(limit)
                ? !EffectiveTiers.keepsItsTiers(endpoint)
                : limit.endpoint().equals(endpoint.id());
    }

    /** Describes a counter's usage. */
    List<String> usage(Explanation explained) {
        StoredUsage usage = usages.get(explained.key());
        if (!isKnown) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        if (usage == null) {
            lines.add("each instance counts this tier alone");
        } else {
            lines.add("now: " + usage.text());
            usage.lapses().forEach(line -> lines.add("  " + line));
        }
        Block block = block(explained);
        if (block != null) {
            lines.add("the caller is blocked " + BlockedCallers.end(block, nowMillis));
        }
        return lines;
    }

    private @Nullable Block block(Explanation explained) {
        return explained.tier().block() == null
                ? null
                : blocks.get(explained.key().withoutWindow());
    }

    /** Describes whether the next call with the same properties passes, and why. */
    List<String> verdict(ExplainedCall.SeenCall call) {
        List<String> refusing = new ArrayList<>();
        List<String> dry = new ArrayList<>();
        @Nullable Explanation nearest = null;
        for (Explanation one : call.explanations()) {
            StoredUsage usage = usages.get(one.key());
            Block block = block(one);
            if (block != null && one.endpoint().mode() == Mode.ENFORCE && !isExempt(one, call.plans())) {
                refusing.add(one.endpoint().id() + ", tier " + one.tier().name() + ": the caller is blocked "
                        + BlockedCallers.end(block, nowMillis));
                continue;
            }
            if (usage == null || isExempt(one, call.plans())) {
                continue;
            }
            long cost = Math.max(1, call.cost(one.endpoint(), one.tier()));
            if (usage.refuses(cost)) {
                (one.endpoint().mode() == Mode.DRY_RUN ? dry : refusing).add(why(one, usage, cost));
            } else if (nearest == null || usage.percent() > percent(nearest)) {
                nearest = one;
            }
        }
        List<String> lines = new ArrayList<>();
        if (!refusing.isEmpty()) {
            lines.add("The next such call is refused:");
            refusing.forEach(line -> lines.add("  by " + line));
        } else {
            lines.add("The next such call passes"
                    + Optional.ofNullable(nearest)
                            .map(one -> ". The limit with the smallest fraction left is " + limit(one, call))
                            .orElse("")
                    + ".");
        }
        dry.forEach(line -> lines.add("  without the dry run, it would be refused by " + line));
        return lines;
    }

    private static boolean isExempt(Explanation one, Plans plans) {
        Plan plan = plans.byName().get(one.plan());
        return (one.client() != null && one.client().exempt()) || (plan != null && plan.exempt());
    }

    private long percent(Explanation one) {
        StoredUsage usage = usages.get(one.key());
        return usage == null ? 0 : usage.percent();
    }

    private static String limit(Explanation one, ExplainedCall.SeenCall call) {
        return one.endpoint().id() + ", tier " + one.tier().name() + ", where it costs "
                + call.cost(one.endpoint(), one.tier());
    }

    private static String why(Explanation one, StoredUsage usage, long cost) {
        String limit = one.endpoint().id() + ", tier " + one.tier().name();
        return cost > one.tier().most()
                ? limit + ": " + DecisionNotes.neverPasses(cost, one.tier())
                : limit + ": it costs " + cost + ", and " + usage.left() + " of "
                        + one.tier().limit().capacity() + " are left; a retry passes in "
                        + TimeText.span(usage.retryMillis(cost));
    }
}
