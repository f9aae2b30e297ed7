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

/** Counts one caller's calls in one tier. Thread-safe. */
public abstract class Counter extends LinkedNodes.Node<Counter> {

    /**
     * The minimum number of counters in memory. It is enough for all calls in flight; with fewer, calls could evict
     * each other's counters before they take from them.
     */
    private static final int FEWEST_IN_MEMORY = 1_000;

    private static final int MOMENT_MILLIS = 250;

    private static final VarHandle REFUNDABLE =
            FieldHandles.of(MethodHandles.lookup(), "refundable", RefundableUse.class);

    public final CounterFamily family;
    /** The value of the only subject, or the list of values of several. */
    public final Object values;

    public final List<Subject> subjects;
    /** The number of the latest limits that chose its family. */
    private int limitsNumber;
    /** The lowest bits of the time at which it began to count by its family, if it replaced another counter. */
    private int sinceBits;
    /** The lowest bits of the time of its last recorded use; enough to compare short times. */
    private int lastUseBits;
    /** The same bits, as they were when it was last checked whether to evict this counter. */
    private int notedUseBits;
    /** The permits that calls in flight took and may return; {@code null} until there is such a call. */
    private volatile @Nullable RefundableUse refundable;

    public Counter(CounterFamily family, Object values) {
        this.family = family;
        this.values = values;
        this.subjects = family.subjects(values);
    }

    /** How many counters memory holds, given what the limits say. */
    public static int keptInMemory(int maximumCounters) {
        return Math.max(FEWEST_IN_MEMORY, maximumCounters);
    }

    /** A counter that continues another one, with its subjects and refundable use. */
    public Counter(CounterFamily family, Counter before) {
        this.family = family;
        this.values = before.values;
        this.subjects = before.subjects;
        this.refundable = before.refundable;
    }

    /**
     * Notes which limits chose its family, and when it began to count by it. Call this before other threads can find
     * the counter.
     *
     * @param since the lowest bits of the time
     */
    public final void chosen(int byLimits, int since) {
        limitsNumber = byLimits;
        sinceBits = since;
    }

    /** The number of the latest limits that chose its family. */
    public final int limitsNumber() {
        return limitsNumber;
    }

    /** For how long it has counted by its family, if that is a short time. */
    public final int countingMillis(long nowMillis) {
        return Math.abs((int) nowMillis - sinceBits);
    }

    public final boolean isNamed(CounterFamily ofFamily, Object ofValues) {
        return family == ofFamily && values.equals(ofValues);
    }

    /** Records a use, unless one was recorded a moment ago. Threads race here; a lost update does no harm. */
    public final void recordUse(long nowMillis) {
        int now = (int) nowMillis;
        if (Math.abs(now - lastUseBits) >= MOMENT_MILLIS) {
            lastUseBits = now;
        }
    }

    /** Notes the time of its last use. {@link #isUsedSinceNoted} then says whether it was used since. */
    public final void noteLastUse() {
        notedUseBits = lastUseBits;
    }

    public final boolean isUsedSinceNoted() {
        return lastUseBits != notedUseBits;
    }

    /**
     * Decides a call that takes one permit, if a single check is enough, because no other thread interferes and there
     * surely is a permit, or surely none.
     *
     * @param ofFamily this counter's family, which the caller already has in a register
     * @return {@code null} if the full path is needed
     */
    @Nullable public Decision tryDecide(Endpoint endpoint, CounterFamily ofFamily, long nowMillis) {
        return null;
    }

    /**
     * The pool for calls at this time; {@code null} if this counter was retired, and the caller has to look up another.
     */
    public abstract @Nullable Pool at(long nowMillis);

    /** The key of the counter for calls at this time; the same on all instances. */
    public final CounterKey keyAt(long nowMillis) {
        return family.keyAt(subjects, nowMillis);
    }

    /** The permits that calls in flight took and may return. */
    public final RefundableUse refundable() {
        if (refundable == null) {
            REFUNDABLE.compareAndSet(this, null, new RefundableUse());
        }
        return Objects.requireNonNull(refundable);
    }

    /**
     * The line of calls that await the outcomes of calls in flight. Only for local counters; the pools of a shared
     * counter have their own.
     */
    public final CallLine openLine() {
        return refundable().openLine();
    }

    /** Whether calls stand in {@link #openLine the line}. */
    public final boolean isAnyInLine() {
        RefundableUse made = refundable;
        return made != null && made.isAnyInLine();
    }

    /** Whether calls in flight ever took permits that may be refunded. */
    protected final boolean mayBeRefunded() {
        return refundable != null;
    }

    /** How many of the permits that were taken in this window may be returned. */
    public final long refundableIn(long windowNumber) {
        RefundableUse made = refundable;
        return made == null ? 0 : made.in(windowNumber);
    }

    /** Whether so many permits are used that evicting the counter would let its caller exceed the limit. */
    public abstract boolean isWorthKeeping(long nowMillis);

    /**
     * Retires this counter if no call that it counted matters any more. Returns whether it did. A retired counter
     * admits nobody.
     */
    public abstract boolean retireIfIdle(long nowMillis);

    // A counter is replaced while the map's lock for its key is held, and may wait there for calls that borrow from it.
    // There is no deadlock: a call that has borrowed looks up no counter before it has kept or released.

    /**
     * Retires this counter, and returns one that continues its count under another limit; {@code null} if that is
     * impossible.
     *
     * @param next a family of the same series that {@linkplain CounterFamily#countsLike counts like} this counter's
     *     family
     */
    @Nullable public Counter replacedBy(CounterFamily next) {
        retire();
        return null;
    }

    /**
     * Retires this counter if it is shared, once sharing has ended.
     *
     * @return the use until then, as far as known; -1 for a local counter, which stays as it is
     */
    public long retireBecauseUnshared(long nowMillis) {
        return -1;
    }

    /**
     * Retires this counter, which admits nobody from then on. Calls can still keep or release permits that they have
     * borrowed.
     */
    public abstract void retire();

    public abstract boolean isRetired();

    /** The maximum number of calls that pass, including overage. */
    public final long most() {
        return family.compiledLimit.most;
    }
}
