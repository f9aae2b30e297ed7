package dev.sluice.internal.config.tier;

import dev.sluice.Cost;
import dev.sluice.internal.config.value.Durations;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Limit.Concurrency.Scope;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.List;

/** Checks the tiers of one endpoint against each other. */
public final class TierChecks {

    /**
     * The largest threshold of a log that causes no warning. If the threshold is larger, the log occupies more than a
     * megabyte per caller.
     */
    private static final long LARGE_LOG = 10_000;

    /** The number of bytes that Redis needs for one log entry. */
    private static final long BYTES_OF_A_TIME = 140;

    private TierChecks() {}

    public static void check(List<PositionedTier> tiers, Findings findings) {
        for (PositionedTier tier : tiers) {
            if (tier.tier().limit() instanceof Limit.LeakyBucket bucket && bucket.mostQueued() < bucket.queue()) {
                warnOfIdleQueue(bucket, tier.position(), findings);
            }
            if (tier.tier().limit() instanceof Limit.SlidingLog log && log.threshold() > LARGE_LOG) {
                warnOfLargeLog(log, tier.position(), findings);
            }
            for (PositionedTier other : tiers) {
                if (!sameName(tier, other) && isImplied(tier.tier().limit(), other.tier())) {
                    findings.add(
                            ProblemCode.IDLE_TIER,
                            tier.position(),
                            "this tier (" + text(tier) + ") has no effect: the tier in "
                                    + other.position().seenFrom(tier.position()) + " (" + text(other)
                                    + ") already refuses every call that this one would refuse; remove it, or change "
                                    + "one of the two");
                    break;
                }
            }
        }
        for (int i = 0; i < tiers.size(); i++) {
            refuseSecondOfName(tiers.get(i), tiers.subList(0, i), findings);
        }
    }

    /**
     * Warns about a queue that never fills up, because the last call in a full queue would exceed {@code maxQueueTime}.
     */
    private static void warnOfIdleQueue(Limit.LeakyBucket bucket, FilePosition position, Findings findings) {
        double longest = Math.ceil((double) bucket.queue() * bucket.period().toMillis() / bucket.threshold());
        String longer = longest > LimitKeys.LONGEST_QUEUE_TIME.toMillis()
                ? ""
                : ", or maxQueueTime: " + Durations.shortest(Duration.ofMillis((long) longest));
        findings.add(
                ProblemCode.IDLE_QUEUE,
                position,
                "a queue of " + bucket.queue() + " never fills up: at most " + bucket.mostQueued()
                        + (bucket.mostQueued() == 1 ? " call" : " calls")
                        + " can be queued, because a call is queued for at most "
                        + Durations.shortest(bucket.maxQueueTime()) + " and "
                        + bucket.threshold() + " proceed in " + Durations.shortest(bucket.period()) + "; write queue: "
                        + bucket.mostQueued() + longer);
    }

    /** Warns if each caller's counter becomes large, because the log remembers many calls. */
    private static void warnOfLargeLog(Limit.SlidingLog log, FilePosition position, Findings findings) {
        long tenths = log.threshold() * BYTES_OF_A_TIME / 100_000;
        findings.add(
                ProblemCode.LARGE_LOG,
                position,
                "a sliding-log remembers the time of each call, so with a threshold of " + log.threshold()
                        + ", each caller's counter takes up to " + tenths / 10 + "." + tenths % 10
                        + " MB in the store; write algorithm: sliding-window with subWindows: 10, which is nearly as "
                        + "exact, or a threshold of at most " + LARGE_LOG);
    }

    /**
     * Reports tiers that no call can pass because each call costs more than the tier ever allows. At a
     * {@code concurrency} limit, each call takes only one slot, regardless of its cost.
     *
     * @param each the cost of each call. If a header or argument specifies the cost, this is the cost of a call without
     *     the header or argument
     */
    public static void checkCost(Cost cost, long each, List<PositionedTier> tiers, Findings findings) {
        String calls = "no call"
                + (cost.each() > 0
                        ? ""
                        : cost.name().startsWith("header:") ? " without its header" : " without its argument");
        for (PositionedTier tier : tiers) {
            if (each > tier.tier().most() && tier.tier().limit().hasPeriod()) {
                findings.add(
                        ProblemCode.COST_NEVER_PASSES,
                        tier.position(),
                        calls + " can pass, because each costs " + each + ", but this tier (" + text(tier)
                                + ") allows at most " + tier.tier().most() + "; raise the threshold");
            }
        }
    }

    private static String text(PositionedTier tier) {
        return TierNotation.text(tier.tier().limit());
    }

    private static void refuseSecondOfName(PositionedTier tier, List<PositionedTier> earlier, Findings findings) {
        for (PositionedTier other : earlier) {
            if (sameName(tier, other)) {
                findings.add(
                        ProblemCode.SAME_PERIOD,
                        tier.position(),
                        "the tier in " + other.position().seenFrom(tier.position()) + " has the same "
                                + alike(tier.tier().limit()) + "; keep the stricter one");
                return;
            }
        }
    }

    private static String alike(Limit limit) {
        return limit.hasPeriod() ? "period and algorithm" : "algorithm and scope";
    }

    private static boolean sameName(PositionedTier one, PositionedTier other) {
        return one.tier().name().equals(other.tier().name());
    }

    /**
     * Whether {@code other} refuses every call that {@code limit} would refuse. {@link BurstBound} determines this for
     * all algorithms. For some pairs of algorithms, this method uses a tighter bound.
     */
    private static boolean isImplied(Limit limit, Tier other) {
        if (limit instanceof Limit.Concurrency servers && other.limit() instanceof Limit.Concurrency fleet) {
            return servers.scope() == Scope.SERVER
                    && fleet.scope() == Scope.FLEET
                    && servers.threshold() >= other.most();
        }
        if (limit instanceof Limit.FixedWindow own && other.limit() instanceof Limit.FixedWindow windows) {
            // The divisor is the maximum number of the other tier's windows that one window of this tier can overlap.
            return limit.threshold() / own.windows().mostOverlapped(windows.windows()) >= other.most();
        }
        if (limit instanceof Limit.SlidingLog log && other.limit() instanceof Limit.FixedWindow windows) {
            // A span of the log can begin inside a window. It can therefore overlap one window more than its length
            // requires.
            long touched = spansCovering(log.period(), windows.windows().shortest()) + 1;
            return limit.threshold() / touched >= other.most();
        }
        if (other.limit() instanceof Limit.SlidingLog log && isWindowOrLog(limit)) {
            // The other tier admits at most its threshold in any span, so we count the spans that cover the period.
            Duration longest =
                    limit instanceof Limit.FixedWindow own ? own.windows().longest() : limit.period();
            return limit.threshold() / spansCovering(longest, log.period()) >= other.most();
        }
        return BurstBound.of(other).within(limit);
    }

    private static boolean isWindowOrLog(Limit limit) {
        return limit instanceof Limit.FixedWindow || limit instanceof Limit.SlidingLog;
    }

    /** Returns the number of spans of length {@code one} that are needed to cover {@code whole}. */
    private static long spansCovering(Duration whole, Duration one) {
        return -Math.floorDiv(-whole.toMillis(), one.toMillis());
    }
}
