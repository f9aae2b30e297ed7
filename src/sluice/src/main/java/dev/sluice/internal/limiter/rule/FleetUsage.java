package dev.sluice.internal.limiter.rule;

import java.util.OptionalLong;

/**
 * The fleet's usage of one limit according to the store's latest answer. The methods predict how the usage changes over
 * time if no further calls arrive. Permits that instances hold are considered used. Immutable.
 */
public interface FleetUsage {

    /**
     * Returns the number of permits that are neither used nor held, including overage; negative if the limit was
     * exceeded.
     */
    long left(long nowMillis);

    /** Returns the time until the given number of permits is available. */
    long millisUntil(long cost, long nowMillis);

    /** Returns the time until the whole limit is available or the window ends. */
    default long resetMillis(long nowMillis) {
        return resetMillis(0, nowMillis);
    }

    /**
     * Returns the time until the whole limit is available or the window ends, assuming that the given number of
     * further permits is used now. A negative number represents returned permits.
     */
    long resetMillis(long used, long nowMillis);

    /**
     * Returns the use that the store has recorded in the window; empty unless {@link SharedLimit} can restore the usage
     * from that number alone.
     */
    default OptionalLong windowTotal() {
        return OptionalLong.empty();
    }

    /**
     * Returns the time until which these figures are exact, provided that no instance holds permits. Before that time,
     * no more permits can become available than these figures show.
     */
    default long knownUntilMillis(long nowMillis) {
        return Long.MAX_VALUE;
    }

    /**
     * Returns the usage after the given number of further permits has been used. A negative number represents returned
     * permits.
     */
    FleetUsage after(long used, long nowMillis);

    /**
     * Returns the usage by which this instance decides calls while the store is unavailable. The instance may use its
     * part of the remaining permits, or of the permits that become available.
     *
     * @param own this instance's own use
     */
    FleetUsage alone(Part part, OwnUse own, long nowMillis);

    /**
     * Returns this instance's usage after the limit was changed. By default, returns this usage unchanged. This is
     * correct for limits whose calls return their permits when they end.
     *
     * @param before the instance's usage before the change
     * @param unrecorded the instance's use that {@code before} does not include
     */
    default FleetUsage continuing(FleetUsage before, long unrecorded, long nowMillis) {
        return this;
    }
}
