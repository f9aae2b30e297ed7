package dev.sluice.internal.store.operated;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The instances of a store: each one writes a report there, and renews it before it expires. While an operator traces a
 * caller, each also writes what it does for that caller; all of that expires by itself. Requests never use this.
 * Safe for any threads.
 */
public interface Instances extends AutoCloseable {

    /** How long a report is valid. */
    Duration LIFE = Duration.ofSeconds(20);

    /** Longer texts of limits are not written. */
    int LONGEST_LIMITS = 1 << 20;

    /** The most traces at a time. */
    int MOST_TRACES = 8;

    /** The most lines of a trace that nobody has read yet; further ones are left out. */
    int MOST_LINES = 2_000;

    /** How long lines are kept that nobody reads. */
    Duration LIFE_OF_LINES = Duration.ofSeconds(30);

    /** The traces under way, and the store's time. */
    record Traces(long nowMillis, List<TraceRequest> requests) {}

    /**
     * Writes a report, for {@link #LIFE}.
     *
     * @param limits its limits by the file, whose digest the report has; sent only if the store does not have them
     */
    CompletionStage<Boolean> write(InstanceReport report, String limits);

    /** Removes the report of an instance that ends. */
    CompletionStage<Boolean> leave(String name);

    /** All valid reports, up to ten thousand, without garbled ones. */
    CompletionStage<List<InstanceReport>> all();

    /** All reports without refusals, which are the largest part. */
    CompletionStage<List<InstanceReport>> heads();

    /** The limits of the file with this digest; empty if they are gone. */
    CompletionStage<String> limitsOfFile(String digest);

    /** Begins a trace, which ends by itself; returns {@code false} if there are too many. */
    CompletionStage<Boolean> beginTrace(TraceRequest request);

    /** Ends a trace before its time. */
    CompletionStage<Boolean> endTrace(String id);

    /** The traces under way. */
    CompletionStage<Traces> traces();

    /** Adds lines to a trace; returns how many there was room for. */
    CompletionStage<Integer> addLines(String id, List<TraceLine> lines);

    /** Removes lines of a trace from the store, and returns them. */
    CompletionStage<List<TraceLine>> takeLines(String id);

    @Override
    void close();
}
