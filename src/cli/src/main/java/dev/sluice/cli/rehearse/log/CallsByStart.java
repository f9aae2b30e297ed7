package dev.sluice.cli.rehearse.log;

import dev.sluice.cli.rehearse.format.LoggedCall;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Sorts calls by their start. Servers log calls when they end, so lines can be out of order by minutes. A call is
 * emitted once the log has advanced to five minutes after the call's start, or earlier if the buffered calls use too
 * much memory. Not thread-safe.
 */
final class CallsByStart {

    private static final long MOST_MILLIS = 300_000;
    /** The approximate number of bytes that a call occupies, excluding its texts. */
    private static final long BYTES_OF_CALL = 600;

    private final LogCounts counts;
    private final Consumer<LoggedCall> sink;
    private final long mostBytes;
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(
            Comparator.comparingLong((Waiting one) -> one.call.startMillis()).thenComparingLong(Waiting::number));
    private long bytes;
    private long number;
    private long latestMillis = Long.MIN_VALUE;
    /** All calls up to this time have been emitted. A call that was logged in an earlier second is late. */
    private long emittedMillis = Long.MIN_VALUE;

    private record Waiting(LoggedCall call, long number, long bytes) {}

    /** Creates a sorter whose buffered calls occupy at most approximately the given number of bytes. */
    CallsByStart(LogCounts counts, long mostBytes, Consumer<LoggedCall> sink) {
        this.counts = counts;
        this.mostBytes = mostBytes;
        this.sink = sink;
    }

    /** Adds the next call of the log. */
    void add(LoggedCall call) {
        long logged = call.loggedMillis();
        if (Math.floorDiv(logged, 1000L) < Math.floorDiv(emittedMillis, 1000L)) {
            counts.late++;
            return;
        }
        if (logged > latestMillis) {
            latestMillis = logged;
            emittedMillis = Math.max(emittedMillis, logged - MOST_MILLIS);
        }
        Waiting added = new Waiting(call, number++, size(call));
        bytes += added.bytes;
        waiting.add(added);
        while (!waiting.isEmpty() && (bytes > mostBytes || waiting.peek().call.startMillis() < emittedMillis)) {
            emit();
        }
    }

    private void emit() {
        Waiting first = waiting.remove();
        bytes -= first.bytes;
        emittedMillis = Math.max(emittedMillis, first.call.startMillis());
        sink.accept(first.call);
    }

    /** Emits all remaining calls. */
    void finish() {
        while (!waiting.isEmpty()) {
            emit();
        }
    }

    /** Returns the approximate number of bytes that the call occupies in memory. */
    private static long size(LoggedCall call) {
        String query = call.query();
        long texts = (long) call.path().length() + (query == null ? 0 : query.length());
        for (String value : call.others().values()) {
            texts += value.length();
        }
        return BYTES_OF_CALL + 2 * texts;
    }
}
