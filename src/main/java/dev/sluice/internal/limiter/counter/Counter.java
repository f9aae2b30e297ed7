package dev.sluice.internal.limiter.counter;

import dev.sluice.CounterKey;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Counts one caller's calls in one tier. Safe for any threads. */
public abstract class Counter extends LinkedNodes.Node<Counter> {

    private static final int MOMENT_MILLIS = 250;

    private static final VarHandle REFUNDABLE =
            FieldHandles.of(MethodHandles.lookup(), "refundable", RefundableUse.class);

    public final CounterFamily family;
    /** The value of the subject, or the list of values of several. */
    public final Object values;

    public final List<Subject> subjects;
    /** The number of the latest limits by which its family was chosen; set before other threads can find it. */
    public int limitsNumber;
    /** The lowest bits of the time since when it counts by its family, in place of another counter; set likewise. */
    public int sinceBits;
    /** The lowest bits of the time of its last recorded use: enough to compare short times. */
    private int lastUseBits;
    /** What calls under way took that may be refunded; {@code null} until there is such a call. */
    private volatile @Nullable RefundableUse refundable;

    public Counter(CounterFamily family, Object values) {
        this.family = family;
        this.values = values;
        this.subjects = family.subjects(values);
    }

    /** A counter that continues another one, with its subjects and refundable use. */
    public Counter(CounterFamily family, Counter before) {
        this.family = family;
        this.values = before.values;
        this.subjects = before.subjects;
        this.refundable = before.refundable;
    }

    public final boolean isNamed(CounterFamily ofFamily, Object ofValues) {
        return family == ofFamily && values.equals(ofValues);
    }

    /** Records a use, unless one was recorded a moment ago. Threads may race, which does no harm. */
    public final void recordUse(long nowMillis) {
        int now = (int) nowMillis;
        if (Math.abs(now - lastUseBits) >= MOMENT_MILLIS) {
            lastUseBits = now;
        }
    }

    /** The lowest bits of the time of its last recorded use. */
    public final int lastUse() {
        return lastUseBits;
    }

    /**
     * Decides a call that takes one permit, if a single check is enough: no other thread interferes, and there is a permit,
     * or there surely is none.
     *
     * @param ofFamily this counter's family, which the caller already has in a register
     * @return {@code null} if the full path is needed
     */
    @Nullable public Decision tryDecide(Endpoint endpoint, CounterFamily ofFamily, long nowMillis) {
        return null;
    }

    /** The pool for calls at this time; {@code null} if this counter was retired and another must be looked up. */
    public abstract @Nullable Pool at(long nowMillis);

    /** The key, equal on all instances, of the counter for calls at this time. */
    public final CounterKey keyAt(long nowMillis) {
        return family.keyAt(subjects, nowMillis);
    }

    /** What calls under way took that may be refunded. */
    public final RefundableUse refundable() {
        if (refundable == null) {
            REFUNDABLE.compareAndSet(this, null, new RefundableUse());
        }
        return Objects.requireNonNull(refundable);
    }

    /** The calls that wait until calls under way return something; of a shared counter, its pools have such lines. */
    public final WaitingCalls waiting() {
        return refundable().waiting();
    }

    /** Whether there are such calls. */
    public final boolean isAwaited() {
        RefundableUse made = refundable;
        return made != null && made.isAwaited();
    }

    /** Whether calls under way ever took what may be refunded. */
    protected final boolean mayBeRefunded() {
        return refundable != null;
    }

    /** How much of what was taken in this window may be refunded. */
    public final long refundableIn(long windowNumber) {
        RefundableUse made = refundable;
        return made == null ? 0 : made.in(windowNumber);
    }

    /** Whether so much is used that evicting the counter would let calls pass the limit. */
    public abstract boolean isWorthKeeping(long nowMillis);

    /**
     * Retires this counter if nothing that it counted matters any more; returns whether it did. A retired counter
     * admits nobody.
     */
    public abstract boolean retireIfIdle(long nowMillis);

    // A counter is replaced, and waits for calls that borrow something from it, inside the map's lock for its name.
    // That
    // ends, since a call that borrows something never looks up a counter before it has kept or released it.

    /**
     * Retires this counter, and returns one that continues its count under another limit; {@code null} if that is not
     * possible.
     *
     * @param next a family of the same series that {@linkplain CounterFamily#countsLike counts like} this counter's
     */
    @Nullable public Counter replacedBy(CounterFamily next) {
        retire();
        return null;
    }

    /**
     * Retires this counter if it is shared, once sharing has ended.
     *
     * @return how much was used by then, as far as known; -1 for a local counter, which is not changed
     */
    public long retireBecauseUnshared(long nowMillis) {
        return -1;
    }

    /** Retires this counter: it admits nobody from then on. What is borrowed now can still be kept or released. */
    public abstract void retire();

    public abstract boolean isRetired();

    /** How many calls pass at most, with overage. */
    public final long most() {
        return family.compiledLimit.most;
    }
}
