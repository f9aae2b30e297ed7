package dev.sluice.internal.limiter.shared;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.LATE_CALLS_MILLIS;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.internal.limiter.counter.CallLine;
import dev.sluice.internal.limiter.counter.FieldHandles;
import dev.sluice.internal.limiter.counter.OpenWindow;
import dev.sluice.internal.limiter.counter.Permits;
import dev.sluice.internal.limiter.counter.Span;
import dev.sluice.internal.limiter.counter.Turn;
import dev.sluice.internal.limiter.rule.SharedBucket;
import dev.sluice.internal.limiter.rule.SharedLimit;
import dev.sluice.internal.limiter.rule.SharedLimits;
import dev.sluice.internal.limiter.shared.SharedWindows.Attachment;
import dev.sluice.internal.limiter.shared.UseTimes.Calls;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The permits in hand of one shared counter. The permits were either granted ahead by the store, or they are ungranted.
 * If the limit has windows, there is one pool for each window or frame. Calls take permits from {@link Permits} and
 * read the {@link SharedSnapshot}. The background thread adds and removes permits, and publishes snapshots.
 * Thread-safe, except for the methods under "For the background thread only".
 */
public final class SharedPool extends OpenWindow {

    private static final VarHandle OVERDRAWN = FieldHandles.of(MethodHandles.lookup(), "overdrawn", long.class);
    private static final VarHandle LINE = FieldHandles.of(MethodHandles.lookup(), "line", CallLine.class);
    private static final VarHandle CHECK_REQUESTED =
            FieldHandles.of(MethodHandles.lookup(), "checkRequested", boolean.class);

    /** The line of calls that lack permits; {@code null} before the first call joins it. */
    private volatile @Nullable CallLine line;
    /** The amount that was charged beyond the permits in hand. */
    private volatile long overdrawn;
    /** Whether a requested check of this pool has yet to be made. */
    private volatile boolean checkRequested;
    /** The number of permits ever added, minus those removed unspent. Only the background thread writes this field. */
    private volatile long added;
    /** The number of permits that the store has recorded as used or held by this instance. */
    private volatile long recorded;
    /**
     * The number of recorded permits that were held. If the limit is a bucket, held permits are not in the bucket, even
     * if the store's figures show that it is full.
     */
    private volatile long held;
    /**
     * Whether permits have been returned but are not in hand yet. If so, the snapshot might wrongly show that none
     * remain.
     */
    private volatile boolean returning;

    private volatile boolean calledForFree;
    /** The times of calls that have not been reported to the store yet; {@code null} for rules without times. */
    private final @Nullable UseTimes times;
    /** The turns of calls; {@code null} unless the limit queues calls. */
    private final @Nullable QueueSchedule schedule;
    /**
     * The background thread's data about this pool. Before that thread has seen the pool, this field contains the
     * numbers stored while the pool was dormant, if there are any.
     */
    private volatile @Nullable Attachment attachment;

    private volatile SharedSnapshot snapshot;
    /** Whether permits are being withdrawn although the snapshot still shows them as in hand. */
    private volatile boolean withdrawing;

    /**
     * Creates a pool. Its initial permits in hand are the ungranted permits of its first snapshot.
     *
     * @param dormant the numbers stored while this window or an earlier one was dormant; {@code null} if no window was
     *     dormant
     */
    SharedPool(
            SharedWindows counter,
            Span span,
            SharedLimit limit,
            SharedSnapshot snapshot,
            @Nullable DormantWindow dormant) {
        super(counter, span, new Permits(snapshot.ungranted()));
        this.times = limit.useTimesKeptMillis() > 0 ? new UseTimes() : null;
        this.schedule = counter.family.compiledLimit.hasQueue ? new QueueSchedule() : null;
        this.snapshot = snapshot;
        this.attachment = dormant;
        this.recorded = dormant != null && dormant.start() == start() ? dormant.reported : 0;
        this.added = snapshot.ungranted() + recorded;
    }

    public SharedWindows windows() {
        return SharedWindows.of(counter);
    }

    public boolean isUnseen() {
        return attachment == null || attachment instanceof DormantWindow;
    }

    public @Nullable Attachment attachment() {
        return attachment;
    }

    public SharedSnapshot snapshot() {
        return snapshot;
    }

    public long overdrawn() {
        return overdrawn;
    }

    /**
     * Whether permits have been returned but are not in hand yet. If so, the snapshot might wrongly show that none
     * remain.
     */
    public boolean isReturning() {
        return returning;
    }

    /**
     * Returns the numbers stored while the pool was dormant; {@code null} once the background thread has seen the pool.
     */
    public @Nullable DormantWindow dormant() {
        return attachment instanceof DormantWindow dormant ? dormant : null;
    }

    /** Returns the limit as the store counts it. The object is created on demand, so pools need not store it. */
    public SharedLimit limit() {
        return SharedLimits.of(counter.family.tier, start(), end());
    }

    // ---- For the background thread only

    /** Records that the background thread has seen the pool, and stores that thread's data with the pool. */
    public void attach(Attachment data) {
        attachment = data;
    }

    /**
     * Records that permits are being returned but are not in hand yet. Calls may wait until the background thread has
     * handled the return.
     */
    public void expectReturn() {
        returning = true;
    }

    /** Records that the snapshot now includes the returned permits. */
    public void returnIsNoted() {
        returning = false;
    }

    /** Sets whether a requested check still has to be made. Returns {@code false} if that value was already set. */
    public boolean noteCheckRequested(boolean requested) {
        return checkRequested != requested && CHECK_REQUESTED.compareAndSet(this, !requested, requested);
    }

    public void put(long more) {
        add(more);
        permits.add(more);
    }

    /** Takes out up to the given number of unspent permits, and returns how many were taken out. */
    long takeOut(long atMost) {
        long taken = permits.drain(atMost);
        add(-taken);
        return taken;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only the background thread writes it
    private void add(long more) {
        added += more;
    }

    /**
     * Takes out permits that calls may no longer use. Until the next snapshot is published, calls that find no permit
     * wait.
     */
    public long withdraw(long atMost) {
        withdrawing = true;
        return takeOut(atMost);
    }

    /**
     * Adds the permits that the store has granted. Their turns are added first, so calls that find the permits also
     * find the turns.
     */
    public void put(Grant grant, long nowMillis) {
        if (schedule != null && limit().usageAfter(grant, nowMillis) instanceof SharedBucket.Usage bucket) {
            schedule.add(grant.granted(), bucket, nowMillis);
        }
        put(grant.granted());
        windows().history.frames.set(start(), grant.asIfNotGiven().total(), grant.details());
        windows().history.unrecorded.set(start(), 0);
    }

    /**
     * Takes up to the given number of unspent permits and their turns out of the pool, to return the permits to the
     * store.
     */
    public void giveBack(long atMost) {
        long taken = takeOut(atMost);
        if (schedule != null) {
            schedule.dropLast(taken);
        }
    }

    /** Returns whether calls whose cost is charged later have passed since this method was last invoked. */
    public boolean forgetFreeCalls() {
        boolean had = calledForFree;
        if (had) {
            calledForFree = false;
        }
        return had;
    }

    /**
     * Publishes the latest snapshot to calls.
     *
     * @param recordedNow the number of permits that the store has recorded as used or held by this instance
     * @param heldNow the number of recorded permits that were held
     */
    public void publish(SharedSnapshot next, long recordedNow, long heldNow) {
        recorded = recordedNow;
        held = heldNow;
        snapshot = next;
        withdrawing = false;
    }

    /** Removes and returns the times of unreported calls. The list is empty for rules without times. */
    public List<Calls> drainTimes() {
        return times == null ? List.of() : times.drain();
    }

    /**
     * Closes the pool, and replaces it with a few stored numbers. Returns the stored numbers, or {@code null} if the
     * counter already has a newer pool. A call might take some slack at the same time, so only the remaining slack is
     * stored.
     *
     * @param ungranted the number of ungranted permits in hand
     */
    public @Nullable DormantWindow makeDormant(
            long total, long reported, long ungranted, boolean isCalm, float chance) {
        DormantWindow closing = new DormantWindow(this, total, reported, 0, isCalm, chance);
        if (!windows().makeDormant(this, closing)) {
            return null;
        }
        long slack = Math.min(ungranted, permits.number());
        DormantWindow kept = new DormantWindow(this, total, reported, slack, isCalm, chance);
        return windows().makeDormant(closing, kept) ? kept : closing;
    }

    public void overdrawnIsReported(long reported) {
        add(reported);
        OVERDRAWN.getAndAdd(this, -reported);
    }

    /**
     * Closes this pool once its window has been over for a short time. During that time, calls that have already found
     * the pool can still take permits.
     */
    public void closeIfOver(long nowMillis) {
        if (nowMillis >= end() + LATE_CALLS_MILLIS) {
            permits.close();
        }
    }

    /**
     * Whether the use is final enough for a statement to report it. This is the case unless the pool is closed and
     * calls still have to keep or release borrowed permits.
     */
    public boolean isDecided() {
        return !(permits.isClosed() && hasUndecidedCalls());
    }

    /** Returns the total number of permits that calls have used. */
    public long used() {
        return used(overdrawn, permits.number());
    }

    /**
     * Returns the number of used permits, based on the given overdrawn amount and the given number of permits in hand.
     */
    public long used(long overdrawnNow, long inHand) {
        return added - inHand + overdrawnNow;
    }

    /** Returns the pool of the current frame if this pool belongs to an earlier frame; otherwise {@code null}. */
    public @Nullable SharedPool presentFrame(long nowMillis) {
        return counter.family.compiledLimit.frames > 0
                        && counter.at(nowMillis) instanceof SharedPool present
                        && present != this
                ? present
                : null;
    }

    // ---- For calls

    /** Returns the part of a closed pool's use that, as far as this instance knows, the store has not recorded. */
    long unrecorded() {
        return Math.max(0, used() - recorded);
    }

    @Override
    public long take(long cost, long remaining, int borrowers, long nowMillis) {
        long withheld = counter.family.compiledLimit.isElastic() ? withheld(nowMillis) : 0;
        long left = permits.take(cost, remaining + withheld, borrowers);
        if (left >= 0) {
            noteTime(cost, nowMillis);
            if (cost == 0 && !calledForFree) {
                calledForFree = true;
            }
        }
        return left;
    }

    /**
     * Whether unreported charges are known to use up all remaining permits, or to use permits that other instances
     * hold.
     */
    public boolean isUsedUpByCharges(long nowMillis) {
        SharedSnapshot known = snapshot;
        long charged = overdrawn;
        long left = charged <= 0 ? 0 : known.usage().left(nowMillis);
        return charged > 0 && charged >= left && left + known.outlook().elsewhere() > 0;
    }

    private long withheld(long nowMillis) {
        long withheldOverage = withheldOverage();
        return withheldOverage == 0 ? 0 : Math.max(0, withheldOverage - snapshot.leftNotInHand(nowMillis));
    }

    private void noteTime(long calls, long nowMillis) {
        if (times != null) {
            times.add(calls, nowMillis);
        }
    }

    void requestCheck() {
        windows().background.checkSoon(this);
    }

    @Override
    public CallLine openLine() {
        if (line == null) {
            LINE.compareAndSet(this, null, new CallLine());
        }
        return line();
    }

    /** Returns the current line. Calls must not join this line. To join a line, they use {@link #openLine}. */
    public CallLine line() {
        CallLine known = line;
        return known == null ? CallLine.NOBODY : known;
    }

    @Override
    public boolean isAnyInLine() {
        return !line().isEmpty();
    }

    @Override
    public Object basis() {
        return snapshot;
    }

    @Override
    public void release(long cost, long state, long takenAtMillis) {
        permits.release(cost);
        noteTime(-cost, takenAtMillis);
        if (isAnyInLine() || permits.isClosed()) {
            requestCheck();
        }
    }

    @Override
    public void putBack(long cost, long state, long takenAtMillis) {
        permits.add(cost);
        noteTime(-cost, takenAtMillis);
        requestCheck();
    }

    /**
     * Refunds the permits of a call. A bucket might have refilled completely even without this refund. In that case,
     * there is nothing to refund, but only the store can determine that. Calls therefore cannot take the refunded
     * permits of a bucket until the store has answered. With other limits, calls can take the refunded permits
     * immediately, unless charges have exceeded the limit. In that case, the refund first covers the excess.
     */
    @Override
    public void refund(long cost, long state, long takenAtMillis) {
        boolean isBucket = limit() instanceof SharedBucket;
        long withheld = isBucket ? cost : Math.min(cost, Math.max(0, lacking(clockMillis())));
        if (withheld > 0) {
            OVERDRAWN.getAndAdd(this, -withheld);
        }
        if (isBucket) {
            returning = true;
        } else {
            SharedPool present = presentFrame(clockMillis());
            if (present != null) {
                present.returning = true;
            }
            permits.add(cost - withheld);
        }
        noteTime(-cost, takenAtMillis);
        requestCheck();
    }

    /** Returns the number of permits by which the known use exceeds the limit; negative if permits remain. */
    private long lacking(long nowMillis) {
        return overdrawn - permits.number() - snapshot.leftNotInHand(nowMillis);
    }

    @Override
    public long charge(long amount, long nowMillis) {
        long charged = limit() instanceof SharedBucket bucket
                ? Math.max(0, Math.min(amount, bucket.mostDebt() - lacking(nowMillis)))
                : amount;
        long drained = permits.drain(amount);
        if (schedule != null && drained > 0) {
            var unused = schedule.take(drained); // so that other calls keep their own turns
        }
        OVERDRAWN.getAndAdd(this, amount - drained);
        noteTime(amount, nowMillis);
        return charged;
    }

    @Override
    public boolean surelyShortOf(long cost, long nowMillis) {
        return permits.surelyShortOf(cost + (counter.family.compiledLimit.isElastic() ? withheld(nowMillis) : 0));
    }

    @Override
    public long state(long nowMillis) {
        return permits.left();
    }

    @Override
    public long available(long state, long nowMillis) {
        SharedSnapshot known = snapshot;
        long notInHand = known.leftNotInHand(nowMillis);
        long most = counter.most();
        if (notInHand + Math.max(held, state - overdrawn) > most) { // rare, so the given calls are read only here
            most += known.given();
            notInHand = Math.min(notInHand, most - held);
        }
        return Math.max(0, Math.min(most, state + notInHand - overdrawn));
    }

    @Override
    public long given() {
        return snapshot.given();
    }

    @Override
    public long heldElsewhere() {
        return snapshot.outlook().elsewhere();
    }

    @Override
    public long resetMillis(long state, long nowMillis) {
        SharedSnapshot known = snapshot;
        return known.usage().resetMillis(known.ungranted() - state + overdrawn, nowMillis);
    }

    @Override
    public boolean mayBeReturnedElsewhere(long nowMillis) {
        SharedSnapshot known = snapshot;
        SharedSnapshot.Outlook outlook = known.outlook();
        boolean isUsedElsewhere = most(known) - known.usage().left(nowMillis) > recorded;
        return outlook.usedUpUntilMillis() > 0
                && nowMillis - outlook.usedUpSinceMillis() < OUTCOME_MILLIS
                && isUsedElsewhere;
    }

    /** Returns the maximum number of permits, including overage and given calls. */
    private long most(SharedSnapshot known) {
        return counter.most() + known.given();
    }

    @Override
    public long retryMillis(long cost, long nowMillis) {
        return snapshot.retryMillis(cost + elasticOverage(), nowMillis);
    }

    @Override
    public List<Turn> takeTurns(long state, long cost, long nowMillis) {
        if (schedule == null) {
            return List.of();
        }
        List<Turn> turns = schedule.take(cost);
        SharedSnapshot known = snapshot;
        return turns.isEmpty() && known.isWithoutStore()
                ? List.of(new Turn(known.turn(state, cost, nowMillis), cost))
                : turns;
    }

    @Override
    public void releaseTurns(List<Turn> turns) {
        if (schedule != null && !snapshot.isWithoutStore()) {
            schedule.putBack(turns);
        }
    }

    @Override
    public boolean mayBeGranted(long need, long nowMillis) {
        return (need <= most(snapshot) || isGiftUnknown())
                && (permits.isClosed()
                        || returning
                        || withdrawing
                        || snapshot.mayBeGranted(need, withheldOverage(), permits.left(), nowMillis));
    }

    /**
     * Whether operators might have given calls in this window without this instance's knowledge. This is possible if
     * the store has not answered yet, or if the counter was dormant and therefore ignored the news.
     */
    private boolean isGiftUnknown() {
        return end() != FOR_EVER && (isUnseen() || snapshot.mode() == SharedSnapshot.Mode.NEW);
    }

    public boolean isLow(long inHand) {
        return inHand < snapshot.lowWater();
    }

    @Override
    public void close() {
        super.close();
        requestCheck();
    }

    @Override
    public boolean isIdle(long nowMillis) {
        if (end() != FOR_EVER) {
            return super.isIdle(nowMillis);
        }
        SharedSnapshot known = snapshot;
        boolean isUsed = hasUnrecordedUse(known);
        if (isUsed && isUnseen()) {
            requestCheck(); // an earlier request might have been dropped
        }
        return !isUsed && !isAnyInLine() && known.usage().resetMillis(nowMillis) == 0;
    }

    /**
     * Whether this instance holds permits, or calls have used permits that are not recorded. While the store is
     * unavailable, use is considered recorded once the snapshot includes it.
     */
    private boolean hasUnrecordedUse(SharedSnapshot known) {
        return known.isWithoutStore() ? permits.number() < known.ungranted() : used() != recorded || held > 0;
    }
}
