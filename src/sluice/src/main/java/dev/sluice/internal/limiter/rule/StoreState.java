package dev.sluice.internal.limiter.rule;

import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.limits.SharingOptions.OnFailure;
import org.jspecify.annotations.Nullable;

/**
 * Whether the store is available, as far as this instance knows. Only this class stores that state. All other code
 * reads it from here.
 *
 * <pre>
 *   AVAILABLE ── exchanges fail, or the store is unresponsive for too long while calls are waiting ──▶ UNAVAILABLE
 *   UNAVAILABLE ── new limits with a different policy ──▶ UNAVAILABLE with that policy
 *   UNAVAILABLE ── the store answers ──▶ BACK if instances had divided the remaining permits, otherwise AVAILABLE
 *   BACK ── other instances have had time to report, at most 2.25 s later ──▶ AVAILABLE
 *   BACK ── exchanges fail again ──▶ UNAVAILABLE
 * </pre>
 *
 * <p>The {@link Outage} defines what a state means for a counter. No outage means AVAILABLE, and an outage that is over
 * means BACK. Thread-safe: any thread can read the state. Changes are synchronised, because new limits can arrive while
 * an outage is ending.
 */
public final class StoreState {

    private volatile @Nullable Outage latest;

    /** Returns the outage while the store is UNAVAILABLE; {@code null} otherwise. */
    public @Nullable Outage outage() {
        Outage known = latest;
        return known == null || known.isOver() ? null : known;
    }

    /** Returns the outage while the store is UNAVAILABLE or BACK; {@code null} while it is AVAILABLE. */
    public @Nullable Outage latest() {
        return latest;
    }

    public boolean isBack() {
        Outage known = latest;
        return known != null && known.isOver();
    }

    /**
     * Makes the store UNAVAILABLE. If an outage has already begun, it continues with the given policy and fleet.
     * Returns whether an outage begins now.
     */
    public synchronized boolean begin(Outage outage) {
        Outage begun = outage();
        latest = begun == null ? outage : new Outage(outage.policy(), outage.fleet(), begun.sinceMillis(), false);
        return begun == null;
    }

    /** Applies the policy of new limits. Returns whether this changes how calls are decided now. */
    public synchronized boolean follow(OnFailure policy, Fleet fleet) {
        Outage begun = outage();
        if (begun == null || begun.policy() == policy) {
            return false;
        }
        latest = new Outage(policy, fleet, begun.sinceMillis(), false);
        return true;
    }

    /** Records that the store has answered. Returns whether this ends an outage. */
    public synchronized boolean answered() {
        Outage begun = outage();
        if (begun != null) {
            latest = begun.over();
        }
        return begun != null;
    }

    /** Records that all instances have reported the calls that they admitted during the outage. */
    public synchronized void othersHaveReported() {
        if (isBack()) {
            latest = null;
        }
    }
}
