package dev.sluice.traffic;

import dev.sluice.RateLimitListener;

/** A listener that also reads who calls most. */
public interface TrafficReader extends RateLimitListener {

    /** Whether it wants to be given any. If no reader of a limiter does, nothing is counted. */
    default boolean wantsTraffic() {
        return true;
    }

    /** Is given the limiter's traffic, which is counted from now on; once, before the first decision. */
    void read(Traffic traffic);
}
