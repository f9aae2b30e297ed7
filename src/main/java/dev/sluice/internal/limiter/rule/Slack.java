package dev.sluice.internal.limiter.rule;

import dev.sluice.tier.Sync;

/**
 * How many permits an instance may use before the store has granted them. All instances together have at most half of what is
 * left as far as known. So the more instances there are, the less each of them has, and near the limit none has any.
 *
 * <p>A limit is <i>calm</i> if at the pace of the fleet less than three quarters of it get used. There, instances together have
 * all that is left. In a large fleet, what is known of a limit that is not calm is soon outdated: an instance that is not called
 * any more gives its slack up, and has none at the beginning of the next window.
 *
 * @param most the most of one instance, by {@code sync.slack}
 * @param limit the permits of the whole limit
 * @param startMillis when the window begins; 0 without windows
 * @param endMillis when the window ends
 */
public record Slack(long most, long limit, long startMillis, long endMillis) {

    /** A fleet of more instances is large. */
    private static final int LARGE = 20;

    private static final double CALM = 0.75;

    /** So small a part of the window is added to what has passed of it: its first calls say little of the pace. */
    private static final int PACE_DIVISOR = 50;

    /** Slack of so small a part of the most was cut. */
    private static final int CUT_DIVISOR = 8;

    /** The slack of a window. */
    public static Slack of(Sync sync, long limit, long startMillis, long endMillis) {
        return new Slack(sync.slackOf(limit), limit, startMillis, endMillis);
    }

    /**
     * Before the store has answered for this counter. In a large fleet, others may have used it up by then.
     *
     * @param wasCalm whether it was calm in the window before
     */
    public long atFirst(FleetUsage usage, boolean wasCalm, int instances, long nowMillis) {
        boolean isTrusted = wasCalm || instances <= LARGE;
        return isTrusted ? part(usage, wasCalm ? instances : 2L * instances, nowMillis) : 0;
    }

    /** After an answer. Instances that have just come are not known yet, so a small fleet counts as the largest small one. */
    public long after(FleetUsage usage, boolean isCalm, int instances, long nowMillis) {
        return part(usage, Math.max(2L * LARGE, isCalm ? instances : 2L * instances), nowMillis);
    }

    private long part(FleetUsage usage, long parts, long nowMillis) {
        return Math.min(most, Math.max(0, usage.left(nowMillis)) / parts);
    }

    /** Whether an instance that is not called any more gives its slack up. */
    public boolean endsWhenQuiet(boolean isCalm, int instances) {
        return !isCalm && instances > LARGE;
    }

    /** Whether this is so much less than the most that asking for the next one would take a statement a call. */
    public boolean isCut(long slack) {
        return slack <= most / CUT_DIVISOR;
    }

    /** Whether it is less than the most, since there are many instances or little is left. */
    public boolean isDivided(long slack) {
        return slack > 0 && slack < most;
    }

    /** Whether the limit is calm, by an answer of that moment. */
    public boolean isCalm(FleetUsage usage, long nowMillis) {
        long used = limit - usage.left(nowMillis);
        if (startMillis == 0) {
            return used <= CALM * limit;
        }
        long length = endMillis - startMillis;
        long passed = nowMillis - startMillis + length / PACE_DIVISOR;
        return (double) used * length / passed <= CALM * limit;
    }
}
