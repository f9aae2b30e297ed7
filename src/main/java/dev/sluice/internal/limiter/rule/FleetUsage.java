package dev.sluice.internal.limiter.rule;

import java.util.OptionalLong;

/**
 * The whole fleet's usage of one limit at the store's last answer, and how it develops if nobody calls. What instances
 * hold counts as used. Immutable.
 */
public interface FleetUsage {

    /** What is neither used nor held, with overage; negative if the limit was exceeded. */
    long left(long nowMillis);

    /** The time until this much is left. */
    long millisUntil(long cost, long nowMillis);

    /** The time until the whole limit is left, or its window ends. */
    long resetMillis(long nowMillis);

    /** How much the store counts in the window, if that number says all: {@link SharedLimit} knows the usage by it. */
    default OptionalLong windowTotal() {
        return OptionalLong.empty();
    }

    /** Until when these figures are exact if nothing is held: no more can come back than they say. */
    default long knownUntilMillis(long nowMillis) {
        return Long.MAX_VALUE;
    }

    /** The usage with this much more used now, or less if the number is negative. */
    FleetUsage after(long used, long nowMillis);

    /**
     * What one instance may use of it by itself while the store is away: its part of what is left, or of what comes back.
     *
     * @param own what it has used itself
     */
    FleetUsage alone(Part part, OwnUse own, long nowMillis);

    /**
     * This usage of a limit by one instance alone, after what it has used of the same limit with other figures. The same if what
     * it has used comes back when calls end.
     *
     * @param uncounted what it has used and is not included there
     */
    default FleetUsage continuing(FleetUsage before, long uncounted, long nowMillis) {
        return this;
    }
}
