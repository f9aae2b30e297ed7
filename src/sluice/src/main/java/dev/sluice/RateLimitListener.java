package dev.sluice;

import java.time.Duration;
import java.util.List;

/**
 * Receives a limiter's events, for example to count or log them. Override the methods for the events that you need:
 *
 * <pre>{@code
 * Sluice.builder().listener(new RateLimitListener() {
 *     public void onStoreUnavailable(String cause) {
 *         alerts.raise("rate limits: " + cause);
 *     }
 * });
 * }</pre>
 *
 * <p>Implementations must be thread-safe and return quickly. Decisions, waits and evictions are reported on the thread
 * of the call. All other events are reported on background threads, where a slow listener delays the exchange with the
 * store or the next reload. If a listener throws an exception, the limiter logs it once and continues.
 */
public interface RateLimitListener {

    /** A listener that ignores all events. */
    RateLimitListener NONE = new RateLimitListener() {};

    /** The limiter has made a decision about a call. Calls that are not limited by any endpoint are not reported. */
    default void onDecision(Call call, Decision decision) {}

    /** A call found no permit in memory and waited for the store. Its decision is reported next. */
    default void onStoreWait(long waitedNanos) {}

    /**
     * A call awaited the outcomes of calls in flight, because those calls held all permits. Its decision is reported
     * next.
     */
    default void onOutcomesAwaited(long awaitedNanos) {}

    /** A counter was evicted because there were more than {@code maximumCounters}. */
    default void onEviction() {}

    /** Reports the number of counters in memory, every few seconds. */
    default void onCounters(int counters) {}

    /** The store replied to a batch. */
    default void onExchange(ExchangeReport exchange) {}

    /**
     * The store rejected a batch, or did not reply in time. Sluice might send the same batch again.
     *
     * @param took the time between sending the batch and the failure
     * @param counters the number of counters in the batch
     * @param cause a description of the failure
     */
    default void onExchangeFailed(Duration took, int counters, String cause) {}

    /** The store recalled permits of some counters because calls on other instances are waiting for them. */
    default void onRecall(int counters) {}

    /**
     * The store is unavailable, so {@code onFailure} determines what happens to calls. Reported once per outage. Very
     * short outages are not reported.
     */
    default void onStoreUnavailable(String cause) {}

    /**
     * The store is available again.
     *
     * @param outage the duration of the outage
     */
    default void onStoreBack(Duration outage) {}

    /** The file has changed. The given endpoints are now in force. */
    default void onReload(List<Endpoint> endpoints) {}

    /**
     * The client table has changed. The new table is now in force.
     *
     * @param file the name of the table's file, as in {@link #onReloadRefused}
     * @param clients the number of clients in the table
     */
    default void onClientTable(String file, int clients) {}

    /** The file or its client table has changed, but contains errors. The previous limits and clients stay in force. */
    default void onReloadRefused(LimitsException mistakes) {}

    /**
     * The overrides outside the file have changed.
     *
     * @param limits the current number of overrides
     */
    default void onClientOverrides(int limits) {}

    /**
     * An override was set, changed or removed, or has expired, and this instance now applies the change. Every instance
     * reports the change. For a removal, the event does not include who removed the override and why. Only the history
     * in the store contains this information.
     */
    default void onOverrideChange(OverrideChange change) {}

    /** A block began because of refusals on this instance. The other instances are notified. */
    default void onBlock(Block block) {}

    /**
     * A block that was reported to {@link #onBlock} has ended, either because it expired or because an operator ended
     * it.
     */
    default void onBlockEnd(Block block) {}
}
