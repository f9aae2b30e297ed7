package dev.sluice.limiter.exchange;

import dev.sluice.exchange.Batch.Fleet;
import org.jspecify.annotations.Nullable;

/**
 * How many instances live, as this one believes. When the store is back, each instance learns of the others only once they have
 * told it that they live. So until then, one that heard of more before believes that.
 *
 * @param fleet how many there are, and which this one is
 * @param untilNanos until when fewer instances are not believed
 */
record KnownFleet(Fleet fleet, long untilNanos) {

    /** Within this time, each instance that reaches the store tells it that it lives. */
    private static final long TOLD_NANOS = 5_000_000_000L;

    /** After this answer of the store. */
    static KnownFleet heard(@Nullable KnownFleet before, Fleet heard, long now) {
        if (before == null) {
            return new KnownFleet(heard, now);
        }
        boolean isBelieved = now - before.untilNanos >= 0 || heard.instances() >= before.fleet.instances();
        return new KnownFleet(isBelieved ? heard : before.fleet, before.untilNanos);
    }

    /** After the store was away. */
    KnownFleet afterAbsence(long now) {
        return new KnownFleet(fleet, now + TOLD_NANOS);
    }
}
