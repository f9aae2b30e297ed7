package dev.sluice.limits;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a limiter is, at one moment, for operators. Moments are in milliseconds since 1970.
 *
 * @param nowMillis this moment, by the limiter's clock
 * @param instance the name of this one
 * @param startedMillis when the limiter was opened
 * @param file what is in force, and whether a later change was refused
 * @param limits in force, those that were set outside the file among them
 * @param notes what is told of those, as far as anything is
 * @param store where instances count together; {@code null} if this one counts alone
 * @param counters how many are in memory, as of the last few seconds
 * @param evictions how many counters were dropped from memory because there were {@code maximumCounters}
 */
public record LimiterStatus(
        long nowMillis,
        String instance,
        long startedMillis,
        LoadedFile file,
        Limits limits,
        Map<Client, OverrideNote> notes,
        @Nullable Store store,
        long counters,
        long evictions) {

    /**
     * The file that the limiter follows.
     *
     * @param name as its source gives it
     * @param loadedMillis when what is in force was loaded
     * @param refused the latest change, if it could not be used; {@code null} if it is in force
     */
    public record LoadedFile(
            String name, long loadedMillis, @Nullable Refused refused) {}

    /**
     * A change of the file that could not be used.
     *
     * @param problems with their places in the file, a line each
     */
    public record Refused(long atMillis, String problems) {}

    /**
     * The store, as this instance sees it.
     *
     * @param name its address without secrets
     * @param away since when it has been away, and why; {@code null} while it answers
     * @param last the last exchange that was answered, {@code null} before there was one
     * @param answered how many exchanges were
     * @param failed how many were not
     */
    public record Store(
            String name, @Nullable Away away, @Nullable LastExchange last, long answered, long failed) {}

    /** Since when the store has been away, and why. */
    public record Away(long sinceMillis, String cause) {}

    /**
     * An exchange with the store.
     *
     * @param atMillis when it was answered
     * @param took from sending the batch until the answer was there
     * @param claims how many counters the batch spoke of
     */
    public record LastExchange(long atMillis, Duration took, int claims) {}
}
