package dev.sluice.limiter.counter;

import dev.sluice.Decision.Outcome;
import dev.sluice.limiter.counter.Sharing.ThreadWait;
import dev.sluice.limiter.counter.Sharing.WaitingAttempt;
import dev.sluice.limiter.counter.WaitResult.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A call that waits: it stands in line at each pool that lacks what it needs, and whoever gets to it tries again in its
 * stead. It is decided once. Safe for any threads.
 */
public final class WaitingCall {

    /** How long a call waits at most for the outcome of others. */
    private static final long OUTCOME_NANOS = TimeUnit.MILLISECONDS.toNanos(Pool.OUTCOME_MILLIS);

    /** The least time after which it looks whether time has given something back. */
    private static final long LEAST_LOOK_MILLIS = 20;

    private static final AtomicLong NUMBERS = new AtomicLong();

    /** {@code true} once it has taken all that it needs, {@code false} once it is refused. */
    public final CompletableFuture<Boolean> news = new CompletableFuture<>();
    /** The same, or done as soon as it waits for outcomes, and not for the store alone. */
    public final CompletableFuture<Boolean> answer;

    private final long arrivalNanos;
    private final long number = NUMBERS.incrementAndGet();
    /** At how many places it waits for the outcome of calls under way. Meanwhile it asks the store for nothing. */
    private final AtomicInteger placesAwaitingOutcomes = new AtomicInteger();
    /** Since when it asks the store. */
    private volatile long askingNanos;

    private final WaitingAttempt attempt;
    private final LongSupplier nanos;
    private final ThreadWait waiting;
    private final Consumer<Pool> requestCheck;
    private final List<Place> places = new ArrayList<>(1);
    private boolean over;
    /** Whether it counts among the calls that wait for outcomes. */
    private boolean awaitsOutcomes;
    /** Whether it may not wait for outcomes any more. */
    private boolean outcomesAreOver;

    /**
     * A call that stands nowhere yet.
     *
     * @param nanos the monotonic clock, which has shown its arrival
     * @param waiting bounds how many calls wait for outcomes
     * @param requestCheck lets somebody look at a pool soon, since a call has joined its line or left it
     */
    public WaitingCall(
            WaitingAttempt attempt,
            LongSupplier nanos,
            long arrivalNanos,
            ThreadWait waiting,
            Consumer<Pool> requestCheck) {
        this.attempt = attempt;
        this.nanos = nanos;
        this.arrivalNanos = arrivalNanos;
        this.waiting = waiting;
        this.requestCheck = requestCheck;
        this.answer = new CompletableFuture<>();
        this.askingNanos = arrivalNanos;
    }

    /** Stands in line for all that it lacks, and nowhere else. */
    public synchronized void standInLine(List<Shortage> lacking) {
        boolean awaited = !asksStore();
        for (Place place : List.copyOf(places)) {
            if (lacking.stream().noneMatch(still -> still.pool() == place.lacking.pool())) {
                leave(place);
            }
        }
        for (Shortage one : lacking) {
            if (places.stream().noneMatch(place -> place.lacking.pool() == one.pool())) {
                Place place = new Place(one);
                places.add(place);
                place.line.add(place);
                requestCheck.accept(one.pool());
            }
        }
        if (awaited) {
            asksAgain();
        }
    }

    /** Whoever is next in that line may be served now. */
    private void leave(Place place) {
        places.remove(place);
        place.line.remove(place);
        if (!place.line.isEmpty()) {
            requestCheck.accept(place.lacking.pool());
        }
    }

    /** Tries again; returns whether it has left this place. */
    private synchronized boolean tryAgain(Place place) {
        tryAgain();
        return !places.contains(place);
    }

    private void tryAgain() {
        if (!over) {
            List<Shortage> lacking = attempt.tryAgain();
            if (lacking.isEmpty()) {
                decide(true);
            } else {
                standInLine(lacking);
            }
        }
    }

    private synchronized void refuse() {
        if (!over) {
            decide(false);
        }
    }

    /** Ends its wait, after a last attempt if it is not decided. */
    public synchronized void end() {
        if (!over) {
            decide(attempt.tryAgain().isEmpty());
        }
    }

    private void decide(boolean isTaken) {
        over = true;
        List.copyOf(places).forEach(this::leave);
        if (awaitsOutcomes) {
            waiting.endOutcome();
        }
        news.complete(isTaken);
        answer.complete(isTaken);
    }

    // ---- Outcomes of other calls

    private boolean asksStore() {
        return placesAwaitingOutcomes.get() == 0;
    }

    /** Something came back: it asks for all that it lacks. */
    private synchronized void asksAgain() {
        if (asksStore()) {
            askingNanos = nanos.getAsLong();
            places.forEach(place -> requestCheck.accept(place.lacking.pool()));
        }
    }

    /** Whether it waits for outcomes from now on, if it does not yet: its time is not over, and not too many calls do. */
    private synchronized boolean beginOutcomes() {
        if (over || outcomesAreOver) {
            return false;
        }
        if (!awaitsOutcomes) {
            awaitsOutcomes = waiting.beginOutcome();
        }
        if (awaitsOutcomes) {
            answer.complete(false);
        }
        return awaitsOutcomes;
    }

    /**
     * What came of it, once its wait is over.
     *
     * @param couldWait whether it could wait until the end: not too many threads wait already
     */
    public WaitResult result(boolean couldWait) {
        Outcome refusal = couldWait ? Outcome.REFUSED : Outcome.REFUSED_BUSY;
        return new WaitResult(news.join() ? null : refusal, hasAwaitedOutcomes() ? Reason.OUTCOMES : Reason.STORE);
    }

    /** Whether it waits, or waited, for outcomes. */
    public synchronized boolean hasAwaitedOutcomes() {
        return awaitsOutcomes;
    }

    /**
     * Waits on this thread for the outcomes of other calls until it is decided, or its time is over. Then it is refused,
     * unless it asks the store at this moment. Returns whether the thread could wait.
     */
    public boolean awaitOutcomes() {
        try {
            for (long rest = restNanos(); rest > 0 && !news.isDone(); rest = restNanos()) {
                waiting.await(news, Math.min(rest, nanosUntilLook()));
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        endOutcomes();
        return true;
    }

    private long restNanos() {
        return arrivalNanos + OUTCOME_NANOS - nanos.getAsLong();
    }

    /** Until when time gives back what it lacks, if nobody calls. */
    private synchronized long nanosUntilLook() {
        long millis = Long.MAX_VALUE;
        for (Place place : places) {
            Pool pool = place.lacking.pool();
            millis = Math.min(millis, pool.retryMillis(place.lacking.need(), pool.clockMillis()));
        }
        return TimeUnit.MILLISECONDS.toNanos(Math.max(LEAST_LOOK_MILLIS, millis));
    }

    /** Tries again, since time may have given something back. */
    private synchronized void look() {
        tryAgain();
    }

    private synchronized void endOutcomes() {
        outcomesAreOver = true;
        if (!asksStore()) {
            end();
        }
    }

    /** Its place in the line of a pool that lacks what it needs. */
    private final class Place extends WaitingCalls.Place {

        private final Shortage lacking;
        private final WaitingCalls line;

        private Place(Shortage lacking) {
            super(arrivalNanos, number);
            this.lacking = lacking;
            this.line = lacking.pool().waiting();
        }

        @Override
        long cost() {
            return lacking.cost();
        }

        @Override
        long need() {
            return lacking.need();
        }

        @Override
        boolean sufficesAlone() {
            return lacking.sufficesAlone();
        }

        @Override
        boolean countsByOutcome() {
            return lacking.countsByOutcome();
        }

        @Override
        boolean beginsToAwaitOutcomes() {
            return lacking.mayComeBack() && beginOutcomes();
        }

        @Override
        long mostAwaitingOutcomes() {
            return lacking.mostAwaitingOutcomes();
        }

        @Override
        void awaitsOutcomesAt(int morePlaces) {
            placesAwaitingOutcomes.addAndGet(morePlaces);
        }

        @Override
        boolean asksStore() {
            return WaitingCall.this.asksStore();
        }

        @Override
        boolean hasAskedSince(long nanos) {
            return asksStore() && askingNanos - nanos <= 0;
        }

        @Override
        void asksAgain() {
            WaitingCall.this.asksAgain();
        }

        @Override
        boolean tryAgain() {
            return WaitingCall.this.tryAgain(this);
        }

        @Override
        void refuse() {
            WaitingCall.this.refuse();
        }
    }
}
