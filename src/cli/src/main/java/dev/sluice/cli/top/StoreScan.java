package dev.sluice.cli.top;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.Endpoint;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.fleet.BlockedCallers;
import dev.sluice.cli.fleet.CallerFilter;
import dev.sluice.cli.fleet.EffectiveTiers;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.fleet.PossibleCounters;
import dev.sluice.cli.fleet.ServiceFileOption;
import dev.sluice.cli.fleet.StoredUsage;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.instance.report.ReportedRefusals;
import dev.sluice.internal.instance.report.ReportedRefusals.RefusedCaller;
import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.ClientOverride;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.CallerNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Reads all counters in a store once, in steps, but stops when the time is up. Stores only the counters that fit into
 * the tables. Not thread-safe.
 */
final class StoreScan {

    /** Sorts callers by their number of refusals. Callers that were refused only in a dry run come last. */
    private static final Comparator<RefusedCaller> BY_REFUSALS = Comparator.comparingLong(RefusedCaller::refused)
            .thenComparingLong(RefusedCaller::wouldRefuse)
            .reversed()
            .thenComparing(RefusedCaller::endpoint)
            .thenComparing(one -> one.subjects().toString());

    private final StoreConnection store;
    private final ServiceFileOption serviceFile;
    private final CallerFilter filter;
    private final int rows;
    private final Duration longest;

    private final Map<String, Known> limits = new HashMap<>();
    private long nowMillis;
    private long looked;
    private long unknown;

    /** An endpoint in force, and the tiers that apply to callers there. */
    private record Known(Endpoint endpoint, EffectiveTiers effective) {}

    StoreScan(StoreConnection store, ServiceFileOption serviceFile, CallerFilter filter, int rows, Duration longest) {
        this.store = store;
        this.serviceFile = serviceFile;
        this.filter = filter;
        this.rows = rows;
        this.longest = longest;
    }

    Snapshot take() {
        long start = System.nanoTime();
        List<InstanceReport> instances = store.instances(Instances::all);
        List<FollowedFile> files = serviceFile.find(store, instances);
        learn(files, store.overrides(OverrideStore::all));
        nowMillis = store.counters(LiveCounters::nowMillis);
        NearestLimit nearest = new NearestLimit(rows);
        boolean isComplete = store.scan(
                () -> System.nanoTime() - start < longest.toNanos(),
                keys -> standings(keys).forEach(nearest::add));
        List<StoredUsage.Asked> asked = nearest.sorted().stream()
                .map(one -> new StoredUsage.Asked(one.key(), one.tier()))
                .toList();
        // The scan reads neither the instances' shares nor the given calls, because Redis stores them separately. For
        // the few counters in the table, reading them is cheap.
        List<StoredUsage> shown = asked.isEmpty()
                ? List.of()
                : StoredUsage.of(store, asked, nowMillis, true).stream()
                        .sorted(NearestLimit.BY_USE.reversed())
                        .toList();
        return new Snapshot(
                nowMillis,
                instances.size(),
                shown,
                plans(shown),
                refused(instances),
                blocked(),
                looked,
                unknown,
                names(files),
                isComplete);
    }

    private static CallerNames names(List<FollowedFile> files) {
        return subject -> files.stream()
                .map(file -> file.limits().plans().nameOf(subject))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /**
     * Collects the endpoints in force. If several files define the same endpoint, the file that is used by the most
     * instances wins.
     */
    private void learn(List<FollowedFile> files, List<StoredOverride> kept) {
        List<ClientOverride> overrides =
                kept.stream().map(StoredOverride::limit).toList();
        limits.clear();
        for (FollowedFile one : files) {
            EffectiveTiers effective = new EffectiveTiers(one.limits(), overrides);
            one.limits()
                    .endpoints()
                    .forEach(endpoint -> limits.putIfAbsent(endpoint.id(), new Known(endpoint, effective)));
        }
        filter.endpoint().ifPresent(this::check);
        looked = 0;
        unknown = 0;
    }

    private void check(String endpoint) {
        if (!limits.isEmpty() && !limits.containsKey(endpoint)) {
            String near = Nearest.to(endpoint, limits.keySet());
            throw new CommandFailure(
                    ExitCodes.UNKNOWN_NAME,
                    "there is no endpoint " + SafeText.cut(endpoint, 80)
                            + (near == null ? "" : "; did you mean " + SafeText.cut(near, 80) + "?"));
        }
    }

    private List<StoredUsage> standings(List<CounterKey> keys) {
        List<StoredUsage.Asked> asked = new ArrayList<>();
        for (CounterKey key : keys) {
            if (filter.takes(key)) {
                looked++;
                List<Tier> tiers = possible(key).stream()
                        .flatMap(found -> found.named(key.tier()).stream())
                        .filter(StoredUsage::isShared)
                        .distinct()
                        .toList();
                if (tiers.isEmpty()) {
                    unknown++;
                }
                for (Tier tier : tiers) {
                    if (isCurrent(key, tier)) {
                        asked.add(new StoredUsage.Asked(PossibleCounters.at(key, tier, nowMillis), tier));
                    }
                }
            }
        }
        return asked.isEmpty() ? List.of() : fitting(StoredUsage.of(store, asked, nowMillis, false));
    }

    /**
     * Returns the tiers that can apply to the caller. The list has several elements if the tiers depend on a plan that
     * becomes known only during a call.
     */
    private List<EffectiveTiers.Found> possible(CounterKey key) {
        Known limit = limits.get(key.endpoint());
        return limit == null ? List.of() : limit.effective.of(limit.endpoint, key.subjects());
    }

    /**
     * Chooses among several possible limits of a counter. Returns the smallest limit that is not exceeded or, if all
     * limits are exceeded, the largest one.
     */
    private static List<StoredUsage> fitting(List<StoredUsage> usages) {
        Map<CounterKey, StoredUsage> chosen = new LinkedHashMap<>();
        for (StoredUsage usage : usages) {
            chosen.merge(usage.key(), usage, (one, other) -> {
                boolean isSmaller = one.tier().most() <= other.tier().most();
                StoredUsage smaller = isSmaller ? one : other;
                boolean fits = smaller.used() + smaller.held() <= smaller.tier().most() + smaller.given();
                return fits == isSmaller ? one : other;
            });
        }
        return List.copyOf(chosen.values());
    }

    /** Formats the limit, for example {@code 50 by plan pro}. */
    private static String limit(EffectiveTiers.Found found, String tier) {
        String most = found.isExempt()
                ? "none"
                : found.named(tier)
                        .map(one -> String.valueOf(one.limit().capacity()))
                        .orElse("another tier");
        return most + " by " + found.planText();
    }

    /**
     * Returns a text for each counter whose limit depends on a plan that becomes known only during a call. The text
     * shows where the plan comes from, and the limit for each plan.
     */
    private Map<CounterKey, String> plans(List<StoredUsage> shown) {
        Map<CounterKey, String> plans = new HashMap<>();
        for (StoredUsage usage : shown) {
            List<EffectiveTiers.Found> possible = possible(usage.key());
            Known limit = limits.get(usage.key().endpoint());
            if (possible.size() > 1 && limit != null) {
                plans.put(
                        usage.key(),
                        limit.effective.planNamer(usage.key().subjects()) + "; the limit is "
                                + possible.stream()
                                        .map(found -> limit(found, usage.key().tier()))
                                        .collect(Collectors.joining(", ")));
            }
        }
        return plans;
    }

    /**
     * Whether the counter still affects decisions. A past frame does so as long as the sliding window covers a part of
     * it.
     */
    private boolean isCurrent(CounterKey key, Tier tier) {
        long lasts = tier.limit().frames() * (key.end() - key.start());
        return key.end() == 0 || key.end() + lasts > nowMillis;
    }

    /** Adds up the refusals that instances have reported. */
    private List<RefusedCaller> refused(List<InstanceReport> instances) {
        Map<List<Object>, RefusedCaller> sums = new LinkedHashMap<>();
        instances.stream()
                .flatMap(instance -> new ReportedRefusals(instance.refusals()).read().stream())
                .filter(one -> filter.takes(one.endpoint(), one.subjects()))
                .forEach(one -> sums.merge(List.of(one.endpoint(), one.subjects()), one, RefusedCaller::and));
        return sums.values().stream().sorted(BY_REFUSALS).limit(rows).toList();
    }

    private List<Block> blocked() {
        return BlockedCallers.of(store, filter, nowMillis).stream().limit(rows).toList();
    }
}
