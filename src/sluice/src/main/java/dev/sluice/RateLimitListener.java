package dev.sluice;

import java.time.Duration;
import java.util.List;

/**
 * Receives the events of a limiter, for example to count or log them. Override the events you need:
 *
 * <pre>{@code
 * Sluice.builder().listener(new RateLimitListener() {
 *     public void onStoreUnavailable(String cause) {
 *         alerts.raise("rate limits: " + cause);
 *     }
 * });
 * }</pre>
 *
 * <p>Implementations must be thread-safe and return quickly. Decisions, waits and evictions arrive on the thread of the
 * call. All other events arrive on background threads, where a slow listener delays the exchange with the store or the
 * next reload. An exception is logged once and has no other effect.
 */
public interface RateLimitListener {

    /** Ignores all events. */
    RateLimitListener NONE = new RateLimitListener() {};

    /** A call was decided. Calls that no endpoint limits are not reported. */
    default void onDecision(Call call, Decision decision) {}

    /** A call found no permit in memory and waited this long for the store. Its decision follows. */
    default void onStoreWait(long waitedNanos) {}

    /** Calls in flight held all permits, and a call awaited their outcomes for this long. Its decision follows. */
    default void onOutcomesAwaited(long awaitedNanos) {}

    /** A counter was evicted, because there are more than {@code maximumCounters}. */
    default void onEviction() {}

    /** The number of counters in memory, which is reported every few seconds. */
    default void onCounters(int counters) {}

    /** The store answered a batch. */
    default void onExchange(ExchangeReport exchange) {}

    /**
     * The store refused a batch, or did not answer in time. Sluice may retry the same batch.
     *
     * @param took the time from sending the batch to giving up
     * @param counters the number of counters in the batch
     * @param cause what went wrong, in words
     */
    default void onExchangeFailed(Duration took, int counters, String cause) {}

    /** The store recalls permits of some counters, because calls on other instances wait for them. */
    default void onRecall(int counters) {}

    /**
     * The store is unavailable, and {@code onFailure} decides. Reported once for each outage; very short ones are not
     * reported.
     */
    default void onStoreUnavailable(String cause) {}

    /**
     * The store answers again.
     *
     * @param outage how long it was unavailable
     */
    default void onStoreBack(Duration outage) {}

    /** The file changed. These endpoints are now in force. */
    default void onReload(List<Endpoint> endpoints) {}

    /**
     * The table of clients changed and is in force.
     *
     * @param file the table's file, as {@link #onReloadRefused} names it
     * @param clients how many clients it has
     */
    default void onClientTable(String file, int clients) {}

    /** The file or its table of clients changed, but has errors. The previous limits and clients stay in force. */
    default void onReloadRefused(LimitsException mistakes) {}

    /**
     * The overrides that are set outside the file have changed.
     *
     * @param limits how many overrides there are now
     */
    default void onClientOverrides(int limits) {}

    /**
     * An override was set, changed or removed, or has expired, and this instance applies the change. Every instance
     * reports it. The event does not say who removed an override and why. Only the history in the store has that.
     */
    default void onOverrideChange(OverrideChange change) {}

    /** A block begins, because of refusals by this instance. The other instances learn of it. */
    default void onBlock(Block block) {}

    /** A block that {@link #onBlock} reported is over: it has expired, or an operator ended it. */
    default void onBlockEnd(Block block) {}
}
