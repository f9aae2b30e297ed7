package dev.sluice.internal.limiter.rule;

import java.util.OptionalLong;

/**
 * The usage of one limit by the whole fleet at the store's last answer, and how it develops if nobody calls. Permits
 * that instances hold count as used. Immutable.
 */
public interface FleetUsage {

    /** What is neither used nor held, including overage; negative if the limit was exceeded. */
    long left(long nowMillis);

    /** The time until this much is left. */
    long millisUntil(long cost, long nowMillis);

    /** The time until the whole limit is left, or its window ends. */
    default long resetMillis(long nowMillis) {
        return resetMillis(0, nowMillis);
    }

    /** The same after this much more was used now; less if the number is negative. */
    long resetMillis(long used, long nowMillis);

    /**
     * How much the store has recorded in the window, if that number says everything; {@link SharedLimit} can restore
     * the usage from it.
     */
    default OptionalLong windowTotal() {
        return OptionalLong.empty();
    }

    /** Until when these figures are exact if nothing is held: no more can come back than they say. */
    default long knownUntilMillis(long nowMillis) {
        return Long.MAX_VALUE;
    }

    /** The usage after this much more was used now; less if the number is negative. */
    FleetUsage after(long used, long nowMillis);

    /**
     * What one instance may use by itself while the store is unavailable: its part of what is left, or of what comes
     * back.
     *
     * @param own what it has used itself
     */
    FleetUsage alone(Part part, OwnUse own, long nowMillis);

    /**
     * This usage by one instance alone, after what it used of the same limit with other figures. Returns the same usage
     * if what it used comes back when calls end.
     *
     * @param before its usage with the other figures
     * @param unrecorded what it has used that is not included there
     */
    default FleetUsage continuing(FleetUsage before, long unrecorded, long nowMillis) {
        return this;
    }
}
