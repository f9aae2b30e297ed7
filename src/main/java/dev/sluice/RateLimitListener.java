package dev.sluice;

import java.time.Duration;
import java.util.List;

/**
 * Told of what a limiter does. Decisions, waits and evictions are told on the thread of the call: be brief there. All
 * else is told in the background, where a listener holds up the exchange with the store, or the next look at the file,
 * for as long as it takes. What a listener throws is logged once and goes no further. Methods may be called by several
 * threads at a time.
 */
public interface RateLimitListener {

    /** Hears nothing. */
    RateLimitListener NONE = new RateLimitListener() {};

    /**
     * A call was decided: admitted, also beyond the threshold; exempt; refused; or let pass by a dry run that would
     * have refused it. Calls that no definition speaks of are not told.
     */
    default void onDecision(Call call, Decision decision) {}

    /** A call has waited so long for the store, since it found no permit in hand; its decision follows. */
    default void onStoreWait(long waitedNanos) {}

    /** A counter was dropped from memory because there are {@code maximumCounters}. */
    default void onEviction() {}

    /** So many counters are in memory now; told every few seconds. */
    default void onCounters(int counters) {}

    /** The store has answered a batch. */
    default void onExchange(ExchangeReport exchange) {}

    /**
     * The store has refused a batch, or has not answered it in time. The same batch may be sent again.
     *
     * @param took from sending it until it was given up
     * @param claims how many the batch has
     */
    default void onExchangeFailed(Duration took, int claims, String cause) {}

    /** The store recalls permits of so many counters, because calls of other instances wait for them. */
    default void onRecall(int counters) {}

    /** The store is away, and {@code onFailure} decides; told once, as the log is, and not for moments. */
    default void onStoreAway(String cause) {}

    /** The store has answered after it was away. */
    default void onStoreBack(Duration away) {}

    /** The file has changed, and these definitions are in force now. */
    default void onReload(List<Endpoint> endpoints) {}

    /** The file has changed, and cannot be used: the limits in force stay. */
    default void onReloadRefused(LimitsException mistakes) {}

    /** The limits of clients that are kept outside the file are others now: so many. */
    default void onClientOverrides(int limits) {}
}
