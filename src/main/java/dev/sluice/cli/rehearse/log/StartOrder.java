package dev.sluice.cli.rehearse.log;

import static java.util.Objects.requireNonNull;

import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sorts calls by their start. Servers log calls when they end, so lines may be minutes out of order. A call is emitted
 * once the log is five minutes ahead, or sooner if waiting calls take too much memory. Not thread-safe.
 */
final class StartOrder {

    private static final int SECONDS = 300;
    private static final int SLOTS = 512;

    private final LogCounts counts;
    private final Consumer<LoggedCall> sink;
    private final long mostBytes;
    private final ChunkPool chunks = new ChunkPool();
    /** By the second in which the calls began. */
    private final CallsOfSecond[] waiting = new CallsOfSecond[SLOTS];

    /** The view that emitted calls have. */
    private @Nullable LoggedCall view;

    /** The first second whose calls were not emitted yet. */
    private long first = Long.MIN_VALUE;

    private long last = Long.MIN_VALUE;

    /** Keeps about this many bytes of calls at most. */
    StartOrder(LogCounts counts, long mostBytes, Consumer<LoggedCall> sink) {
        this.counts = counts;
        this.mostBytes = mostBytes;
        this.sink = sink;
        for (int i = 0; i < SLOTS; i++) {
            waiting[i] = new CallsOfSecond(chunks);
        }
    }

    /** Adds the next call of the log. */
    void add(LoggedCall call) {
        long logged = Math.floorDiv(call.loggedMillis(), 1000L);
        if (logged < first) {
            counts.addLate();
            return;
        }
        if (logged > last) {
            emitUntil(logged - SECONDS);
            last = logged;
        }
        while (chunks.bytesInUse() >= mostBytes && firstThatWaits() < last) {
            emitUntil(firstThatWaits() + 1);
        }
        if (logged < first) {
            counts.addLate();
            return;
        }
        if (view == null) {
            view = call.newView();
            first = logged - SECONDS;
        }
        long began = Math.floorDiv(call.startMillis(), 1000L);
        slot(Math.max(began, first)).add(call); // a call that took longer starts late
        if (chunks.bytesInUse() >= mostBytes) {
            emit(slot(firstThatWaits())); // even all of one second; its further calls are emitted later
        }
    }

    /** Emits all remaining calls. */
    void finish() {
        emitUntil(last + 1);
    }

    private long firstThatWaits() {
        long second = first;
        while (second < last && slot(second).isEmpty()) {
            second++;
        }
        return second;
    }

    private void emitUntil(long end) {
        if (first == Long.MIN_VALUE) {
            return;
        }
        for (; first < end && chunks.bytesInUse() > 0; first++) {
            emit(slot(first));
        }
        first = Math.max(first, end);
    }

    private void emit(CallsOfSecond calls) {
        if (!calls.isEmpty()) {
            calls.emit(requireNonNull(view), sink);
        }
    }

    private CallsOfSecond slot(long second) {
        return waiting[(int) (second & (SLOTS - 1))];
    }
}
