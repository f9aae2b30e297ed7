package dev.sluice.limiter.account;

import dev.sluice.limiter.balance.Moment;

/**
 * Tracks the calls here that wait for permits which other instances hold, and the demand of other instances for permits
 * held here. Not safe for several threads.
 */
public final class Recall {

    /** The pauses between repeated recalls: holders were notified already. */
    private static final long[] PAUSES_NANOS = {1_000_000, 2_000_000, 5_000_000, 10_000_000};

    /** How long permits that were granted to waiting calls are left to them. */
    private static final long GRANTED_NANOS = 1_000_000;

    private long waitingSinceNanos;
    private boolean waits;
    private long sinceMillis;
    private int pauses;
    private long askAgainNanos;
    /** How often others demanded permits, and the same when the claim under way was made. */
    private int demands;

    private int demandsAtClaim;
    private boolean demanded;
    private long demandedNanos;
    private long grantedNanos;

    Recall(Moment now) {
        this.grantedNanos = now.nanos() - GRANTED_NANOS;
        this.askAgainNanos = now.nanos();
    }

    // ---- Calls that wait here

    /** Records that calls wait now. */
    public void waitsNow(Moment now) {
        if (!waits) {
            waits = true;
            waitingSinceNanos = now.nanos();
            askAgainNanos = now.nanos();
            pauses = 0;
            sinceMillis = 0;
        }
    }

    /** Records that no call waits. */
    public void waitsNoMore() {
        waits = false;
        sinceMillis = 0;
    }

    public boolean isWaiting() {
        return waits;
    }

    /** Whether calls wait and the store has not answered for them yet. */
    public boolean isUnanswered() {
        return waits && sinceMillis == 0;
    }

    /** Since when calls wait. */
    public long waitingSinceNanos() {
        return waitingSinceNanos;
    }

    /** When the store was first asked for these calls, by its clock; 0 if it was not. */
    long sinceMillis() {
        return sinceMillis;
    }

    /** When the store can be asked, or demanded permits returned. */
    public long askNanos() {
        return demanded ? grantedNanos + GRANTED_NANOS : askAgainNanos;
    }

    /** News of other instances: asks at once. */
    public void askNow(Moment now) {
        askAgainNanos = now.nanos();
    }

    /**
     * The store answered: other instances hold what is needed, or not.
     *
     * @param taken how much of the grant waiting calls took already
     */
    void answered(boolean heldElsewhere, long granted, long taken, Moment now) {
        if (granted > 0) {
            waitingSinceNanos = now.nanos();
        }
        if (granted > taken) {
            grantedNanos = now.nanos();
        }
        demanded = demands != demandsAtClaim;
        if (heldElsewhere && waits) {
            sinceMillis = sinceMillis == 0 ? now.millis() : sinceMillis;
            askAgainNanos = now.nanos() + PAUSES_NANOS[Math.min(pauses, PAUSES_NANOS.length - 1)];
            pauses++;
        } else {
            reset(now);
        }
    }

    /** The timeout has passed. */
    void giveUp(Moment now) {
        waits = false;
        reset(now);
    }

    private void reset(Moment now) {
        sinceMillis = 0;
        pauses = 0;
        askAgainNanos = now.nanos();
    }

    // ---- Calls that wait elsewhere

    /** Another instance needs what is held here. */
    public void demand(Moment now) {
        demanded = true;
        demands++;
        demandedNanos = now.nanos();
    }

    /** The claim that is being made returns what has been demanded so far; later demands stay open. */
    void claimed() {
        demandsAtClaim = demands;
    }

    /** Whether what is held should be returned now. */
    public boolean isDemanded() {
        return demanded;
    }

    /** Whether others demanded permits within this time, so that nothing is taken ahead. */
    boolean isRecent(long millis, Moment now) {
        return demands > 0 && !now.isAfter(demandedNanos, millis);
    }
}
