package dev.sluice.limiter.counter;

import dev.sluice.CounterKey;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Counts one caller's calls in one tier. Safe for any number of threads. */
public abstract class Counter {

    private static final int MOMENT_MILLIS = 250;

    private static final VarHandle RESERVE = FieldHandles.of(MethodHandles.lookup(), "reserve", RefundableUse.class);

    public final CounterFamily family;
    /** The value, or list of values, of the subjects. */
    public final Object values;

    public final List<Subject> subjects;
    /** Where it stands in the order of eviction, which alone changes it. */
    public final LinkedNodes.Node<Counter> node = new LinkedNodes.Node<>(this);
    /** The lowest bits of when its use was noted last: enough to tell a moment from a longer time. */
    private int noted;
    /** What calls under way have taken that may yet come back; only where there ever was such a call. */
    private volatile @Nullable RefundableUse reserve;

    public Counter(CounterFamily family, Object values) {
        this.family = family;
        this.values = values;
        this.subjects = family.subjects(values);
    }

    /** One that goes on where another ends: the subjects are the same, and what may yet come back. */
    public Counter(CounterFamily family, Counter before) {
        this.family = family;
        this.values = before.values;
        this.subjects = before.subjects;
        this.reserve = before.reserve;
    }

    public final boolean isNamed(CounterFamily ofFamily, Object ofValues) {
        return family == ofFamily && values.equals(ofValues);
    }

    /** Notes the use, unless one was noted in the last moment. Threads may race for it, which does no harm. */
    public final void noteUse(long nowMillis) {
        int now = (int) nowMillis;
        if (Math.abs(now - noted) >= MOMENT_MILLIS) {
            noted = now;
        }
    }

    /** The lowest bits of when its use was noted last. */
    public final int lastUse() {
        return noted;
    }

    /**
     * Takes one for good and answers, where that takes no more than a look: there is enough, and nobody else has
     * anything to say.
     *
     * @param ofFamily this counter's family, which whoever has found the counter has at hand: to fetch it from here
     *     takes longer
     * @return {@code null} if it takes more
     */
    @Nullable public Decision admitAtOnce(Endpoint endpoint, CounterFamily ofFamily, long nowMillis) {
        return null;
    }

    /**
     * What a call at that moment takes from, {@code null} if this counter was retired and another must be looked up.
     */
    public abstract @Nullable Pool at(long nowMillis);

    /** The name, for all instances, of the counter that a call at that moment is counted in. */
    public final CounterKey keyAt(long nowMillis) {
        return family.keyAt(subjects, nowMillis);
    }

    /** What calls under way have taken that may yet come back. */
    public final RefundableUse reserve() {
        if (reserve == null) {
            RESERVE.compareAndSet(this, null, new RefundableUse());
        }
        return Objects.requireNonNull(reserve);
    }

    /** How much of what was taken in that window may come back. */
    public final long reservedIn(long windowNumber) {
        RefundableUse made = reserve;
        return made == null ? 0 : made.in(windowNumber);
    }

    /** Whether so much is used that forgetting it would let somebody pass a limit. */
    public abstract boolean isWorthKeeping(long nowMillis);

    /**
     * Retires this counter, which admits nobody from then on, if nothing that it knows matters any more; whether it
     * did.
     */
    public abstract boolean retireIfIdle(long nowMillis);

    // A counter is succeeded, and waits for calls that hold something in it, inside the map's lock for its name. That
    // ends, since a call that holds something never looks up a counter before it has kept or released it.

    /**
     * The counter that goes on with all that was counted here, under another limit of the same series, if there can be
     * one; this one is retired.
     */
    @Nullable public Counter succeededBy(CounterFamily next) {
        retire();
        return null;
    }

    /**
     * Retires this counter if it is shared, now that nothing is shared any more.
     *
     * @return how much was used by then, as far as is known; -1 for a local counter, which stays as it is
     */
    public long retireBecauseUnshared(long nowMillis) {
        return -1;
    }

    /** From now on this counter admits nobody. What is held at this moment is still kept or given back. */
    public abstract void retire();

    public abstract boolean isRetired();

    /** What passes at most, beyond the threshold too. */
    public final long most() {
        return family.compiledLimit.most;
    }
}
