package dev.sluice.config;

import dev.sluice.Cost;
import dev.sluice.Limit;
import dev.sluice.Tier;
import java.util.List;

/** What is wrong or doubtful about the tiers of one endpoint beside each other. */
final class TierChecks {

    private TierChecks() {}

    static void check(List<PlacedTier> tiers, Findings findings) {
        for (PlacedTier tier : tiers) {
            for (PlacedTier other : tiers) {
                if (!samePeriod(tier, other)
                        && isImplied(tier.tier().limit(), other.tier().limit())) {
                    findings.add(
                            Code.IDLE_TIER,
                            tier.place(),
                            "this tier (" + tier.allowance() + ") decides nothing: the tier in line "
                                    + other.place().line() + " (" + other.allowance()
                                    + ") refuses every call that it would refuse; remove it, or change one of the two");
                    break;
                }
            }
        }
        for (int i = 0; i < tiers.size(); i++) {
            refuseSecondOfPeriod(tiers.get(i), tiers.subList(0, i), findings);
        }
    }

    /** Where each call costs more than a tier ever has, none passes. */
    static void checkCost(Cost cost, List<PlacedTier> tiers, Findings findings) {
        long each = cost.each();
        for (PlacedTier tier : tiers) {
            if (each > 1 && each > mostAtOnce(tier.tier())) {
                findings.add(
                        Code.COST_NEVER_PASSES,
                        tier.place(),
                        "no call can pass, since each costs " + each + " and this tier (" + tier.allowance()
                                + ") never has more than " + mostAtOnce(tier.tier()) + "; raise the threshold");
            }
        }
    }

    private static long mostAtOnce(Tier tier) {
        return tier.limit() instanceof Limit.TokenBucket bucket ? bucket.burst() : tier.most();
    }

    private static void refuseSecondOfPeriod(PlacedTier tier, List<PlacedTier> earlier, Findings findings) {
        for (PlacedTier other : earlier) {
            if (samePeriod(tier, other)) {
                findings.add(
                        Code.SAME_PERIOD,
                        tier.place(),
                        "the tier in line " + other.place().line()
                                + " has the same period and algorithm; keep the stricter one");
                return;
            }
        }
    }

    private static boolean samePeriod(PlacedTier one, PlacedTier other) {
        Limit a = one.tier().limit();
        Limit b = other.tier().limit();
        return a.period().equals(b.period()) && a.algorithm().equals(b.algorithm());
    }

    /** Whether what {@code other} lets pass never reaches {@code limit}, or only when {@code other} is exhausted too. */
    private static boolean isImplied(Limit limit, Limit other) {
        if (!(limit instanceof Limit.FixedWindow) || !(other instanceof Limit.FixedWindow)) {
            return false;
        }
        return limit.threshold()
                        / windowsTouched(
                                limit.period().toMillis(), other.period().toMillis())
                >= other.threshold();
    }

    /** In how many windows of {@code other} milliseconds a window of {@code length} can lie at most, both aligned to the epoch. */
    private static long windowsTouched(long length, long other) {
        if (length % other == 0) {
            return length / other;
        }
        return other % length == 0 ? 1 : length / other + 2;
    }
}
