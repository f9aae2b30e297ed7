package dev.sluice.limits;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a limiter at one moment, for operators. Times are in milliseconds since 1970. Immutable and thread-safe.
 *
 * @param nowMillis the time of this status, measured by the limiter's clock
 * @param instance the name of this instance
 * @param file the file in force, and whether a later change was rejected
 * @param limits the limits in force, including overrides
 * @param notes the notes on overrides. An override without a note does not occur in this map
 * @param store the shared store; {@code null} if this instance counts alone
 * @param counters the number of counters in memory. It is at most a few seconds old
 * @param evictions the number of counters that were evicted because of {@code maximumCounters}
 */
public record LimiterStatus(
        long nowMillis,
        String instance,
        LoadedFile file,
        Limits limits,
        Map<Client, OverrideNote> notes,
        @Nullable Store store,
        long counters,
        long evictions) {

    /**
     * Returns where calls are counted: {@code in this process alone}, or in a store, for example
     * {@code in redis://localhost:6379}.
     */
    public String place() {
        return store == null ? "in this process alone" : "in " + store.name();
    }

    /**
     * The file that the limiter follows.
     *
     * @param name the file's name, as specified by its source
     * @param loadedMillis the time when the limits in force were loaded
     * @param refused the latest rejected change of the file or of its table of clients; {@code null} if the current
     *     versions of both are in force
     */
    public record LoadedFile(
            String name, long loadedMillis, @Nullable RefusedChange refused) {}

    /**
     * A change that was rejected because it contained errors.
     *
     * @param name the name of the file or the table
     * @param atMillis the time when the change was found
     * @param problems the problems and where they are, one per line
     */
    public record RefusedChange(String name, long atMillis, String problems) {}

    /**
     * The store, as this instance sees it.
     *
     * @param name the store's address without secrets
     * @param unavailable the current outage; {@code null} while the store responds
     * @param warning what operators should change about the store; {@code null} if nothing needs to change
     * @param last the last exchange to which the store replied; {@code null} if there is none
     * @param answered the number of exchanges to which the store replied
     * @param failed the number of failed exchanges
     */
    public record Store(
            String name,
            @Nullable Unavailable unavailable,
            @Nullable String warning,
            @Nullable LastExchange last,
            long answered,
            long failed) {}

    /**
     * An outage of the store.
     *
     * @param sinceMillis the time when the store became unavailable
     * @param cause the reason, in words
     */
    public record Unavailable(long sinceMillis, String cause) {}

    /**
     * An exchange to which the store replied.
     *
     * @param atMillis the time when the reply arrived
     * @param took the time between sending the batch and receiving the reply
     * @param counters the number of counters in the batch
     */
    public record LastExchange(long atMillis, Duration took, int counters) {}
}
