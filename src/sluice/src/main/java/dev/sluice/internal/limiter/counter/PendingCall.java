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
 * A call that is not decided yet: it waits for permits, or awaits the outcomes of calls in flight. It stands in line at
 * each pool that lacks what it needs. The thread that serves a line makes another attempt for it. It is decided once.
 * Its time limit is checked by its caller's thread ({@link #await}), or without blocking a thread
 * ({@link #whenDecided}). Thread-safe.
 */
public final class PendingCall {

    /** The least time between two looks whether time has given something back. */
    private static final long LEAST_LOOK_MILLIS = 20;

    private static final AtomicLong NUMBERS = new AtomicLong();

    /** Why a call is pending. */
    public enum Reason {
        /** It waits for the store, or for permits that other instances hold. */
        STORE,
        /** It awaits the outcomes of calls in flight, which decide whether these return what they took. */
        OUTCOMES
    }

    /**
     * What all pending calls of a limiter share.
     *
     * @param nanos the monotonic clock
     * @param policy bounds how many calls are pending, and lets threads wait
     * @param requestCheck requests a check of a pool, because a call has joined or left its line
     * @param decided runs when a call is decided
     */
    public record Surroundings(
            LongSupplier nanos, PendingPolicy policy, Consumer<Pool> requestCheck, Runnable decided) {}

    private final long arrivalNanos;
    private final long number = NUMBERS.incrementAndGet();
    /**
     * At how many positions it awaits the outcomes of calls in flight. While that is not 0, it asks the store for
     * nothing.
     */
    private final AtomicInteger positionsAwaitingOutcomes = new AtomicInteger();

    private final Supplier<List<Shortage>> attempt;
    private final Surroundings around;
    /** Completes with {@code true} once it has taken all it needs, with {@code false} if it is refused. */
    public final CompletableFuture<Boolean> taken = new CompletableFuture<>();
    /** Completes with {@link #taken}, or as soon as it awaits outcomes, because its time limit changes then. */
    private final CompletableFuture<Boolean> storeWaitOver = new CompletableFuture<>();

    private final List<Position> positions = new ArrayList<>(1);
    /** Since when it asks the store. */
    private volatile long askingNanos;

    private final Patience patience;
    private boolean couldStay = true;
    private boolean over;
    /** Whether it counts, or has counted, among the calls that await outcomes. */
    private boolean awaitsOutcomes;

    /**
     * A call that waits for the store first.
     *
     * @param attempt takes everything the call needs, or nothing; returns what it lacks
     * @param arrivalNanos since when it is pending, perhaps for another reason
     * @param mostNanos how long it may ask the store, from its arrival
     * @param lastNanos how long it may ask the store again after it has awaited outcomes
     * @param graceNanos how long it may ask, from its arrival, before it counts among the calls that wait; a healthy
     *     store answers within that time
     */
    public PendingCall(
            Supplier<List<Shortage>> attempt,
            Surroundings around,
            long arrivalNanos,
            long mostNanos,
            long lastNanos,
            long graceNanos) {
        this(
                attempt,
                around,
                arrivalNanos,
                Patience.withStore(arrivalNanos, mostNanos, lastNanos, graceNanos, around.nanos.getAsLong()));
    }

    /** A call that only awaits outcomes. */
    public PendingCall(Supplier<List<Shortage>> attempt, Surroundings around, long arrivalNanos) {
        this(attempt, around, arrivalNanos, Patience.withOutcomes(arrivalNanos, around.nanos.getAsLong()));
    }

    private PendingCall(Supplier<List<Shortage>> attempt, Surroundings around, long arrivalNanos, Patience patience) {
        this.attempt = attempt;
        this.around = around;
        this.arrivalNanos = arrivalNanos;
        this.askingNanos = arrivalNanos;
        this.patience = patience;
    }

    // ---- While it is pending

    /** Blocks this thread until the call is decided. */
    public void await() {
        try {
            while (!taken.isDone()) {
                around.policy.await(nextEnd(), Math.max(0, dueNanos() - around.nanos.getAsLong()));
                checkTime();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            giveUp();
        } finally {
            end();
        }
    }

    /**
     * Completes once the call is decided; fails if an attempt throws. Until then, the executor does what is due.
     *
     * @param executor must not reject tasks
     */
    public CompletableFuture<Void> whenDecided(Executor executor) {
        if (taken.isDone()) {
            return CompletableFuture.completedFuture(null);
        }
        long nanos = Math.max(1, dueNanos() - around.nanos.getAsLong());
        return nextEnd()
                .copy()
                .completeOnTimeout(false, nanos, TimeUnit.NANOSECONDS)
                .thenRunAsync(this::checkTime, executor)
                .thenCompose(checked -> whenDecided(executor));
    }

    private synchronized CompletableFuture<Boolean> nextEnd() {
        return patience.asksFirst() ? storeWaitOver : taken;
    }

    /** When something has to be done, unless the call is decided before. */
    private synchronized long dueNanos() {
        return patience.dueNanos(around.nanos.getAsLong() + nanosUntilLook());
    }

    /**
     * Does what is due. If its time for outcomes is over, so is that of calls that arrived earlier, even if their
     * threads have not noticed yet: they come first, so that none of them stops this call from taking what is left.
     */
    private void checkTime() {
        for (CallLine line : linesIfOutcomesEnd()) {
            line.checkTimeOfThoseBefore(arrivalNanos);
        }
        checkOwnTime();
    }

    private synchronized List<CallLine> linesIfOutcomesEnd() {
        return over || patience.due(around.nanos.getAsLong()) != Patience.Due.END_OUTCOMES
                ? List.of()
                : positions.stream().map(position -> position.line).toList();
    }

    private synchronized void checkOwnTime() {
        long now = around.nanos.getAsLong();
        if (over) {
            return;
        }
        switch (patience.due(now)) {
            case LOOK -> tryAgain();
            case BEGIN_WAIT -> beginWait();
            case END_OUTCOMES -> endOutcomes(now);
            case DECIDE -> end();
            default -> {}
        }
    }

    /** Lets it count among the calls that wait for the store; gives up if too many do. */
    private void beginWait() {
        if (around.policy.beginWait(isMadeUp())) {
            patience.beginsWait();
        } else {
            giveUp();
        }
    }

    /** The outcomes took too long: it is refused, unless it is asking the store now and may go on. */
    private void endOutcomes(long now) {
        if (!asksStore() || !patience.beginAskingLast(now)) {
            end();
        }
    }

    private boolean isMadeUp() {
        return positions.stream().anyMatch(position -> position.lacking.isMadeUp());
    }

    private void endAsking() {
        if (patience.hasBegunWait()) {
            around.policy.endWait();
        }
        patience.ends(around.nanos.getAsLong());
    }

    /** How long until time gives back what it lacks, if nobody calls. */
    private long nanosUntilLook() {
        long millis = Long.MAX_VALUE;
        for (Position position : positions) {
            Pool pool = position.lacking.pool();
            millis = Math.min(millis, pool.retryMillis(position.lacking.need(), pool.clockMillis()));
        }
        return TimeUnit.MILLISECONDS.toNanos(Math.max(LEAST_LOOK_MILLIS, Math.min(millis, Pool.OUTCOME_MILLIS)));
    }

    // ---- The decision

    /** Whether it has taken everything it needs. Call this once it is decided. */
    public boolean hasTaken() {
        return taken.join();
    }

    /**
     * Whether it could stay pending to the end: not too many calls were pending already, and its thread was not
     * interrupted.
     */
    public synchronized boolean couldStay() {
        return couldStay;
    }

    /** How long it asked the store. */
    public synchronized long askedNanos() {
        return patience.askedNanos();
    }

    /** Why it was pending last. */
    public synchronized Reason reason() {
        return awaitsOutcomes ? Reason.OUTCOMES : Reason.STORE;
    }

    /** Its caller gives up. */
    public synchronized void giveUp() {
        couldStay &= over;
        end();
    }

    /** Ends its time; if it is not decided, makes a last attempt. */
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
        List.copyOf(positions).forEach(this::leave);
        endAsking();
        if (awaitsOutcomes) {
            around.policy.endAwaitingOutcomes();
        }
        around.decided.run();
        taken.complete(isTaken);
        storeWaitOver.complete(isTaken);
    }

    /** Stands in line at all pools that lack something, and at no others. */
    public synchronized void standInLine(List<Shortage> lacking) {
        boolean awaited = !asksStore();
        List<Position> left = positions.stream()
                .filter(position -> lacking.stream().noneMatch(still -> still.pool() == position.lacking.pool()))
                .toList();
        List<Position> joined = lacking.stream()
                .filter(one -> positions.stream().noneMatch(position -> position.lacking.pool() == one.pool()))
                .map(Position::new)
                .toList();
        positions.removeAll(left);
        positions.addAll(joined);
        left.forEach(position -> position.line.remove(position));
        joined.forEach(position -> position.line.add(position));
        left.forEach(this::checkThoseBehind); // from here on, a check may decide this call at once
        joined.forEach(position -> around.requestCheck.accept(position.lacking.pool()));
        if (awaited) {
            asksAgain();
        }
    }

    /** Leaves a line. */
    private void leave(Position position) {
        positions.remove(position);
        position.line.remove(position);
        checkThoseBehind(position);
    }

    /** The next call in a line that this one has left may be served now. */
    private void checkThoseBehind(Position left) {
        if (!left.line.isEmpty()) {
            around.requestCheck.accept(left.lacking.pool());
        }
    }

    /** Makes another attempt; returns whether the call has left this position. */
    private synchronized boolean tryAgain(Position position) {
        tryAgain();
        return !positions.contains(position);
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
        return positionsAwaitingOutcomes.get() == 0;
    }

    /** Something came back: the call asks for everything it lacks. */
    private synchronized void asksAgain() {
        if (asksStore()) {
            askingNanos = around.nanos.getAsLong();
            List.copyOf(positions).forEach(position -> around.requestCheck.accept(position.lacking.pool()));
        }
    }

    /** Makes it await outcomes unless its time is over or too many calls do; returns whether it does. */
    private synchronized boolean beginOutcomes() {
        if (over || patience.asksLast()) {
            return false;
        }
        if (!awaitsOutcomes) {
            awaitsOutcomes = around.policy.beginAwaitingOutcomes(isMadeUp());
        }
        if (awaitsOutcomes && patience.asksFirst()) {
            endAsking();
            patience.awaitsOutcomes(around.nanos.getAsLong());
            storeWaitOver.complete(false);
        }
        return awaitsOutcomes;
    }

    /** The call's position in the line of a pool that lacks what it needs. */
    private final class Position extends CallLine.Position {

        private final Shortage lacking;
        private final CallLine line;

        private Position(Shortage lacking) {
            super(arrivalNanos, number);
            this.lacking = lacking;
            this.line = lacking.pool().openLine();
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
        void checkTime() {
            checkOwnTime();
        }

        @Override
        boolean beginsToAwaitOutcomes() {
            return lacking.mayComeBack() && beginOutcomes();
        }

        @Override
        long mostAwaitingOutcomes() {
            return Math.min(lacking.mostAwaitingOutcomes(), around.policy.mostAwaitingOutcomesOfOne());
        }

        @Override
        void awaitsOutcomesAt(int morePositions) {
            positionsAwaitingOutcomes.addAndGet(morePositions);
        }

        @Override
        boolean asksStore() {
            return PendingCall.this.asksStore();
        }

        @Override
        boolean hasAskedSince(long nanos) {
            return asksStore() && askingNanos - nanos <= 0;
        }

        @Override
        void asksAgain() {
            PendingCall.this.asksAgain();
        }

        @Override
        boolean tryAgain() {
            return PendingCall.this.tryAgain(this);
        }

        @Override
        void refuse() {
            PendingCall.this.refuse();
        }
    }
}
