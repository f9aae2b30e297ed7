package dev.sluice.cli.rehearse.log;

import dev.sluice.cli.rehearse.call.CallBatch;
import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sorts calls by their start. Servers log calls when they end, so lines may be minutes out of order. A call is emitted
 * once the log is five minutes ahead, or sooner if waiting calls take too much memory. Not thread-safe.
 */
final class StartOrder {

    private static final int SECONDS = 300;
    private static final int SLOTS = 512;
    private static final int CHUNK_BYTES = 1 << 13;

    private final LogCounts counts;
    private final Consumer<LoggedCall> sink;
    private final long mostBytes;
    /** By the second in which the calls began. */
    private final CallsOfSecond[] waiting = new CallsOfSecond[SLOTS];
    /** Pieces of memory to use again. */
    private final Deque<CallBatch> free = new ArrayDeque<>();

    private long bytesInUse;

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
            waiting[i] = new CallsOfSecond();
        }
    }

    /** Adds the next call of the log. */
    void add(LoggedCall call) {
        long logged = Math.floorDiv(call.loggedMillis(), 1000L);
        if (logged < first) {
            counts.late++;
            return;
        }
        if (logged > last) {
            emitUntil(logged - SECONDS);
            last = logged;
        }
        while (bytesInUse >= mostBytes && firstThatWaits() < last) {
            emitUntil(firstThatWaits() + 1);
        }
        if (logged < first) {
            counts.late++;
            return;
        }
        if (view == null) {
            view = call.newView();
            first = logged - SECONDS;
        }
        long began = Math.floorDiv(call.startMillis(), 1000L);
        slot(Math.max(began, first)).add(call); // a call that took longer starts late
        if (bytesInUse >= mostBytes) {
            slot(firstThatWaits()).emit(); // even all of one second; its further calls are emitted later
        }
    }

    /** Emits all remaining calls. */
    void finish() {
        emitUntil(last + 1);
    }

    private long firstThatWaits() {
        long second = first;
        while (second < last && slot(second).filled.isEmpty()) {
            second++;
        }
        return second;
    }

    private void emitUntil(long end) {
        if (first == Long.MIN_VALUE) {
            return;
        }
        for (; first < end && bytesInUse > 0; first++) {
            slot(first).emit();
        }
        first = Math.max(first, end);
    }

    private CallsOfSecond slot(long second) {
        return waiting[(int) (second & (SLOTS - 1))];
    }

    /** The calls that began within one second, as bytes, until they are emitted. */
    private final class CallsOfSecond {

        private final List<CallBatch> filled = new ArrayList<>(0);
        private long latestMillis;
        private boolean isSorted;

        private void add(LoggedCall call) {
            long start = call.startMillis();
            isSorted = filled.isEmpty() || (isSorted && start >= latestMillis);
            latestMillis = filled.isEmpty() ? start : Math.max(latestMillis, start);
            if (filled.isEmpty() || !filled.get(filled.size() - 1).add(call)) {
                CallBatch known = call.length() > CHUNK_BYTES ? null : free.pollLast();
                CallBatch chunk = known == null ? new CallBatch(Math.max(CHUNK_BYTES, call.length())) : known;
                bytesInUse += chunk.capacity();
                chunk.add(call);
                filled.add(chunk);
            }
        }

        /** Calls that began at the same time keep the order in which they were added. */
        private void emit() {
            LoggedCall shown = view;
            if (shown == null) {
                return; // there was no call yet
            }
            if (isSorted) {
                filled.forEach(chunk -> chunk.forEach(shown, sink));
            } else {
                emitSorted(shown);
            }
            for (CallBatch chunk : filled) {
                bytesInUse -= chunk.capacity();
                if (chunk.capacity() == CHUNK_BYTES) {
                    chunk.clear();
                    free.addLast(chunk);
                }
            }
            filled.clear();
        }

        private void emitSorted(LoggedCall shown) {
            List<Begun> calls = new ArrayList<>();
            filled.forEach(chunk ->
                    chunk.forEach(shown, call -> calls.add(new Begun(call.startMillis(), call.newView()))));
            calls.sort(Comparator.comparingLong(Begun::millis));
            for (Begun one : calls) {
                shown.moveTo(one.call); // so that memory has the texts of one call only
                sink.accept(shown);
            }
        }
    }

    /** A call, and when it began. */
    private record Begun(long millis, LoggedCall call) {}
}
