package dev.sluice.internal.limiter.counter;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A call that waits: it stands in line at each pool that lacks what it needs, and whoever gets to it tries again in its
 * stead. It is decided once. Its time passes on the thread of its caller ({@link #await}), or without one
 * ({@link #whenDecided}). Thread-safe.
 */
public final class WaitingCall {

    /** The least time after which it looks whether time has given something back. */
    private static final long LEAST_LOOK_MILLIS = 20;

    private static final AtomicLong NUMBERS = new AtomicLong();

    /** What a call waits for. */
    public enum Reason {
        /** The store, or permits that other instances hold. */
        STORE,
        /** Calls under way, whose outcome decides whether they return what they took. */
        OUTCOMES
    }

    /**
     * What all waiting calls of a limiter have in common.
     *
     * @param nanos the monotonic clock
     * @param waiting bounds how many calls wait, and lets threads wait
     * @param requestCheck lets somebody look at a pool soon, since a call has joined its line or left it
     * @param decided runs when a call is decided
     */
    public record Surroundings(LongSupplier nanos, ThreadWait waiting, Consumer<Pool> requestCheck, Runnable decided) {}

    private final long arrivalNanos;
    private final long number = NUMBERS.incrementAndGet();
    /** At how many places it waits for the outcome of calls under way. Meanwhile it asks the store for nothing. */
    private final AtomicInteger placesAwaitingOutcomes = new AtomicInteger();

    private final Supplier<List<Shortage>> attempt;
    private final Surroundings around;
    /** {@code true} once it has taken all that it needs, {@code false} once it is refused. */
    public final CompletableFuture<Boolean> news = new CompletableFuture<>();
    /** The same, or done as soon as it awaits outcomes, and its time ends at another moment. */
    private final CompletableFuture<Boolean> firstNews = new CompletableFuture<>();

    private final List<Place> places = new ArrayList<>(1);
    /** Since when it asks the store. */
    private volatile long askingNanos;

    private final Patience patience;
    private boolean couldWait = true;
    private boolean over;
    /** Whether it counts, or counted, among the calls that wait for outcomes. */
    private boolean awaitsOutcomes;

    /**
     * A call that waits for the store first.
     *
     * @param arrivalNanos when it began to wait, perhaps for something else
     * @param mostNanos how long it may ask the store, from its arrival
     * @param lastNanos how long it may ask the store after it has waited for outcomes
     * @param uncountedNanos how long it may ask, from its arrival, without being counted: a healthy store answers within
     *     that time
     */
    public WaitingCall(
            Supplier<List<Shortage>> attempt,
            Surroundings around,
            long arrivalNanos,
            long mostNanos,
            long lastNanos,
            long uncountedNanos) {
        this(
                attempt,
                around,
                arrivalNanos,
                Patience.withStore(arrivalNanos, mostNanos, lastNanos, uncountedNanos, around.nanos.getAsLong()));
    }

    /** A call that waits for outcomes only. */
    public WaitingCall(Supplier<List<Shortage>> attempt, Surroundings around, long arrivalNanos) {
        this(attempt, around, arrivalNanos, Patience.withOutcomes(arrivalNanos, around.nanos.getAsLong()));
    }

    private WaitingCall(Supplier<List<Shortage>> attempt, Surroundings around, long arrivalNanos, Patience patience) {
        this.attempt = attempt;
        this.around = around;
        this.arrivalNanos = arrivalNanos;
        this.askingNanos = arrivalNanos;
        this.patience = patience;
    }

    // ---- Its time

    /** Waits on this thread until it is decided. */
    public void await() {
        try {
            while (!news.isDone()) {
                around.waiting.await(nextNews(), Math.max(0, dueNanos() - around.nanos.getAsLong()));
                pass();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            giveUp();
        } finally {
            end();
        }
    }

    /**
     * Done once it is decided; fails if an attempt throws. Until then, that executor does what is due.
     *
     * @param executor must not refuse work
     */
    public CompletableFuture<Void> whenDecided(Executor executor) {
        if (news.isDone()) {
            return CompletableFuture.completedFuture(null);
        }
        long nanos = Math.max(1, dueNanos() - around.nanos.getAsLong());
        return nextNews()
                .copy()
                .completeOnTimeout(false, nanos, TimeUnit.NANOSECONDS)
                .thenRunAsync(this::pass, executor)
                .thenCompose(passed -> whenDecided(executor));
    }

    private synchronized CompletableFuture<Boolean> nextNews() {
        return patience.asksFirst() ? firstNews : news;
    }

    /** When something is to be done, unless it is decided before. */
    private synchronized long dueNanos() {
        return patience.dueNanos(around.nanos.getAsLong() + nanosUntilLook());
    }

    /** Does what is due. */
    private synchronized void pass() {
        long now = around.nanos.getAsLong();
        if (over) {
            return;
        }
        switch (patience.due(now)) {
            case LOOK -> tryAgain();
            case COUNT -> count();
            case END_OUTCOMES -> endOutcomes(now);
            case DECIDE -> end();
            default -> {}
        }
    }

    /** It counts among the calls that wait for the store, or cannot wait if too many do. */
    private void count() {
        if (around.waiting.beginStore()) {
            patience.isCountedNow();
        } else {
            giveUp();
        }
    }

    /** The outcomes took too long. It is refused, unless it asks the store at this moment. */
    private void endOutcomes(long now) {
        if (!asksStore() || !patience.asksLast(now)) {
            end();
        }
    }

    private void endAsking() {
        if (patience.isCounted()) {
            around.waiting.endStore();
        }
        patience.ends(around.nanos.getAsLong());
    }

    /** Until when time gives back what it lacks, if nobody calls. */
    private long nanosUntilLook() {
        long millis = Long.MAX_VALUE;
        for (Place place : places) {
            Pool pool = place.lacking.pool();
            millis = Math.min(millis, pool.retryMillis(place.lacking.need(), pool.clockMillis()));
        }
        return TimeUnit.MILLISECONDS.toNanos(Math.max(LEAST_LOOK_MILLIS, Math.min(millis, Pool.OUTCOME_MILLIS)));
    }

    // ---- Its end

    /** Whether it has taken all that it needs. To be asked once it is decided. */
    public boolean hasTaken() {
        return news.join();
    }

    /** Whether it could wait until the end: not too many calls waited already, and nobody interrupted it. */
    public synchronized boolean couldWait() {
        return couldWait;
    }

    /** How long it asked the store. */
    public synchronized long askedNanos() {
        return patience.askedNanos();
    }

    /** What it waited for last. */
    public synchronized Reason reason() {
        return awaitsOutcomes ? Reason.OUTCOMES : Reason.STORE;
    }

    /** Its caller cannot wait any longer. */
    public synchronized void giveUp() {
        couldWait &= over;
        end();
    }

    /** Ends its wait, after a last attempt if it is not decided. */
    public synchronized void end() {
        if (!over) {
            decide(attempt.get().isEmpty());
        }
    }

    private synchronized void refuse() {
        if (!over) {
            decide(false);
        }
    }

    private void decide(boolean isTaken) {
        over = true;
        List.copyOf(places).forEach(this::leave);
        endAsking();
        if (awaitsOutcomes) {
            around.waiting.endOutcome();
        }
        around.decided.run();
        news.complete(isTaken);
        firstNews.complete(isTaken);
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
                around.requestCheck.accept(one.pool());
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
            around.requestCheck.accept(place.lacking.pool());
        }
    }

    /** Tries again; returns whether it has left this place. */
    private synchronized boolean tryAgain(Place place) {
        tryAgain();
        return !places.contains(place);
    }

    private void tryAgain() {
        if (!over) {
            List<Shortage> lacking = attempt.get();
            if (lacking.isEmpty()) {
                decide(true);
            } else {
                standInLine(lacking);
            }
        }
    }

    // ---- Outcomes of other calls

    private boolean asksStore() {
        return placesAwaitingOutcomes.get() == 0;
    }

    /** Something came back: it asks for all that it lacks. */
    private synchronized void asksAgain() {
        if (asksStore()) {
            askingNanos = around.nanos.getAsLong();
            places.forEach(place -> around.requestCheck.accept(place.lacking.pool()));
        }
    }

    /** Whether it waits for outcomes from now on, if it does not yet: its time is not over, and not too many calls do. */
    private synchronized boolean beginOutcomes() {
        if (over || patience.asksLast()) {
            return false;
        }
        if (!awaitsOutcomes) {
            awaitsOutcomes = around.waiting.beginOutcome();
        }
        if (awaitsOutcomes && patience.asksFirst()) {
            endAsking();
            patience.awaitsOutcomes(around.nanos.getAsLong());
            firstNews.complete(false);
        }
        return awaitsOutcomes;
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
