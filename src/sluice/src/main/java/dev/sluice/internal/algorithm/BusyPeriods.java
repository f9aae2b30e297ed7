package dev.sluice.internal.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The calls that have recently taken tokens from a bucket, with their times. Calls made at nearly the same time share
 * an entry. A busy period of the bucket lasts until the tokens of all its entries have flowed back in, that is, until
 * the bucket is full again. A single theoretical arrival time would take less memory. With entries, however, a call
 * that is reported late counts as if it had been reported immediately, and a returned call leaves no trace. Not
 * thread-safe.
 */
public final class BusyPeriods {

    /**
     * The maximum number of entries. If it is larger, counting a report takes longer. If it is smaller, refunds and
     * late reports are counted less exactly.
     */
    public static final int MOST = 128;

    /**
     * The maximum error in the reported time of a returned call. If it were larger, returning a call would remove other
     * calls instead. If it were smaller, returning a call would sometimes find no entry and have no effect, so the
     * call's tokens would never be put back.
     */
    public static final long ABOUT_MILLIS = 100;

    /**
     * Two entries of a busy period are merged if the time between them is at most the bucket's refill time divided by
     * this number. If the number is larger, the bucket reaches {@link #MOST} entries sooner. If it is smaller, refunds
     * and late reports are counted less exactly.
     */
    public static final int GRAINS = 16;

    /**
     * The maximum time that the instances of a fleet take to apply a change to the limits. If it were longer, and
     * operators reverted a change within this time, the store would treat the bucket as if its figures had never
     * changed. If it were shorter, the store would mistake the batches of an instance that reloads late for a reversal
     * of the change.
     */
    public static final long LONGEST_CHANGE_MILLIS = 2_000;

    private final Gcra gcra;
    private final @Nullable Before before;
    /** The entries in chronological order. */
    private final List<Taken> entries = new ArrayList<>();

    /** An entry: calls that were made at about the same time. */
    private record Taken(long atMillis, long calls) {}

    /**
     * The refill rate of a bucket before its figures changed.
     *
     * @param token the number of units in one token
     * @param milli the number of units that flow in per millisecond
     * @param untilMillis when the figures changed
     */
    public record Before(long token, long milli, long untilMillis) {

        private static Before of(Gcra gcra, long untilMillis) {
            return new Before(gcra.token(), gcra.milli(), untilMillis);
        }

        private boolean isPaceOf(Gcra gcra) {
            return token == gcra.token() && milli == gcra.milli();
        }

        /**
         * Converts a time before the change, so that calculations can use the new rate throughout. Between the result
         * and the change, the same number of tokens flows in at the new rate as flowed in between {@code atMillis} and
         * the change at the old rate.
         */
        private long moved(long atMillis, Gcra since) {
            if (atMillis >= untilMillis) {
                return atMillis;
            }
            double factor = (double) milli * since.token() / ((double) token * since.milli());
            return Math.max(0, untilMillis - (long) Math.floor((untilMillis - atMillis) * factor));
        }
    }

    /** Creates a full bucket. */
    public BusyPeriods(Gcra gcra) {
        this(gcra, null);
    }

    /** Creates a full bucket that previously refilled at a different rate, unless {@code before} is {@code null}. */
    public BusyPeriods(Gcra gcra, @Nullable Before before) {
        this.gcra = gcra;
        this.before = before;
    }

    /**
     * Returns the same calls, for an instance that counts with different figures. The number of missing tokens stays
     * the same. After the change, tokens flow in at the new rate.
     *
     * @param sinceMillis when the instance began to use its current limits
     */
    public BusyPeriods following(Gcra figures, long sinceMillis, long nowMillis) {
        Before until = Before.of(gcra, Math.min(changedMillis(figures, sinceMillis), nowMillis));
        if (until.isPaceOf(figures)) {
            return figures.equals(gcra) ? this : with(figures, before, at -> at);
        }
        return with(figures, isUndone(figures, sinceMillis) ? before : until, at -> until.moved(at, figures));
    }

    private long changedMillis(Gcra figures, long sinceMillis) {
        if (before == null) {
            return sinceMillis;
        }
        return isUndone(figures, sinceMillis) ? before.untilMillis : Math.max(sinceMillis, before.untilMillis);
    }

    /** Whether the given figures are the old ones, sent by an instance that has not yet applied the last change. */
    private boolean isUndone(Gcra figures, long sinceMillis) {
        return before != null && before.isPaceOf(figures) && sinceMillis - before.untilMillis < LONGEST_CHANGE_MILLIS;
    }

    private BusyPeriods with(Gcra figures, @Nullable Before otherBefore, LongUnaryOperator moved) {
        BusyPeriods same = new BusyPeriods(figures, otherBefore);
        entries.forEach(taken -> same.restore(moved.applyAsLong(taken.atMillis), taken.calls));
        return same;
    }

    /** The bucket's figures. */
    public Gcra gcra() {
        return gcra;
    }

    /** The bucket's previous refill rate; {@code null} if its figures have never changed. */
    public @Nullable Before before() {
        return before;
    }

    /** Appends an entry that was obtained from {@link #forEach}. */
    public void restore(long atMillis, long calls) {
        entries.add(new Taken(atMillis, calls));
    }

    /** Adds calls made at the given time. A negative number removes calls that no longer count. */
    public void add(long madeMillis, long calls, long nowMillis) {
        long atMillis = before == null ? madeMillis : before.moved(madeMillis, gcra);
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
        mergeEntries(nowMillis);
    }

    /**
     * Puts up to the given number of tokens into the bucket by removing the latest calls. Returns the number of tokens
     * added.
     */
    public long fill(long most, long nowMillis) {
        long filled = Math.max(0, Math.min(most, -Math.floorDiv(-ahead(nowMillis), gcra.token())));
        long left = filled;
        for (int i = entries.size() - 1; i >= 0 && left > 0; i--) {
            Taken taken = entries.get(i);
            long cut = Math.min(taken.calls, left);
            entries.set(i, new Taken(taken.atMillis, taken.calls - cut));
            left -= cut;
        }
        entries.removeIf(taken -> taken.calls == 0);
        return filled;
    }

    /** Whether there are still entries for calls made at or before the given time. */
    public boolean hasEntryBy(long madeMillis) {
        long atMillis = before == null ? madeMillis : before.moved(madeMillis, gcra);
        return !entries.isEmpty() && entries.get(0).atMillis <= atMillis;
    }

    /**
     * If the clock has been set back by more than the bucket's refill time, treats calls in the future as if they were
     * made now.
     */
    public void comeBack(long nowMillis) {
        if (!entries.isEmpty() && entries.get(entries.size() - 1).atMillis - nowMillis > gcra.millisToRefill()) {
            entries.replaceAll(taken -> new Taken(Math.min(taken.atMillis, nowMillis), taken.calls));
        }
    }

    /** Removes calls until the number of missing tokens does not exceed the bucket's maximum. */
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
     * Merges neighbouring entries of one busy period if they are close together or so old that none of their calls can
     * be returned. If too many entries remain, merges the two entries between which the bucket was full for the
     * shortest time.
     */
    private void mergeEntries(long nowMillis) {
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
            mergeNearest();
        }
    }

    /**
     * Merges two neighbouring entries. Moves the calls of the earlier entry to just before the later entry, so that the
     * number of missing tokens does not change. Prefers entries of different busy periods, because calls within one
     * busy period could still be returned.
     */
    private void mergeNearest() {
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
        long at = Math.max(earlier.atMillis, later.atMillis - lasts);
        entries.set(nearest, new Taken(at, earlier.calls + later.calls));
    }

    /** Removes calls from the entries nearest to the given time. */
    private void takeBack(long atMillis, long calls) {
        long reach = gcra.depth() / gcra.milli() / GRAINS + ABOUT_MILLIS;
        long left = calls;
        while (left > 0) {
            int nearest = nearest(atMillis, reach);
            nearest = nearest < 0 ? lastingAt(atMillis) : nearest;
            if (nearest < 0) {
                return; // the tokens of all remaining calls have flowed back in
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

    /** The index of the entry nearest to the given time; negative if no entry is within reach. */
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

    /** The index of an entry that still had tokens to flow back in at the given time; negative if there is none. */
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

    /** The time at which the bucket will be full again, in units. */
    private long end() {
        long end = Gcra.FULL;
        for (Taken taken : entries) {
            end = endAfter(end, taken);
        }
        return end;
    }

    /** The number of units that have to flow in before the bucket is full. */
    public long ahead(long nowMillis) {
        return entries.isEmpty() ? 0 : Math.min(Math.max(0, end() - nowMillis * gcra.milli()), gcra.furthest());
    }

    /** Removes busy periods that ended before the given time. */
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

    /** Passes the time and the number of calls of each entry to the reader, in chronological order. */
    public void forEach(BiConsumer<Long, Long> reader) {
        entries.forEach(taken -> reader.accept(taken.atMillis, taken.calls));
    }
}
