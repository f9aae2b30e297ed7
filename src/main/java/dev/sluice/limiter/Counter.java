package dev.sluice.limiter;

import dev.sluice.CounterKey;
import dev.sluice.Limit;
import dev.sluice.Subject;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Counts one caller's calls in one tier. Safe for any number of threads. */
abstract sealed class Counter permits WindowCounter, SteadyCounter {

    private static final int MOMENT_MILLIS = 250;

    final CounterFamily family;
    /** The value, or list of values, of the subjects. */
    final Object values;

    final List<Subject> subjects;
    /** Gives the order in which parts are held; unique in the limiter. */
    final long number;

    private final @Nullable Habits habits;
    /** The lowest bits of when its use was noted last: enough to tell a moment from a longer time. */
    private int noted;

    Counter(CounterFamily family, Object values, long number) {
        this.family = family;
        this.values = values;
        this.subjects = family.subjects(values);
        this.number = number;
        this.habits = family.sharing.isShared() ? new Habits() : null;
    }

    static Counter open(CounterFamily family, Object values, long number) {
        Limit limit = family.tier().limit();
        boolean sharesWindows = limit instanceof Limit.FixedWindow && family.sharing.isShared();
        if (sharesWindows || limit instanceof Limit.SlidingWindow) {
            return WindowCounter.begin(family, values, number);
        }
        return SteadyCounter.begin(family, values, number);
    }

    /** Whether no use was noted in the last moment; now it is. Threads may race for it, which does no harm. */
    final boolean noteUse(long nowMillis) {
        int now = (int) nowMillis;
        if (Math.abs(now - noted) < MOMENT_MILLIS) {
            return false;
        }
        noted = now;
        return true;
    }

    /** What a call at that moment takes from, {@code null} if this counter was retired and a new one must be looked up. */
    abstract @Nullable Pool at(long nowMillis);

    /** The name, for all instances, of the counter that a call at that moment is counted in. */
    final CounterKey keyAt(long nowMillis) {
        return family.keyAt(subjects, nowMillis);
    }

    /** Whether so much is used that forgetting it would let somebody pass a limit. */
    abstract boolean mostlySpent(long nowMillis);

    /** Retires this counter if nothing that it knows matters any more; whether it did. */
    abstract boolean retireIfIdle(long nowMillis);

    /** From now on this counter admits nobody. */
    abstract void retire();

    abstract boolean isRetired();

    /**
     * Opens the window after this one before it begins, so that a share of it is in hand when it does; {@code null} if
     * it is too early, not worth it, or done already. The background's alone.
     */
    @Nullable Window openAhead(Window current, long nowMillis) {
        return null;
    }

    /** How it was called lately; only where it is shared. */
    final Habits habits() {
        return Objects.requireNonNull(habits, "a shared counter");
    }

    /** What passes at most, beyond the threshold too. */
    final long most() {
        return family.most;
    }

    /** Whether the store has yet to be asked for frames before this one. The background's alone, as what follows. */
    boolean lacksPastOf(Window frame) {
        return false;
    }

    /** The beginnings of the frames before this one that the store has to be asked for now. */
    List<Long> framesLacking(Window frame, long nowMillis) {
        return List.of();
    }

    /** The totals of the frames before this one, the newest first. */
    long[] framesBefore(Window frame) {
        return new long[0];
    }

    /** The fleet has used so much of the frame that began then. */
    void learnFrame(long start, long total, long nowMillis) {}

    /** So much of the frame that began then was used here. */
    void useFrame(long start, long used) {}

    final CounterKey key(Window counted) {
        return keyAt(counted.start);
    }
}
