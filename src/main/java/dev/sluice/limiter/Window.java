package dev.sluice.limiter;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One window of one counter: its time and what it may still admit. {@link Permits} has the rule for threads. What concerns other
 * instances is in {@link Shared}, which the background writes and calls read.
 */
final class Window {

    final WindowCounter counter;
    final long start;
    final long end;
    final long opening;
    final Permits permits;
    final @Nullable Shared shared;

    Window(WindowCounter counter, long start, long end, long opening, boolean isShared) {
        this.counter = counter;
        this.start = start;
        this.end = end;
        this.opening = opening;
        this.permits = new Permits(opening);
        this.shared = isShared ? new Shared(counter.threshold() - opening) : null;
    }

    /** How many calls pass now. */
    long left() {
        return left(permits.left());
    }

    /** How many calls pass when so many permits are in hand. */
    long left(long inHand) {
        return shared == null
                ? inHand
                : Math.max(0, Math.min(counter.threshold(), inHand + shared.beyond - shared.unheard.get()));
    }

    /** Whether the background should look after this window, now that a call has left so many permits. */
    boolean isLow(long inHand) {
        return shared != null && inHand < shared.lowWater;
    }

    /** A call that passed without a permit is to be counted as if it had not passed. */
    void takeBackUnheard(long cost) {
        if (shared != null) {
            shared.unheard.addAndGet(-cost);
        }
    }

    /** The part of the threshold that is left. */
    double leftInProportion() {
        return (double) left() / counter.threshold();
    }

    /** What calls and the background tell each other about a window that is shared. */
    static final class Shared {

        /** What is left of the limit beyond the permits in hand; negative where permits were lent in advance. */
        volatile long beyond;
        /** With fewer permits than this in hand, the background is asked to look after the window. */
        volatile long lowWater = Long.MAX_VALUE;
        /** Whether a call that finds too few permits may hope for more. */
        volatile boolean hopeful = true;
        /** Set by the call that asks the background to look after the window, cleared when it does. */
        volatile boolean due;

        /** Permits that waiting calls would take. */
        final AtomicLong awaited = new AtomicLong();
        /** Calls that passed without a permit because nothing was heard in time. */
        final AtomicLong unheard = new AtomicLong();

        private volatile CompletableFuture<Boolean> news = new CompletableFuture<>();

        Shared(long beyond) {
            this.beyond = beyond;
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
