package dev.sluice.traffic;

import dev.sluice.RateLimitListener;

/** A listener that also reads the {@link Traffic} of its limiter. Implementations must be thread-safe. */
public interface TrafficReader extends RateLimitListener {

    /** Whether this listener needs the traffic. If no listener needs it, no calls are tallied. */
    default boolean wantsTraffic() {
        return true;
    }

    /** Receives the limiter's traffic. Calls are tallied from then on. Called once, before the first decision. */
    void read(Traffic traffic);
}
