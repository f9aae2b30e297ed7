package dev.sluice.cli.fleet;

import dev.sluice.CounterKey;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.output.CountText;
import dev.sluice.cli.output.TimeText;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.internal.limiter.rule.FleetUsage;
import dev.sluice.internal.limiter.rule.SharedLimit;
import dev.sluice.internal.limiter.rule.SharedLimits;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.admin.LiveCounters.Look;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.LimiterDiagnostics.Account.Unresponsive;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.List;

/**
 * The usage of one counter in the store.
 *
 * @param key the key of the counter
 * @param used the number of permits that were taken by calls that passed and still count
 * @param given the number of calls that operators have allowed beyond the limit in this window
 * @param held the number of permits that instances hold for further calls
 * @param left the number of permits that are neither used nor held
 * @param unresponsive the permits that count as used because an unresponsive instance held them. The instance that has
 *     been unresponsive for the longest time comes first
 * @param usage the same figures, in the form that the limiter computes
 * @param nowMillis the time when the counter was read, measured by the store's clock
 */
public record StoredUsage(
        CounterKey key,
        Tier tier,
        long used,
        long given,
        long held,
        long left,
        List<Unresponsive> unresponsive,
        FleetUsage usage,
        long nowMillis) {

    private static final int MOST_UNRESPONSIVE = 3;
    private static final int LONGEST_NAME = 80;

    /** A counter and its limit. */
    public record Asked(CounterKey key, Tier tier) {}

    /** Whether the counters of this tier are in the store. For some concurrency limits, each instance counts alone. */
    public static boolean isShared(Tier tier) {
        return tier.limit().isFleetWide();
    }

    /** Reads these counters without changing them. */
    public static List<StoredUsage> of(StoreConnection store, List<Asked> asked, long nowMillis, boolean withHeld) {
        List<LiveCounter> counters = asked.stream()
                .map(one -> new LiveCounter(one.key, limit(one).rule()))
                .toList();
        List<Look> looks = store.counters(source -> source.look(counters, nowMillis, withHeld));
        List<StoredUsage> usages = new ArrayList<>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            Look look = looks.get(i);
            Grant grant = look.grant();
            FleetUsage usage = limit(asked.get(i)).usageAfter(grant, nowMillis);
            Tier tier = asked.get(i).tier();
            long left = usage.left(nowMillis);
            long given = grant.given();
            long used = Math.max(0, tier.most() + given - left - grant.elsewhere());
            usages.add(new StoredUsage(
                    asked.get(i).key(),
                    tier,
                    used,
                    given,
                    grant.elsewhere(),
                    Math.max(0, left),
                    used == 0 ? List.of() : look.unresponsive(counters.get(i), nowMillis),
                    usage,
                    nowMillis));
        }
        return usages;
    }

    private static SharedLimit limit(Asked one) {
        return SharedLimits.of(one.tier, one.key.start(), one.key.end());
    }

    /** Returns the time until the whole limit is available again. */
    public long resetMillis() {
        return Math.max(0, usage.resetMillis(nowMillis));
    }

    /** Returns the time until a call of this cost can pass, provided that no other calls arrive. */
    public long retryMillis(long cost) {
        return Math.max(0, usage.millisUntil(cost, nowMillis));
    }

    /** Whether a call of this cost would be refused even if instances returned the permits that they hold. */
    public boolean refuses(long cost) {
        return left + held < cost;
    }

    /** Returns the percentage of the limit that is used or held. */
    public long percent() {
        return Math.round((used + held) * 100.0 / (tier.limit().capacity() + given));
    }

    /** Describes the usage, for example {@code 312 of 1000 used, 40 held by instances, 648 left, full reset in 4s}. */
    public String text() {
        long limit = tier.limit().capacity();
        String again = !tier.limit().hasPeriod() || resetMillis() == 0
                ? ""
                : ", full reset in " + TimeText.span(resetMillis());
        String beyond = tier.maxOverage() == 0 ? "" : " (with " + tier.maxOverage() + " beyond the limit)";
        String more = given == 0 ? "" : " and " + given + " given";
        return used + " of " + limit + " used" + more + ", " + held + " held by instances, " + left + " left" + beyond
                + again;
    }

    /**
     * Describes permits that count as used even though they might be unused, for example {@code 3 count as used:
     * instance shop-2 held them, and has been unresponsive since 2026-11-23T13:00:00Z}. Usually, the list is empty.
     */
    public List<String> lapses() {
        List<String> lines = new ArrayList<>();
        unresponsive.stream()
                .limit(MOST_UNRESPONSIVE)
                .forEach(one -> lines.add(one.permits() + (one.permits() == 1 ? " counts" : " count")
                        + " as used: instance "
                        + SafeText.cut(one.instance(), LONGEST_NAME) + " held " + (one.permits() == 1 ? "it" : "them")
                        + ", and has been unresponsive since "
                        + TimeText.moment(one.since().toEpochMilli())));
        if (unresponsive.size() > MOST_UNRESPONSIVE) {
            List<Unresponsive> more = unresponsive.subList(MOST_UNRESPONSIVE, unresponsive.size());
            lines.add(more.stream().mapToLong(Unresponsive::permits).sum() + " more, of "
                    + CountText.of(more.size(), "other instance"));
        }
        return lines;
    }
}
