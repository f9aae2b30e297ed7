package dev.sluice.internal.store.operated;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The instances of a store. Each writes a report, and renews it before it expires. While an operator traces a caller,
 * each also writes what it does for that caller. All of this expires by itself. Requests never use this. Thread-safe.
 */
public interface Instances extends AutoCloseable {

    /** How long a report is valid. */
    Duration LIFE = Duration.ofSeconds(20);

    /** The longest text of limits that is written. */
    int LONGEST_LIMITS = 1 << 20;

    /** Limit on traces at the same time. */
    int MOST_TRACES = 8;

    /** Limit on unread lines of a trace; further lines are dropped. */
    int MOST_LINES = 2_000;

    /** How long unread lines are kept. */
    Duration LIFE_OF_LINES = Duration.ofSeconds(30);

    /** The traces under way, and the store's time. */
    record Traces(long nowMillis, List<TraceRequest> requests) {}

    /**
     * Writes a report, which is valid for {@link #LIFE}.
     *
     * @param limits the limits of the file whose digest is in the report; sent only if the store does not have them
     */
    CompletionStage<Boolean> write(InstanceReport report, String limits);

    /** Removes the report of an instance that ends. */
    CompletionStage<Boolean> leave(String name);

    /** All valid reports, at most ten thousand. Skips malformed ones. */
    CompletionStage<List<InstanceReport>> all();

    /** All reports without refusals, which are the largest part. */
    CompletionStage<List<InstanceReport>> heads();

    /** The limits of the file with this digest; empty if they are gone. */
    CompletionStage<String> limitsOfFile(String digest);

    /** Begins a trace, which ends by itself. Returns {@code false} if there are too many traces. */
    CompletionStage<Boolean> beginTrace(TraceRequest request);

    /** Ends a trace before its time. */
    CompletionStage<Boolean> endTrace(String id);

    /** The traces under way. */
    CompletionStage<Traces> traces();

    /** Adds lines to a trace. Returns how many were stored; there may be no room for all. */
    CompletionStage<Integer> addLines(String id, List<TraceLine> lines);

    /** Removes lines of a trace from the store, and returns them. */
    CompletionStage<List<TraceLine>> takeLines(String id);

    @Override
    void close();
}
