package dev.sluice.traffic;

import dev.sluice.RateLimitListener;

/** A listener that also reads who calls most. */
public interface TrafficReader extends RateLimitListener {

    /** Is given the limiter's traffic, which is counted from now on; once, before the first decision. */
    void read(Traffic traffic);
}
