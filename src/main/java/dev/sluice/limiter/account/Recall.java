package dev.sluice.limiter.account;

import dev.sluice.limiter.balance.Moment;

/**
 * The state of calls that wait for permits which other instances hold, and of others' calls that wait for permits which
 * are held here. For one thread.
 */
public final class Recall {

    /** Those who hold some have been told; they are asked about again after so long, at most so often. */
    private static final long[] PAUSES_NANOS = {1_000_000, 2_000_000, 5_000_000, 10_000_000};

    /** Permits that were granted to waiting calls are left to them for so long. */
    private static final long GRANTED_NANOS = 1_000_000;

    private long waitingSinceNanos;
    private boolean waits;
    private long sinceMillis;
    private int pauses;
    private long askAgainNanos;
    /** How often others have asked, and how often they had when the claim under way was made. */
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

    /** Calls wait, now. */
    public void waitsNow(Moment now) {
        if (!waits) {
            waits = true;
            waitingSinceNanos = now.nanos();
            askAgainNanos = now.nanos();
            pauses = 0;
            sinceMillis = 0;
        }
    }

    /** No call waits. */
    public void waitsNoMore() {
        waits = false;
        sinceMillis = 0;
    }

    public boolean isWaiting() {
        return waits;
    }

    /** Whether calls wait, and the store has told nothing of them yet. */
    public boolean isUnanswered() {
        return waits && sinceMillis == 0;
    }

    /** Since when calls wait. */
    public long waitingSinceNanos() {
        return waitingSinceNanos;
    }

    /** When the store was first asked for those calls, by its clock; 0 if it was not. */
    long sinceMillis() {
        return sinceMillis;
    }

    /** When the store can be asked, or what is demanded returned. */
    public long askNanos() {
        return demanded ? grantedNanos + GRANTED_NANOS : askAgainNanos;
    }

    /** News of other instances: it is worth asking at once. */
    public void askNow(Moment now) {
        askAgainNanos = now.nanos();
    }

    /**
     * The store has answered: others hold what is needed, or not.
     *
     * @param taken how much of what was granted waiting calls have taken already
     */
    public void heard(boolean heldElsewhere, long granted, long taken, Moment now) {
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
            begin(now);
        }
    }

    /** Nobody has answered in time. */
    public void giveUp(Moment now) {
        waits = false;
        begin(now);
    }

    private void begin(Moment now) {
        sinceMillis = 0;
        pauses = 0;
        askAgainNanos = now.nanos();
    }

    // ---- Others' calls that wait

    /** Another instance needs what is held here. */
    public void demand(Moment now) {
        demanded = true;
        demands++;
        demandedNanos = now.nanos();
    }

    /** What is demanded now is returned with the claim that is being made; what is demanded later is not. */
    public void claimed() {
        demandsAtClaim = demands;
    }

    /** Whether what is held is to be returned now. */
    public boolean isDemanded() {
        return demanded;
    }

    /** Whether others needed what was held here within this time, so that nothing is taken ahead. */
    boolean isRecent(long millis, Moment now) {
        return demands > 0 && !now.isAfter(demandedNanos, millis);
    }
}
