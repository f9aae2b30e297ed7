package dev.sluice.internal.limiter.rule;

import java.util.OptionalLong;

/**
 * The usage of one limit by the whole fleet at the store's last answer, and how it develops if nobody calls. Permits
 * that instances hold count as used. Immutable.
 */
public interface FleetUsage {

    /** The permits that are neither used nor held, including overage; negative if the limit was exceeded. */
    long left(long nowMillis);

    /** The time until this number of permits is available. */
    long millisUntil(long cost, long nowMillis);

    /** The time until the whole limit is available, or its window ends. */
    default long resetMillis(long nowMillis) {
        return resetMillis(0, nowMillis);
    }

    /** The same time after this many more permits were used now, or fewer if the number is negative. */
    long resetMillis(long used, long nowMillis);

    /**
     * The use that the store has recorded in the window, if that single number is enough for {@link SharedLimit} to
     * restore the usage from it.
     */
    default OptionalLong windowTotal() {
        return OptionalLong.empty();
    }

    /**
     * The time until which these figures are exact if no permits are held, because no more permits can come back than
     * they say.
     */
    default long knownUntilMillis(long nowMillis) {
        return Long.MAX_VALUE;
    }

    /** The usage after this many more permits were used now, or fewer if the number is negative. */
    FleetUsage after(long used, long nowMillis);

    /**
     * The usage that decides for one instance by itself while the store is unavailable. The instance may use its part
     * of the remaining permits, or of those that come back.
     *
     * @param own the use of this instance itself
     */
    FleetUsage alone(Part part, OwnUse own, long nowMillis);

    /**
     * This usage by one instance alone, after its use of the same limit with other figures. Returns the same usage if
     * used permits come back when calls end.
     *
     * @param before its usage with the other figures
     * @param unrecorded its use that {@code before} does not include
     */
    default FleetUsage continuing(FleetUsage before, long unrecorded, long nowMillis) {
        return this;
    }
}
