package dev.sluice.internal.limiter.rule;

import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.limits.SharingOptions.OnFailure;
import org.jspecify.annotations.Nullable;

/**
 * Whether the store answers, as far as this instance knows. The state is kept only here, and all other code asks for
 * it.
 *
 * <pre>
 *   AVAILABLE ── exchanges fail, or the store is unresponsive for too long while calls wait ──▶ UNAVAILABLE
 *   UNAVAILABLE ── new limits with another policy ──▶ UNAVAILABLE by that policy
 *   UNAVAILABLE ── the store answers ──▶ BACK, if instances had divided what was left; otherwise AVAILABLE
 *   BACK ── by now others have reported, at most 2.25 s later ──▶ AVAILABLE
 *   BACK ── exchanges fail again ──▶ UNAVAILABLE
 * </pre>
 *
 * <p>The {@link Outage} says what a state means for a counter. No outage means AVAILABLE, and an outage that is over
 * means BACK. Thread-safe: any thread may ask. Changes are synchronised, since new limits may come while an outage
 * ends.
 */
public final class StoreState {

    private volatile @Nullable Outage latest;

    /** What decides while the store is UNAVAILABLE; {@code null} otherwise. */
    public @Nullable Outage outage() {
        Outage known = latest;
        return known == null || known.isOver() ? null : known;
    }

    /** What decides while the store is UNAVAILABLE or BACK; {@code null} while it is AVAILABLE. */
    public @Nullable Outage latest() {
        return latest;
    }

    public boolean isBack() {
        Outage known = latest;
        return known != null && known.isOver();
    }

    /**
     * Makes the store UNAVAILABLE. If an outage has begun already, it goes on with these figures. Returns whether one
     * begins now.
     */
    public synchronized boolean begin(Outage outage) {
        Outage begun = outage();
        latest = begun == null ? outage : new Outage(outage.policy(), outage.fleet(), begun.sinceMillis(), false);
        return begun == null;
    }

    /** Follows the policy of new limits. Returns whether this changes how calls are decided now. */
    public synchronized boolean follow(OnFailure policy, Fleet fleet) {
        Outage begun = outage();
        if (begun == null || begun.policy() == policy) {
            return false;
        }
        latest = new Outage(policy, fleet, begun.sinceMillis(), false);
        return true;
    }

    /** Notes that the store has answered. Returns whether an outage has ended. */
    public synchronized boolean answered() {
        Outage begun = outage();
        if (begun != null) {
            latest = begun.over();
        }
        return begun != null;
    }

    /** Notes that all instances have reported the calls that they admitted during the outage. */
    public synchronized void othersHaveReported() {
        if (isBack()) {
            latest = null;
        }
    }
}
