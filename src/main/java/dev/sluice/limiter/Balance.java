package dev.sluice.limiter;

/**
 * What the store and this instance owe each other in one shared window.
 *
 * <p>The store's total holds what was granted to instances and what they spent beyond it. Ours of that is {@code credited}.
 * {@code lent} are permits that calls may use before the store has been heard: the slack, or more while it is away. Together they
 * are all permits that were ever put into the window, so what calls have used is {@code credited + lent - permits left}. From
 * that, two things follow: used beyond the credit is a debt, to be reported; credit beyond the use is a share in hand.
 *
 * <p>Kept by the background; calls go on taking from the window meanwhile.
 */
final class Balance {

    private final Window window;
    private final Window.Shared shared;
    private long credited;
    private long lent;
    /** What of the last claim was a debt. */
    private long paying;

    /** The balance of a window that has only just been born, with what it was lent. */
    Balance(Window window) {
        this.window = window;
        this.shared = window.shared();
        this.lent = window.opening;
    }

    /** What calls have used here. */
    long used() {
        return credited + lent - window.permits.number() + shared.unheard.get();
    }

    /** The share in hand; below zero a debt. */
    long held() {
        return credited - used();
    }

    long debt() {
        return Math.max(0, -held());
    }

    /** What the store has counted for us. */
    long credited() {
        return credited;
    }

    long lent() {
        return lent;
    }

    /** What the store counts for us once it has heard of the debt that is being reported. */
    long report(long debt) {
        paying = debt;
        return credited + debt;
    }

    /** The store has heard of the debt that was reported, and grants so much. */
    void settle(long granted) {
        long unheard = Math.min(paying, shared.unheard.get());
        shared.unheard.addAndGet(-unheard);
        credited += paying + granted;
        lent -= paying - unheard;
    }

    /** Takes so much of the share in hand out of the window, or what is left of it; how much it was. */
    long giveBack(long permits) {
        long returned = window.permits.drain(permits);
        credited -= returned;
        return returned;
    }

    /** Lends so much in all. What calls have used of it is a debt, and stays lent until it is paid. */
    void lend(long wanted) {
        if (wanted > lent) {
            window.permits.pour(wanted - lent);
            lent = wanted;
        } else if (wanted < lent) {
            lent -= window.permits.drain(Math.max(0, lent - Math.max(wanted, debt())));
        }
    }
}
