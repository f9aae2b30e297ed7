package dev.sluice.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * What was taken from a bucket lately, and when: calls that were made at nearly the same time are one entry. The bucket
 * is full where the tokens of all entries before have flowed in again; the time until then is a busy period. Unlike a
 * single theoretical arrival time, entries take in calls that are reported late, and by several instances, as if each
 * had been counted when it was made; and calls that count no more are taken out as if they had never been made. For one
 * thread at a time.
 */
public final class BusyPeriods {

    /** More entries are not kept. */
    public static final int MOST = 128;

    /** By so much the time may be wrong at which calls were made that count no more. */
    private static final long ABOUT_MILLIS = 100;

    /** Entries of one busy period become one if they are nearer than this part of the time in which a bucket fills. */
    private static final int GRAINS = 16;

    private final Gcra gcra;
    /** In the order of their times. */
    private final List<Taken> entries = new ArrayList<>();

    /** Calls that were made at about that time. */
    private record Taken(long atMillis, long calls) {}

    /** A bucket that was always full. */
    public BusyPeriods(Gcra gcra) {
        this.gcra = gcra;
    }

    /** The same calls, taken from a bucket of other figures. */
    public BusyPeriods under(Gcra other) {
        BusyPeriods same = new BusyPeriods(other);
        same.entries.addAll(entries);
        return same;
    }

    /** Adds an entry that {@link #forEach} has told, after the others. */
    public void restore(long atMillis, long calls) {
        entries.add(new Taken(atMillis, calls));
    }

    /** Notes calls, made at that moment; below zero if such calls count no more. */
    public void add(long atMillis, long calls, long nowMillis) {
        if (calls <= 0) {
            takeBack(atMillis, -calls);
            return;
        }
        int index = entries.size();
        while (index > 0 && entries.get(index - 1).atMillis > atMillis) {
            index--;
        }
        entries.add(index, new Taken(atMillis, calls));
        bound(nowMillis);
        join(nowMillis);
    }

    /** No more is believed than a bucket can be short of. */
    private void bound(long nowMillis) {
        long most = nowMillis * gcra.milli() + gcra.furthest();
        if (end() <= most) {
            return;
        }
        entries.replaceAll(taken -> new Taken(Math.min(taken.atMillis, nowMillis), taken.calls));
        long excess = end() - most;
        for (int i = entries.size() - 1; i >= 0 && excess > 0; i--) {
            Taken taken = entries.get(i);
            long cut = Math.min(taken.calls, -Math.floorDiv(-excess, gcra.token()));
            entries.set(i, new Taken(taken.atMillis, taken.calls - cut));
            excess -= cut * gcra.token();
        }
        entries.removeIf(taken -> taken.calls == 0);
    }

    /**
     * Makes one of neighbours in a busy period that are near each other, or so old that nothing of them comes back any
     * more. While there are too many, the two become one between which the bucket was full for the shortest time.
     */
    private void join(long nowMillis) {
        long grain = gcra.depth() / gcra.milli() / GRAINS;
        long old = nowMillis - gcra.millisToRefill();
        long end = Gcra.FULL;
        int i = 0;
        while (i + 1 < entries.size()) {
            Taken earlier = entries.get(i);
            Taken later = entries.get(i + 1);
            long endOfEarlier = endAfter(end, earlier);
            boolean isBusy = endOfEarlier >= later.atMillis * gcra.milli();
            if (isBusy && (later.atMillis - earlier.atMillis <= grain || later.atMillis < old)) {
                entries.set(i, new Taken(earlier.atMillis, earlier.calls + later.calls));
                entries.remove(i + 1);
            } else {
                end = endOfEarlier;
                i++;
            }
        }
        while (entries.size() > MOST) {
            joinNearest();
        }
    }

    /**
     * Counts the calls of one entry as made just before the next one, so that the bucket is as short as it was. Entries of
     * one busy period are left as they are, if others can be joined: they are the ones of which calls come back.
     */
    private void joinNearest() {
        int nearest = 0;
        long shortest = Long.MAX_VALUE;
        long end = Gcra.FULL;
        for (int i = 0; i + 1 < entries.size(); i++) {
            end = endAfter(end, entries.get(i));
            long pause = entries.get(i + 1).atMillis * gcra.milli() - end;
            if (pause >= 0 && pause < shortest) {
                shortest = pause;
                nearest = i;
            }
        }
        Taken earlier = entries.get(nearest);
        Taken later = entries.remove(nearest + 1);
        long lasts = (earlier.calls * gcra.token() + gcra.milli() / 2) / gcra.milli();
        long at = 0 < shortest && shortest < Long.MAX_VALUE ? later.atMillis - lasts : earlier.atMillis;
        entries.set(nearest, new Taken(at, earlier.calls + later.calls));
    }

    /** Calls that were noted count no more. They are taken out of the entries that are nearest to their time. */
    private void takeBack(long atMillis, long calls) {
        long reach = gcra.depth() / gcra.milli() / GRAINS + ABOUT_MILLIS;
        long left = calls;
        while (left > 0) {
            int nearest = nearest(atMillis, reach);
            nearest = nearest < 0 ? lastingAt(atMillis) : nearest;
            if (nearest < 0) {
                return; // their tokens have flowed in again
            }
            Taken taken = entries.get(nearest);
            if (taken.calls > left) {
                entries.set(nearest, new Taken(taken.atMillis, taken.calls - left));
                return;
            }
            left -= taken.calls;
            entries.remove(nearest);
        }
    }

    /** The index of the entry that is nearest to that time; negative if none is within reach. */
    private int nearest(long atMillis, long reach) {
        int nearest = -1;
        long shortest = reach + 1;
        for (int i = 0; i < entries.size(); i++) {
            long distance = Math.abs(entries.get(i).atMillis - atMillis);
            if (distance < shortest) {
                shortest = distance;
                nearest = i;
            }
        }
        return nearest;
    }

    /** The index of an entry whose tokens had not flowed in at that time; negative if there is none. */
    private int lastingAt(long atMillis) {
        for (int i = entries.size() - 1; i >= 0; i--) {
            Taken taken = entries.get(i);
            boolean hadBegun = taken.atMillis <= atMillis;
            if (hadBegun && taken.atMillis * gcra.milli() + taken.calls * gcra.token() > atMillis * gcra.milli()) {
                return i;
            }
        }
        return -1;
    }

    private long endAfter(long end, Taken next) {
        return Math.max(end, next.atMillis * gcra.milli()) + next.calls * gcra.token();
    }

    /** When the bucket is full again, in units. */
    private long end() {
        long end = Gcra.FULL;
        for (Taken taken : entries) {
            end = endAfter(end, taken);
        }
        return end;
    }

    /** The units that what was taken takes to flow in again. */
    public long ahead(long nowMillis) {
        return entries.isEmpty() ? 0 : Math.min(Math.max(0, end() - nowMillis * gcra.milli()), gcra.furthest());
    }

    /** Forgets busy periods that ended before that moment. */
    public void forgetBefore(long millis) {
        long end = Gcra.FULL;
        int over = 0;
        for (int i = 0; i < entries.size(); i++) {
            boolean wasFull = end < entries.get(i).atMillis * gcra.milli();
            over = wasFull && end <= millis * gcra.milli() ? i : over;
            end = endAfter(end, entries.get(i));
        }
        over = end <= millis * gcra.milli() ? entries.size() : over;
        entries.subList(0, over).clear();
    }

    /** Tells the time and the calls of each entry, in their order. */
    public void forEach(BiConsumer<Long, Long> reader) {
        entries.forEach(taken -> reader.accept(taken.atMillis, taken.calls));
    }
}
