package dev.sluice.cli.rehearse.log;

import dev.sluice.cli.rehearse.format.LoggedCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Puts calls in the order in which they began. Logs are written as calls end, so lines may be minutes out of order: a
 * call is handed on once the log is five minutes further, or sooner if very many wait. For one thread.
 */
final class TimeOrder {

    private static final int SECONDS = 300;
    private static final int PLACES = 512;
    private static final Comparator<LoggedCall> BY_START = Comparator.comparingLong(LoggedCall::startMillis);

    private final Readings readings;
    private final Consumer<LoggedCall> sink;
    private final int most;
    /** By the second in which they began. */
    private final List<List<LoggedCall>> waiting = new ArrayList<>(PLACES);

    private int count;
    /** The first second that was not handed on. */
    private long first = Long.MIN_VALUE;

    private long last = Long.MIN_VALUE;

    /** Makes one that keeps about so many calls at most. */
    TimeOrder(Readings readings, int most, Consumer<LoggedCall> sink) {
        this.readings = readings;
        this.most = most;
        this.sink = sink;
        for (int i = 0; i < PLACES; i++) {
            waiting.add(new ArrayList<>(0));
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
        if (count >= most) {
            handOnUntil(firstThatWaits() + 1);
        }
        long began = Math.floorDiv(call.startMillis(), 1000L);
        if (first == Long.MIN_VALUE) {
            first = logged - SECONDS;
        }
        place(Math.max(began, first)).add(call); // one that took longer than that begins late
        count++;
    }

    /** Hands on all that is left. */
    void finish() {
        if (count > 0) {
            handOnUntil(last + 1);
        }
    }

    private long firstThatWaits() {
        long second = first;
        while (second < last && place(second).isEmpty()) {
            second++;
        }
        return second;
    }

    private void handOnUntil(long end) {
        if (first == Long.MIN_VALUE) {
            return;
        }
        for (; first < end && count > 0; first++) {
            handOn(place(first));
        }
        first = Math.max(first, end);
    }

    private void handOn(List<LoggedCall> calls) {
        if (calls.isEmpty()) {
            return;
        }
        calls.sort(BY_START);
        count -= calls.size();
        calls.forEach(sink);
        calls.clear();
    }

    private List<LoggedCall> place(long second) {
        return waiting.get((int) (second & (PLACES - 1)));
    }
}
