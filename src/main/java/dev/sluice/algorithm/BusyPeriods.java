package dev.sluice.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * What was taken from a bucket lately, as the times in which the bucket was not full: each such busy period has a start
 * and a number of calls, and ends when their tokens have flowed in again. Unlike a single theoretical arrival time,
 * they take in calls that are reported late, and by several instances, as if each had been counted when it was made.
 * For one thread at a time.
 */
public final class BusyPeriods {

    /** More of them are not kept: the two between which the bucket was full for the shortest time become one. */
    public static final int MOST = 128;

    /** By so much the time may be wrong at which calls were made that count no more. */
    private static final long ABOUT_MILLIS = 100;

    private final Gcra gcra;
    /** In their order; none overlaps the next. */
    private final List<Period> periods = new ArrayList<>();

    /** A time in which the bucket was not full. */
    private record Period(long startMillis, long calls) {}

    /** A bucket that was always full. */
    public BusyPeriods(Gcra gcra) {
        this.gcra = gcra;
    }

    /** The same calls, taken from a bucket of other figures. */
    public BusyPeriods under(Gcra other) {
        BusyPeriods same = new BusyPeriods(other);
        same.periods.addAll(periods);
        same.join(0);
        return same;
    }

    /** Notes calls, made at that moment; below zero if such calls count no more. */
    public void add(long atMillis, long calls, long nowMillis) {
        if (calls <= 0) {
            takeBack(atMillis, -calls);
            return;
        }
        int place = periods.size();
        while (place > 0 && periods.get(place - 1).startMillis > atMillis) {
            place--;
        }
        periods.add(place, new Period(atMillis, calls));
        join(Math.max(0, place - 1));
        bound(nowMillis);
    }

    /** Makes one of neighbours that overlap, from that place on. */
    private void join(int from) {
        int i = from;
        while (i + 1 < periods.size()) {
            Period earlier = periods.get(i);
            Period later = periods.get(i + 1);
            if (end(earlier) >= later.startMillis * gcra.milli()) {
                periods.set(i, new Period(earlier.startMillis, earlier.calls + later.calls));
                periods.remove(i + 1);
            } else {
                i++;
            }
        }
        while (periods.size() > MOST) {
            joinNearest();
        }
    }

    /** Counts the calls of one period as made just before the next one, which ends when it did. */
    private void joinNearest() {
        int nearest = 0;
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i + 1 < periods.size(); i++) {
            long pause = periods.get(i + 1).startMillis * gcra.milli() - end(periods.get(i));
            if (pause < shortest) {
                shortest = pause;
                nearest = i;
            }
        }
        Period earlier = periods.get(nearest);
        Period later = periods.remove(nearest + 1);
        long lasts = (earlier.calls * gcra.token() + gcra.milli() / 2) / gcra.milli();
        periods.set(nearest, new Period(later.startMillis - lasts, earlier.calls + later.calls));
    }

    /** No more is believed than a bucket can be short of. */
    private void bound(long nowMillis) {
        Period last = periods.get(periods.size() - 1);
        long most = nowMillis * gcra.milli() + gcra.furthest();
        if (end(last) > most) {
            long calls = Math.max(0, (most - last.startMillis * gcra.milli()) / gcra.token());
            periods.set(periods.size() - 1, new Period(Math.min(last.startMillis, nowMillis), calls));
        }
    }

    /**
     * Calls that were noted count no more. They are taken out of the period in which they were made: if their tokens
     * have flowed in again, nothing comes back.
     */
    private void takeBack(long atMillis, long calls) {
        int place = 0;
        while (place < periods.size() && end(periods.get(place)) <= atMillis * gcra.milli()) {
            place++;
        }
        if (place < periods.size() && periods.get(place).startMillis > atMillis + ABOUT_MILLIS) {
            return;
        }
        long left = calls;
        while (left > 0 && place < periods.size()) {
            Period period = periods.get(place);
            if (period.calls > left) {
                periods.set(place, new Period(period.startMillis, period.calls - left));
                return;
            }
            left -= period.calls;
            periods.remove(place);
        }
    }

    private long end(Period period) {
        return period.startMillis * gcra.milli() + period.calls * gcra.token();
    }

    /** The units that what was taken takes to flow in again. */
    public long ahead(long nowMillis) {
        if (periods.isEmpty()) {
            return 0;
        }
        return Math.min(Math.max(0, end(periods.get(periods.size() - 1)) - nowMillis * gcra.milli()), gcra.furthest());
    }

    /** Forgets periods that ended before that moment. */
    public void forgetBefore(long millis) {
        while (!periods.isEmpty() && end(periods.get(0)) <= millis * gcra.milli()) {
            periods.remove(0);
        }
    }

    /** Adds a period that {@link #forEach} has told, after the others. */
    public void restore(long startMillis, long calls) {
        periods.add(new Period(startMillis, calls));
    }

    /** Tells the start and the calls of each period, in their order. */
    public void forEach(BiConsumer<Long, Long> reader) {
        periods.forEach(period -> reader.accept(period.startMillis, period.calls));
    }
}
