package dev.sluice.limiter;

import dev.sluice.Sync;
import dev.sluice.Tier;
import dev.sluice.algorithm.TakeAhead;

/**
 * What calls are to be expected here in one shared window, from those seen so far in it and in the windows before, and how much to take
 * for them. The background's alone.
 */
final class Demand {

    private static final long RUNS_LOW_MILLIS = 20;

    /** The part of all calls that came here before is believed as if so much of the limit had been dealt out by it. */
    private static final double SUPPOSED = 0.05;

    private static final double LEAST_PART = 0.001;

    /** Where nothing is known of the calls, so many intervals' part of the limit are taken first, to see their rate before it runs low. */
    private static final double FIRST_INTERVALS = 0.5;

    /** Of a short period, it is no more than this part, so that others who come at the same time find some. */
    private static final double FIRST_PART = 0.05;

    private final Sync sync;
    private final long periodMillis;
    private final long most;
    private final Habits habits;
    private final double partBefore;

    private long usedBefore;
    private long lookedAtMillis;

    /** Of a window that is looked after from this moment on. */
    Demand(Tier tier, Habits habits, long sinceMillis) {
        this.sync = tier.sync();
        this.periodMillis = tier.limit().period().toMillis();
        this.most = tier.most();
        this.habits = habits;
        this.partBefore = habits.part;
        this.lookedAtMillis = sinceMillis;
    }

    /** Whether any calls are expected. */
    boolean isAny() {
        return habits.rate > 0;
    }

    /**
     * Calls have used so much of the window by now.
     *
     * @param inHand what there is for further calls; a window that has nothing and is not used tells nothing of who would call
     * @param rushed whether a call has asked, because what was in hand ran low before its time
     */
    void learn(long used, long inHand, boolean rushed, long nowMillis) {
        long elapsed = nowMillis - lookedAtMillis;
        if (elapsed <= 0 || (inHand == 0 && used == usedBefore)) {
            return;
        }
        long admitted = Math.max(0, used - usedBefore);
        habits.rate = rushed || inHand == 0
                ? TakeAhead.rateOfRush(habits.rate, admitted, elapsed)
                : TakeAhead.rate(
                        habits.rate, admitted, elapsed, 2 * sync.every().toMillis());
        usedBefore = used;
        lookedAtMillis = nowMillis;
    }

    /**
     * The part of all calls that comes here, as far as can be seen: what came here before counts until there is more to go by.
     *
     * @param ours what the store has dealt out to us
     * @param total what it has dealt out to all, as far as that can be known
     */
    double part(long ours, long total) {
        double supposed = SUPPOSED * most;
        double part = (ours + supposed * partBefore) / (Math.max(0, total) + supposed);
        return Math.max(LEAST_PART, Math.min(1, part));
    }

    /** The next window begins with this part. */
    void remember(double part) {
        habits.part = part;
    }

    /** What is to be expected until the next exchange, and what there is for it; no calls where each one is to ask for itself. */
    TakeAhead ahead(long untilEndMillis, long left, double part) {
        double rate = sync.strict() ? 0 : habits.rate;
        return new TakeAhead(rate, sync.every().toMillis(), untilEndMillis, Math.max(0, left), part);
    }

    /** What to want before the store has been heard: as much as would be lent, and where nothing is known of the calls, enough to see their rate. */
    long firstShare() {
        if (sync.strict()) {
            return 0;
        }
        return Math.max(1, Math.max(sync.slackOf(most), isAny() ? 0 : shareOfUnknown()));
    }

    private long shareOfUnknown() {
        double intervals = (double) periodMillis / sync.every().toMillis();
        return (long) (most * Math.min(FIRST_INTERVALS / intervals, FIRST_PART));
    }

    /** With so much in hand, or less, it is time to ask for more; of a small share half is used first. */
    long lowWater(long share) {
        long low = Math.max(1, (long) Math.ceil(habits.rate * RUNS_LOW_MILLIS));
        return Math.min(low, Math.max(1, share / 2));
    }
}
