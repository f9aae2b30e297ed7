package dev.sluice;

import java.time.Duration;
import java.util.List;

/**
 * Receives the events of a limiter. Decisions, waits and evictions arrive on the thread of the call: return quickly.
 * All others arrive in the background, where a slow listener delays the exchange with the store, or the next reload. An
 * exception of a listener is logged once and has no other effect. Several threads may call at a time.
 */
public interface RateLimitListener {

    /** Ignores all events. */
    RateLimitListener NONE = new RateLimitListener() {};

    /** A call was decided. Calls that no endpoint applies to are not reported. */
    default void onDecision(Call call, Decision decision) {}

    /** A call had no permit in hand and waited this long for the store; its decision follows. */
    default void onStoreWait(long waitedNanos) {}

    /**
     * A call found all permits taken by calls under way, and waited this long for their outcome; its decision follows.
     */
    default void onOutcomeWait(long waitedNanos) {}

    /** A counter was evicted because there are {@code maximumCounters}. */
    default void onEviction() {}

    /** The number of counters in memory, reported every few seconds. */
    default void onCounters(int counters) {}

    /** The store answered a batch. */
    default void onExchange(ExchangeReport exchange) {}

    /**
     * The store refused a batch, or did not answer it in time. The same batch may be sent again.
     *
     * @param took the time from sending it to giving up
     * @param counters the number of counters in the batch
     */
    default void onExchangeFailed(Duration took, int counters, String cause) {}

    /** The store recalls permits of this many counters, because calls of other instances wait for them. */
    default void onRecall(int counters) {}

    /**
     * The store is away, and {@code onFailure} decides. Reported once for each outage, and not for interruptions of a
     * moment.
     */
    default void onStoreAway(String cause) {}

    /** The store answers again. */
    default void onStoreBack(Duration away) {}

    /** The file changed, and these endpoints are now in force. */
    default void onReload(List<Endpoint> endpoints) {}

    /** The table of clients changed. It is in force, and has this many clients. */
    default void onClientTable(int clients) {}

    /** The file, or its table of clients, changed and has errors; the limits and clients in force stay. */
    default void onReloadRefused(LimitsException mistakes) {}

    /**
     * The overrides changed, which are set outside the file.
     *
     * @param limits how many there are now
     */
    default void onClientOverrides(int limits) {}

    /**
     * An override was set, changed, removed, or has ended, and this instance follows it: each instance reports it.
     * Only the history in the store says who removed it, and why.
     */
    default void onOverrideChange(OverrideChange change) {}

    /** A caller is blocked from now on, by the refusals of this instance; the others learn of it. */
    default void onBlock(Block block) {}

    /** A block that {@link #onBlock} reported is over: its time has passed, or an operator ended it. */
    default void onBlockEnd(Block block) {}
}
