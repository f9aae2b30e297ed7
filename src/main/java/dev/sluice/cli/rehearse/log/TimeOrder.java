package dev.sluice.cli.rehearse.log;

import static java.util.Objects.requireNonNull;

import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts calls in the order in which they began. Logs are written as calls end, so lines may be minutes out of order: a
 * call is handed on once the log is five minutes further, or sooner if those that wait take much memory. For one
 * thread.
 */
final class TimeOrder {

    private static final int SECONDS = 300;
    private static final int SLOTS = 512;

    private final LogSummary readings;
    private final Consumer<LoggedCall> sink;
    private final long mostBytes;
    private final ChunkPool chunks = new ChunkPool();
    /** By the second in which they began. */
    private final CallsOfSecond[] waiting = new CallsOfSecond[SLOTS];

    /** In which calls are handed on. */
    private @Nullable LoggedCall view;

    /** The first second that was not handed on. */
    private long first = Long.MIN_VALUE;

    private long last = Long.MIN_VALUE;

    /** Makes one that keeps calls of about so many bytes at most. */
    TimeOrder(LogSummary readings, long mostBytes, Consumer<LoggedCall> sink) {
        this.readings = readings;
        this.mostBytes = mostBytes;
        this.sink = sink;
        for (int i = 0; i < SLOTS; i++) {
            waiting[i] = new CallsOfSecond(chunks);
        }
    }

    /** Takes the next call of the log. */
    void add(LoggedCall call) {
        long logged = Math.floorDiv(call.loggedMillis(), 1000L);
        if (logged < first) {
            readings.addLate();
            return;
        }
        if (logged > last) {
            handOnUntil(logged - SECONDS);
            last = logged;
        }
        while (chunks.bytesInUse() >= mostBytes && firstThatWaits() < last) {
            handOnUntil(firstThatWaits() + 1);
        }
        if (logged < first) {
            readings.addLate();
            return;
        }
        if (view == null) {
            view = call.another();
            first = logged - SECONDS;
        }
        long began = Math.floorDiv(call.startMillis(), 1000L);
        slot(Math.max(began, first)).add(call); // one that took longer than that begins late
        if (chunks.bytesInUse() >= mostBytes) {
            handOn(slot(firstThatWaits())); // all of one second: what else of it follows is handed on behind
        }
    }

    /** Hands on all that is left. */
    void finish() {
        handOnUntil(last + 1);
    }

    private long firstThatWaits() {
        long second = first;
        while (second < last && slot(second).isEmpty()) {
            second++;
        }
        return second;
    }

    private void handOnUntil(long end) {
        if (first == Long.MIN_VALUE) {
            return;
        }
        for (; first < end && chunks.bytesInUse() > 0; first++) {
            handOn(slot(first));
        }
        first = Math.max(first, end);
    }

    private void handOn(CallsOfSecond calls) {
        if (!calls.isEmpty()) {
            calls.handOn(requireNonNull(view), sink);
        }
    }

    private CallsOfSecond slot(long second) {
        return waiting[(int) (second & (SLOTS - 1))];
    }
}
