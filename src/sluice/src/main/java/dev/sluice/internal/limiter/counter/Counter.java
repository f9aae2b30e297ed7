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

/** A counter of one caller's calls under one tier. Thread-safe. */
public abstract class Counter extends LinkedNodes.Node<Counter> {

    /**
     * The lower bound for the effective maximum number of counters in memory. This number of counters is sufficient for
     * all calls in flight. With a lower maximum, calls could evict each other's counters before any permits are taken
     * from those counters.
     */
    private static final int FEWEST_IN_MEMORY = 1_000;

    private static final int MOMENT_MILLIS = 250;

    private static final VarHandle REFUNDABLE =
            FieldHandles.of(MethodHandles.lookup(), "refundable", RefundableUse.class);

    public final CounterFamily family;
    /** The value of the only subject, or the list of values if there are several subjects. */
    public final Object values;

    public final List<Subject> subjects;
    /** The sequence number of the latest limits that selected this counter's family. */
    private int limitsNumber;
    /**
     * The lowest bits of the time when this counter began to count for its family, if it replaced an earlier counter.
     */
    private int sinceBits;
    /** The lowest bits of the time of the last recorded use. They are sufficient to measure short time spans. */
    private int lastUseBits;
    /** The value of {@code lastUseBits} when this counter was last considered for eviction. */
    private int notedUseBits;
    /** The permits that calls in flight took and could return; {@code null} before the first such call. */
    private volatile @Nullable RefundableUse refundable;

    public Counter(CounterFamily family, Object values) {
        this.family = family;
        this.values = values;
        this.subjects = family.subjects(values);
    }

    /** Returns the maximum number of counters in memory, based on the configured maximum. */
    public static int keptInMemory(int maximumCounters) {
        return Math.max(FEWEST_IN_MEMORY, maximumCounters);
    }

    /**
     * Creates a counter that continues the given counter. The new counter takes over the subjects and the refundable
     * use.
     */
    public Counter(CounterFamily family, Counter before) {
        this.family = family;
        this.values = before.values;
        this.subjects = before.subjects;
        this.refundable = before.refundable;
    }

    /**
     * Sets which limits selected this counter's family, and when this counter began to count for that family. Call this
     * before other threads can find the counter.
     *
     * @param since the lowest bits of the time when this counter began to count for its family
     */
    public final void chosen(int byLimits, int since) {
        limitsNumber = byLimits;
        sinceBits = since;
    }

    /** Returns the sequence number of the latest limits that selected this counter's family. */
    public final int limitsNumber() {
        return limitsNumber;
    }

    /** Returns how long this counter has counted for its family. The result is valid only for short time spans. */
    public final int countingMillis(long nowMillis) {
        return Math.abs((int) nowMillis - sinceBits);
    }

    public final boolean isNamed(CounterFamily ofFamily, Object ofValues) {
        return family == ofFamily && values.equals(ofValues);
    }

    /** Records a use, unless one was recorded a moment ago. Threads race here, but a lost update does no harm. */
    public final void recordUse(long nowMillis) {
        int now = (int) nowMillis;
        if (Math.abs(now - lastUseBits) >= MOMENT_MILLIS) {
            lastUseBits = now;
        }
    }

    /**
     * Remembers the time of the last use. After that, {@link #isUsedSinceNoted} indicates whether the counter has been
     * used again.
     */
    public final void noteLastUse() {
        notedUseBits = lastUseBits;
    }

    public final boolean isUsedSinceNoted() {
        return lastUseBits != notedUseBits;
    }

    /**
     * Decides a call that takes one permit, provided that a single check is sufficient. This is the case if no other
     * thread interferes and a permit is either certainly available or certainly unavailable.
     *
     * @param ofFamily this counter's family, which the calling method already has in a register
     * @return the decision; {@code null} if the full path is needed
     */
    @Nullable public Decision tryDecide(Endpoint endpoint, CounterFamily ofFamily, long nowMillis) {
        return null;
    }

    /**
     * Returns the pool for calls at the given time; {@code null} if this counter was retired. The caller then has to
     * look up the counter again.
     */
    public abstract @Nullable Pool at(long nowMillis);

    /** Returns the key of the counter for calls at the given time. The key is the same on all instances. */
    public final CounterKey keyAt(long nowMillis) {
        return family.keyAt(subjects, nowMillis);
    }

    /** Returns the permits that calls in flight took and could return. */
    public final RefundableUse refundable() {
        if (refundable == null) {
            REFUNDABLE.compareAndSet(this, null, new RefundableUse());
        }
        return Objects.requireNonNull(refundable);
    }

    /**
     * Returns the line of calls that await the outcomes of calls in flight. Only local counters use it, because the
     * pools of shared counters have their own lines.
     */
    public final CallLine openLine() {
        return refundable().openLine();
    }

    /** Whether any call stands in {@link #openLine the line}. */
    public final boolean isAnyInLine() {
        RefundableUse made = refundable;
        return made != null && made.isAnyInLine();
    }

    /** Whether any call in flight has ever taken permits that could be refunded. */
    protected final boolean mayBeRefunded() {
        return refundable != null;
    }

    /** Returns the number of permits that were taken in the given window and could be returned. */
    public final long refundableIn(long windowNumber) {
        RefundableUse made = refundable;
        return made == null ? 0 : made.in(windowNumber);
    }

    /**
     * Whether the eviction of this counter could let its caller exceed the limit, because many permits are already
     * used.
     */
    public abstract boolean isWorthKeeping(long nowMillis);

    /**
     * Retires this counter if its recorded calls no longer matter. Returns whether the counter was retired. A retired
     * counter admits no calls.
     */
    public abstract boolean retireIfIdle(long nowMillis);

    // While a counter is being replaced, the map's lock for its key is held. The replacing thread might have to wait
    // for calls that are borrowing from the counter. There is no deadlock, because a call that has borrowed looks up no
    // counter before it has kept or released its permits.

    /**
     * Retires this counter, and returns a counter that continues its count under a different limit; {@code null} if
     * that is impossible.
     *
     * @param next a family of the same series that {@linkplain CounterFamily#countsLike counts like} this counter's
     *     family
     */
    @Nullable public Counter replacedBy(CounterFamily next) {
        retire();
        return null;
    }

    /**
     * Retires this counter if it is shared and sharing has ended.
     *
     * @return the known use of this counter up to now; -1 for a local counter, which remains unchanged
     */
    public long retireBecauseUnshared(long nowMillis) {
        return -1;
    }

    /**
     * Retires this counter. It admits no calls from then on. Calls can still keep or release permits that they have
     * borrowed.
     */
    public abstract void retire();

    public abstract boolean isRetired();

    /** Returns the maximum number of calls that can pass, including overage. */
    public final long most() {
        return family.compiledLimit.most;
    }
}
