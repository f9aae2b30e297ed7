package dev.sluice.limiter.shared;

import dev.sluice.limiter.counter.Counter;
import dev.sluice.limiter.counter.Permits;
import dev.sluice.limiter.counter.Window;
import dev.sluice.limiter.rule.SharedLimit;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The permits that one shared counter has in hand: those the store granted ahead, and those that are lent. Calls take
 * from {@link Permits}, by its rule for threads, and read the {@link SharedSnapshot}; the background pours, drains and
 * publishes. Of a windowed counter this is one window or frame.
 */
public final class SharedPool extends Window {

    public final SharedLimit limit;
    public final CounterHistory history;

    /** The calls that wait for permits. */
    public final WaitingCalls waiting = new WaitingCalls();
    /** What was charged beyond the permits in hand. */
    public final AtomicLong overdrawn = new AtomicLong();
    /** Whether the background has been told to look at this pool, and has not yet. */
    public final AtomicBoolean noted = new AtomicBoolean();

    private final Background background;
    private volatile boolean calledForFree;
    /** When calls took what the store has not been told; only where it wants to know that. */
    public final @Nullable UseTimes times;
    /** Only where calls wait for their turn. */
    public final @Nullable QueueSchedule schedule;
    /** What the background keeps with this pool; {@code null} as long as it has not seen the pool. */
    public volatile @Nullable Attachment attachment;

    /** What calls know; the background publishes it. */
    public volatile SharedSnapshot view;

    /**
     * A pool.
     *
     * @param view what is known of it; the permits in hand are those that it says are lent
     */
    SharedPool(
            Counter counter,
            Background background,
            CounterHistory history,
            long start,
            long end,
            SharedLimit limit,
            SharedSnapshot view) {
        super(counter, start, end, new Permits(view.lent()));
        this.background = background;
        this.history = history;
        this.limit = limit;
        this.times = limit.remembersMillis() > 0 ? new UseTimes() : null;
        this.schedule = counter.family.compiledLimit.queues() ? new QueueSchedule() : null;
        this.view = view;
    }

    @Override
    public long take(long cost, long remaining, int holders, long nowMillis) {
        long withheld = counter.family.compiledLimit.isElastic() ? withheld(nowMillis) : 0;
        long left = permits.take(cost, remaining + withheld, holders);
        if (left >= 0) {
            noteTime(cost, nowMillis);
            if (cost == 0 && !calledForFree) {
                calledForFree = true;
            }
        }
        return left;
    }

    /** Whether calls have passed since the last time that took nothing, since they are charged afterwards. */
    public boolean forgetFreeCalls() {
        boolean were = calledForFree;
        if (were) {
            calledForFree = false;
        }
        return were;
    }

    /** Whether charges that the store was not told of use up all that was left, as far as is known. */
    public boolean isUsedUpByCharges(long nowMillis) {
        long charged = overdrawn.get();
        long left = charged == 0 ? 0 : view.usage().left(nowMillis);
        return left > 0 && charged >= left;
    }

    /** The permits in hand that are withheld at this moment because the load is high. */
    private long withheld(long nowMillis) {
        long withheldOverage = withheldOverage();
        return withheldOverage == 0 ? 0 : Math.max(0, withheldOverage - view.leftBeyondHand(nowMillis));
    }

    private void noteTime(long calls, long nowMillis) {
        if (times != null) {
            times.add(calls, nowMillis);
        }
    }

    /**
     * Admits calls that wait with permits that the store has granted and nobody else has found yet; how many they have
     * taken. They have to be told by {@link WaitingCalls#wakeAdmitted}.
     */
    public long admitWaiting(long granted, long nowMillis) {
        if (counter.family.compiledLimit.isElastic() || permits.isClosed() || nowMillis >= end) {
            return 0; // they look for themselves
        }
        long taken = waiting.admit(granted, permits.left());
        if (taken > 0) {
            noteTime(taken, nowMillis);
        }
        return taken;
    }

    @Override
    public void release(long cost, long reading, long takenAtMillis) {
        permits.release(cost);
        noteTime(-cost, takenAtMillis);
        if (!waiting.isEmpty() || permits.isClosed()) {
            background.attend(this);
        }
    }

    @Override
    public void putBack(long cost, long reading, long takenAtMillis) {
        permits.pour(cost);
        noteTime(-cost, takenAtMillis);
        background.attend(this);
    }

    /**
     * A bucket may have filled meanwhile without the call: then nothing comes back, which only the store knows. So
     * nobody takes the permit again before the store has answered.
     */
    @Override
    public void refund(long cost, long reading, long takenAtMillis) {
        if (!limit.refillsMeanwhile()) {
            putBack(cost, reading, takenAtMillis);
            return;
        }
        overdrawn.addAndGet(-cost);
        noteTime(-cost, takenAtMillis);
        background.attend(this);
    }

    @Override
    public void charge(long amount, long nowMillis) {
        long drained = permits.drain(amount);
        if (schedule != null && drained > 0) {
            var unused = schedule.take(drained); // others wait for their own moments
        }
        overdrawn.addAndGet(amount - drained);
        noteTime(amount, nowMillis);
    }

    @Override
    public boolean surelyShortOf(long cost, long nowMillis) {
        return permits.surelyShortOf(cost + (counter.family.compiledLimit.isElastic() ? withheld(nowMillis) : 0));
    }

    @Override
    public long reading(long nowMillis) {
        return permits.left();
    }

    @Override
    public long available(long reading, long nowMillis) {
        return Math.max(0, Math.min(counter.most(), reading + view.leftBeyondHand(nowMillis) - overdrawn.get()));
    }

    @Override
    public long resetMillis(long reading, long nowMillis) {
        return view.usage().resetMillis(nowMillis);
    }

    @Override
    public long retryMillis(long cost, long nowMillis) {
        return view.retryMillis(cost + elasticOverage(), nowMillis);
    }

    @Override
    public List<Long> takeTurns(long reading, long cost, long nowMillis) {
        return schedule == null ? List.of() : schedule.take(cost);
    }

    @Override
    public void releaseTurns(List<Long> turns) {
        if (schedule != null) {
            schedule.putBack(turns);
        }
    }

    /** Whether a call that needs so much may get it by waiting for the store, or by looking the counter up again. */
    public boolean mayGet(long need, long nowMillis) {
        return permits.isClosed() || view.mayGet(need + withheldOverage(), permits.left(), nowMillis);
    }

    /** Whether the background should look at this pool, now that a call has left so many permits. */
    public boolean isLow(long inHand) {
        return inHand < view.lowWater();
    }

    /** What the background keeps with a pool. */
    public interface Attachment {}

    @Override
    public void close() {
        super.close();
        background.attend(this);
    }

    @Override
    public boolean isIdle(long nowMillis) {
        if (end != FOR_EVER) {
            return super.isIdle(nowMillis);
        }
        boolean inUse = counter.family.compiledLimit.isConcurrency() && permits.number() < view.lent();
        return !inUse && waiting.isEmpty() && view.usage().resetMillis(nowMillis) == 0;
    }
}
