package dev.sluice.limiter.account;

import dev.sluice.limiter.rule.FleetUsage;
import dev.sluice.limiter.rule.Part;

/**
 * What this instance may use of a limit by itself: while the store is away, and when it is back, until others have reported.
 *
 * @param part its part of the limit
 * @param usage the usage of that part
 * @param includedUse what was used here, is not counted by the store, and is included in the usage
 * @param isContinued whether the usage includes what was used before the limit was changed, or what the store counts since it
 *     is back
 */
public record Alone(Part part, FleetUsage usage, long includedUse, boolean isContinued) {

    /** Whether it is not determined anew for this part. */
    boolean stays(Part next) {
        return part.equals(next) || !isAsNew();
    }

    /** Whether nothing was used of it yet, so that it may as well be determined anew. */
    boolean isAsNew() {
        return includedUse == 0 && !isContinued;
    }

    /** After this much was used in all that the store does not count. */
    Alone after(long uncounted, Moment now) {
        return uncounted > includedUse
                ? new Alone(part, usage.after(uncounted - includedUse, now.millis()), uncounted, isContinued)
                : this;
    }

    /** After the store has counted this much more as used or held here, or less if the number is negative. */
    Alone counted(long added, Moment now) {
        return new Alone(part, usage.after(added - includedUse, now.millis()), 0, true);
    }
}
