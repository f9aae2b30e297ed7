package dev.sluice;

/**
 * Told of every decision, on the thread of the call: be brief. What a listener throws is logged once and goes no
 * further.
 */
public interface RateLimitListener {

    /** Hears nothing. */
    RateLimitListener NONE = new RateLimitListener() {};

    /** A call was decided. */
    default void onDecision(Call call, Decision decision) {}
}
