package dev.sluice.limiter;

import dev.sluice.Batch.Grant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One window of one counter: its time and what it may still admit. {@link Permits} has the rule for threads. What concerns other
 * instances is in {@link Shared}, which the background writes and calls read. Where windows slide, it is one frame of them, and the
 * frames before are in {@link Past}.
 */
final class Window implements Pool {

    /** The end of what has none; far enough, and sums with it do not overflow. */
    static final long FOR_EVER = Long.MAX_VALUE / 4;

    final Counter counter;
    final long start;
    final long end;
    final long opening;
    final Permits permits;
    final @Nullable Shared shared;
    final @Nullable Past past;

    Window(Counter counter, long start, long end, long opening, boolean isShared, @Nullable Past past) {
        this.counter = counter;
        this.start = start;
        this.end = end;
        this.opening = opening;
        this.permits = new Permits(opening);
        this.shared = isShared ? new Shared(counter.family.measure.queues()) : null;
        this.past = past;
        if (shared != null) {
            shared.lowWater = opening / 2 + 1; // half of what was lent lasts until the answer
            shared.tell(Terms.of(this).unheard(), opening, false);
        }
    }

    @Override
    public Counter counter() {
        return counter;
    }

    @Override
    public long take(long cost, long nowMillis, int holders) {
        boolean all = past == null && !counter.family.measure.isElastic();
        return all ? permits.take(cost, 0, holders) : takeBeside(cost, nowMillis, holders);
    }

    /** Takes what the past leaves and what is not only for quiet times, once no call of the past is undecided that could leave less. */
    private long takeBeside(long cost, long nowMillis, int holders) {
        int tries = 0;
        while (true) {
            long weight = weightOfPast(nowMillis);
            long left = permits.take(cost, weight + shutAway(nowMillis), holders);
            if (left >= 0) {
                return left - weight;
            }
            if (left == CLOSED || !isPastUnsettled()) {
                return left;
            }
            tries = Pool.waitForHolder(tries);
        }
    }

    /** The permits that are not to be had now because of the past; where the window is shared, the store sees to that. */
    private long weightOfPast(long nowMillis) {
        return past == null || shared != null ? 0 : past.weight(nowMillis - start);
    }

    private boolean isPastUnsettled() {
        return past != null && past.unsettled();
    }

    /** The permits that are only for quiet times, and these are none. */
    private long shutAway(long nowMillis) {
        long shut = shut();
        return shut == 0 ? 0 : Math.max(0, shut - (shared == null ? 0 : shared.beyond(nowMillis)));
    }

    @Override
    public void keep() {
        permits.keep();
    }

    @Override
    public void giveBack(long cost, long reading, long takenAtMillis) {
        permits.giveBack(cost);
    }

    @Override
    public void putBack(long cost, long reading, long takenAtMillis) {
        permits.pour(cost);
    }

    @Override
    public void charge(long amount, long nowMillis) {
        long rest = amount - permits.drain(amount);
        if (shared != null && rest > 0) {
            shared.unheard.addAndGet(rest);
        }
    }

    @Override
    public boolean surelyShortOf(long cost, long nowMillis) {
        return permits.surelyShortOf(cost + weightOfPast(nowMillis) + shutAway(nowMillis)) && !isPastUnsettled();
    }

    /** What comes back to a window is of no use to the next; to a frame it is, but nobody is told to hope for it. */
    @Override
    public long epoch(long reading) {
        return end == FOR_EVER ? 0 : start / counter.family.measure.lengthMillis;
    }

    /** The permits in hand that the past leaves. */
    @Override
    public long reading(long nowMillis) {
        return Math.max(0, permits.left() - weightOfPast(nowMillis));
    }

    @Override
    public long rest(long reading, long nowMillis) {
        if (shared != null) {
            return Math.max(0, Math.min(counter.most(), reading + shared.beyond(nowMillis) - shared.unheard.get()));
        }
        return reading;
    }

    @Override
    public long resetMillis(long reading, long nowMillis) {
        if (shared != null) {
            return shared.outlook.resetMillis(nowMillis);
        }
        return past == null ? end - nowMillis : past.millisUntilForgotten(this, nowMillis);
    }

    @Override
    public long retryMillis(long cost, long nowMillis) {
        if (shared != null) {
            return shared.outlook.millisUntil(cost + elastic(), nowMillis);
        }
        return past == null ? end - nowMillis : past.millisUntil(cost, this, nowMillis);
    }

    /** Nothing can be taken any more. What is held at this moment is still kept or returned. */
    void close() {
        permits.close();
    }

    /** Closes if nothing of what was ever counted here matters any more; whether it did. */
    boolean closeIfIdle(long nowMillis) {
        boolean idle = (shared != null && end == FOR_EVER)
                ? shared.isUnused(nowMillis)
                : nowMillis >= end + counter.family.tier.limit().period().toMillis();
        if (idle) {
            close();
        }
        return idle;
    }

    /** How much was admitted here. */
    long used() {
        return opening - permits.number();
    }

    /** What calls and the background tell each other; only where the window is shared. */
    Shared shared() {
        return Objects.requireNonNull(shared, "a shared window");
    }

    /** Whether the background should look after this window, now that a call has left so many permits. */
    boolean isLow(long inHand) {
        return shared != null && inHand < shared.lowWater;
    }

    /** The store has granted so much: it is in hand from now on, with the turns of calls that wait for them. */
    void deal(Grant grant, Outlook now, long nowMillis) {
        Turns turns = shared().turns;
        if (turns != null && now instanceof Outlook.OfBucket bucket) {
            turns.add(grant.granted(), bucket, nowMillis);
        }
        permits.pour(grant.granted());
    }

    @Override
    public long delayMillis(long reading, long cost, long nowMillis) {
        Turns turns = shared == null ? null : shared.turns;
        return turns == null ? 0 : turns.delayMillis(cost, nowMillis);
    }

    /** A call that passed without a permit is to be counted as if it had not passed. */
    void takeBackUnheard(long cost) {
        if (shared != null) {
            shared.unheard.addAndGet(-cost);
        }
    }

    /** What calls and the background tell each other about a window that is shared. */
    static final class Shared {

        private volatile Outlook outlook = Outlook.NOTHING;
        private volatile long lent;
        private volatile boolean absent;
        /** Whether calls hold places. */
        volatile boolean inUse;
        /** With fewer permits than this in hand, the background is asked to look after the window. */
        volatile long lowWater;
        /** Set by the call that asks the background to look after the window, cleared when it does. */
        volatile boolean due;
        /** Whether it is noted among the windows that are known, and the background has not read it. */
        volatile boolean isNoted;
        /** The same, among those that are new. */
        volatile boolean isNewcomer;
        /** Whether the store has ever told anything of it. */
        volatile boolean heard;
        /** Its account, kept when it was closed, so that none is opened again. The background's alone. */
        @Nullable Share account;

        /** Permits that waiting calls would take. */
        final AtomicLong awaited = new AtomicLong();
        /** Calls that passed without a permit because nothing was heard in time. */
        final AtomicLong unheard = new AtomicLong();

        /** When those go on that have taken a permit; {@code null} where calls do not wait for their turn. */
        private final @Nullable Turns turns;

        private volatile CompletableFuture<Boolean> news = new CompletableFuture<>();

        Shared(boolean queues) {
            this.turns = queues ? new Turns() : null;
        }

        /** The background knows this, and has lent so many permits in advance. */
        void tell(Outlook known, long permitsLent, boolean storeIsAbsent) {
            lent = permitsLent;
            outlook = known;
            absent = storeIsAbsent;
        }

        /** Whether all of the limit is there again, as far as is known, and no call holds a part of it. */
        private boolean isUnused(long nowMillis) {
            return !inUse && awaited.get() == 0 && outlook.resetMillis(nowMillis) == 0;
        }

        /** What is left of the limit beyond the permits in hand; negative where permits were lent in advance. */
        long beyond(long nowMillis) {
            return outlook.left(nowMillis) - lent;
        }

        /** Whether a call that finds too few permits may hope for more. */
        boolean isHopeful(long nowMillis) {
            return !absent && outlook.left(nowMillis) > 0;
        }

        /** Completes when the background has next heard of this window, or that nothing can be heard. */
        CompletableFuture<Boolean> nextNews() {
            return news;
        }

        /** The background has heard. */
        void tellNews() {
            if (awaited.get() > 0) {
                CompletableFuture<Boolean> told = news;
                news = new CompletableFuture<>();
                told.complete(true);
            }
        }
    }
}
