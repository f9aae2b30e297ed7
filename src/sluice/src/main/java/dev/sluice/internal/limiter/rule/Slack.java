package dev.sluice.internal.limiter.rule;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.CALM;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.CUT_SLACK_DIVISOR;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.EARLY_PACE_DIVISOR;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LARGE_FLEET_FOR_SLACK;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.SLACK_DIVISOR;

import dev.sluice.tier.Tier;

/**
 * The number of permits that an instance may use before the store has granted them. The slack of all instances together
 * is at most half of the permits that are known to remain. Therefore, each instance has less slack in a larger fleet,
 * and no instance has any slack near the limit. Immutable.
 *
 * <p>A limit is <i>calm</i> if the fleet, at its current pace, uses less than three quarters of it. For calm limits,
 * the slack of all instances together can amount to all remaining permits. In a large fleet, knowledge about other
 * limits soon becomes outdated. For such limits, an instance without calls gives up its slack and has no slack at the
 * beginning of the next window. The purpose of this rule is to keep the number of calls that exceed busy limits small.
 *
 * <p>For example, no call exceeded a limit of 1,000 when 500 instances received 1,200 simultaneous calls. When new
 * callers immediately had slack, 135 calls exceeded it. Similarly, no call exceeded the limit when 100 instances
 * received 450 calls three times, with pauses in between. When instances kept their slack during the pauses, 14 calls
 * exceeded it.
 *
 * @param most the maximum slack of one instance, according to {@code sync.slack}
 * @param limit the permits of the whole limit
 * @param startMillis the time when the window begins; 0 if the limit has no windows
 * @param endMillis the time when the window ends
 */
public record Slack(long most, long limit, long startMillis, long endMillis) {

    /** Returns the slack for a window. Overage does not increase the slack. */
    public static Slack of(Tier tier, long limit, long startMillis, long endMillis) {
        return new Slack(tier.sync().slackOf(tier.limit().capacity()), limit, startMillis, endMillis);
    }

    /**
     * Returns the slack before the store has answered for this counter. In a large fleet, other instances might already
     * have used up the limit.
     *
     * @param wasCalm whether the limit was calm in the previous window
     */
    public long atFirst(FleetUsage usage, boolean wasCalm, int instances, long nowMillis) {
        boolean isTrusted = wasCalm || instances <= LARGE_FLEET_FOR_SLACK;
        return isTrusted ? part(usage, wasCalm ? instances : SLACK_DIVISOR * instances, nowMillis) : 0;
    }

    /**
     * Returns the slack after an answer. The known number of instances might be outdated if some have just started. The
     * slack is therefore computed for a fleet of at least {@code LARGE_FLEET_FOR_SLACK} instances.
     */
    public long after(FleetUsage usage, boolean isCalm, int instances, long nowMillis) {
        return part(
                usage,
                Math.max(SLACK_DIVISOR * LARGE_FLEET_FOR_SLACK, isCalm ? instances : SLACK_DIVISOR * instances),
                nowMillis);
    }

    private long part(FleetUsage usage, long parts, long nowMillis) {
        return Math.min(most, Math.max(0, usage.left(nowMillis)) / parts);
    }

    /** Whether an instance without calls gives up its slack. */
    public boolean endsWhenQuiet(boolean isCalm, int instances) {
        return !isCalm && instances > LARGE_FLEET_FOR_SLACK;
    }

    /** Whether there is so little slack that requesting more would require a statement for each call. */
    public boolean isCut(long slack) {
        return slack <= most / CUT_SLACK_DIVISOR;
    }

    /** Whether the slack is below its maximum, because there are many instances or few permits remain. */
    public boolean isDivided(long slack) {
        return slack > 0 && slack < most;
    }

    /** Whether the limit is calm according to an answer that the store gave at the given time. */
    public boolean isCalm(FleetUsage usage, long nowMillis) {
        long used = limit - usage.left(nowMillis);
        if (startMillis == 0) {
            return used <= CALM * limit;
        }
        long length = endMillis - startMillis;
        long passed = nowMillis - startMillis + length / EARLY_PACE_DIVISOR;
        return (double) used * length / passed <= CALM * limit;
    }
}
