package dev.sluice.internal.limiter.counter;

import dev.sluice.internal.limiter.counter.CallLine.Position;
import dev.sluice.internal.limiter.counter.Shortage.Prospect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call that is not decided yet, because it is waiting for permits or awaiting the outcomes of calls in flight. The
 * call stands in line at each pool that has too few permits for it. The thread that serves a line makes further
 * attempts on behalf of the call. Each call is decided only once. Either the caller's thread checks the time limit
 * ({@link #await}), or an executor does so without blocking a thread ({@link #whenDecided}). {@link PendingState} shows
 * the states of the call, and {@link Patience} contains its time limits. The package documentation describes the order
 * of locks. Thread-safe.
 *
 * <p>When the time limit is reached, the checking thread makes a last attempt before it refuses the call. A change of
 * the call's state can have effects: pool checks, completed futures, or a warning. These effects are collected while
 * the call's lock is held. They are carried out without the lock, because they serve other calls and use the caller's
 * executor.
 */
public final class PendingCall {

    /** The minimum time between two attempts to find permits that have become available over time. */
    private static final long LEAST_LOOK_MILLIS = 20;

    private static final AtomicLong NUMBERS = new AtomicLong();

    /** Why a call is pending. */
    public enum Reason {
        /** The call is waiting for the store, or for permits that other instances hold. */
        STORE,
        /**
         * The call awaits the outcomes of calls in flight. The outcomes determine whether those calls return their
         * permits.
         */
        OUTCOMES
    }

    /**
     * The parts of a limiter that all its pending calls share.
     *
     * @param nanos the monotonic clock
     * @param policy the policy that limits the number of pending calls and lets threads wait
     * @param requestCheck the action that requests a check of a pool after a call has joined or left its line
     * @param decided the action that runs when a call is decided
     */
    public record Surroundings(
            LongSupplier nanos, PendingPolicy policy, Consumer<Pool> requestCheck, Runnable decided) {}

    private final long arrivalNanos;
    /** The number that orders calls with the same arrival time. */
    private final long number = NUMBERS.incrementAndGet();

    private final Supplier<List<Shortage>> attempt;
    private final Surroundings around;
    private final Patience patience;

    /** Completes with {@code true} when the call has taken all permits, or with {@code false} when it is refused. */
    public final CompletableFuture<Boolean> taken = new CompletableFuture<>();
    /**
     * Completes with {@link #taken}, or earlier if the call begins to await outcomes. In that case, the call's time
     * limit changes.
     */
    private final CompletableFuture<Boolean> storeWaitOver = new CompletableFuture<>();

    /** The call's positions in lines, and the shortage at each position. */
    private final Map<Position, Shortage> positions = new LinkedHashMap<>(2);

    private final CallLine.Member inLine = new InLine();
    /** The current state of the call. Threads write this field only while they hold the lock. */
    private volatile PendingState state;
    /** The time when the call entered its current state. */
    private long sinceNanos;
    /**
     * The time when the call began to ask for the permits that it lacks. This field is not used while the call is
     * awaiting outcomes.
     */
    private long askingNanos;
    /** The total time that the call spent asking the store in earlier states. */
    private long askedNanos;

    private Reason reason = Reason.STORE;

    /**
     * Creates a call that first waits for the store.
     *
     * @param attempt the action that takes either all permits that the call needs or none, and returns the shortages
     * @param arrivalNanos the time when the call first became pending, possibly for a different reason
     * @param mostNanos the maximum time after the call's arrival for which it may ask the store
     * @param lastNanos the time for which the call may ask the store again after it has awaited outcomes
     * @param graceNanos the grace period, that is, the time after the call's arrival for which it may ask the store
     *     without being counted as waiting. A healthy store replies within that time
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
                PendingState.ASKS_STORE,
                Patience.withStore(arrivalNanos, mostNanos, lastNanos, graceNanos));
    }

    /** Creates a call that only awaits outcomes. */
    public PendingCall(Supplier<List<Shortage>> attempt, Surroundings around, long arrivalNanos) {
        this(attempt, around, arrivalNanos, PendingState.EXPECTS_OUTCOMES, Patience.withoutStore(arrivalNanos));
    }

    private PendingCall(
            Supplier<List<Shortage>> attempt,
            Surroundings around,
            long arrivalNanos,
            PendingState first,
            Patience patience) {
        this.attempt = attempt;
        this.around = around;
        this.arrivalNanos = arrivalNanos;
        this.askingNanos = arrivalNanos;
        this.patience = patience;
        this.state = first;
        this.sinceNanos = around.nanos.getAsLong();
    }

    // ---- While the call is pending

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
     * Returns a future that completes when the call is decided, and fails if an attempt throws an exception. Until
     * then, the executor performs the actions that are due.
     *
     * @param executor the executor, which must not reject tasks
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

    private CompletableFuture<Boolean> nextEnd() {
        return state.isFirstWait() ? storeWaitOver : taken;
    }

    /** Returns the time when the call has to be checked, unless it is decided earlier. */
    private synchronized long dueNanos() {
        long look = state.isBoundByOutcomes() ? around.nanos.getAsLong() + nanosUntilLook() : 0;
        return patience.dueNanos(state, sinceNanos, look);
    }

    /** Returns the time until the missing permits become available, assuming that no other call takes any. */
    private long nanosUntilLook() {
        long millis = Long.MAX_VALUE;
        for (Shortage lacking : positions.values()) {
            Pool pool = lacking.pool();
            millis = Math.min(millis, pool.retryMillis(lacking.need(), pool.clockMillis()));
        }
        return TimeUnit.MILLISECONDS.toNanos(Math.max(LEAST_LOOK_MILLIS, Math.min(millis, Pool.OUTCOME_MILLIS)));
    }

    /**
     * Performs the actions that are due. If the call's time for outcomes is over, the time of calls that arrived
     * earlier is over too, even if their threads have not noticed yet. Therefore, earlier calls are checked first.
     * Otherwise, one of them could prevent this call from taking the remaining permits.
     */
    private void checkTime() {
        for (CallLine line : linesIfOutcomesEnd()) {
            line.checkTimeOfThoseBefore(arrivalNanos);
        }
        checkOwnTime();
    }

    private synchronized List<CallLine> linesIfOutcomesEnd() {
        return patience.isOutcomeTimeOver(state, around.nanos.getAsLong())
                ? positions.keySet().stream().map(Position::line).toList()
                : List.of();
    }

    /** Performs the action that is due for this call alone. */
    void checkOwnTime() {
        change(following -> {
            switch (patience.due(state, sinceNanos, around.nanos.getAsLong())) {
                case NOTHING -> {}
                case LOOK -> tryAgain(following);
                case BEGIN_WAIT -> beginWait(PendingState.WAITS_FOR_STORE, following);
                case ASK_LAST -> beginWait(PendingState.ASKS_LAST, following);
                case END -> end(PendingState.REFUSED, following);
            }
        });
    }

    /** Counts the call as waiting for the store. If too many calls are already waiting, the call gives up instead. */
    private void beginWait(PendingState waiting, Following following) {
        if (around.policy.beginWait(isMadeUp())) {
            enter(waiting);
        } else {
            following.warning = around.policy::warnOfWaits;
            end(PendingState.GAVE_UP, following);
        }
    }

    private boolean isMadeUp() {
        return positions.values().stream().anyMatch(Shortage::isMadeUp);
    }

    /** Joins the lines of all pools that have too few permits, and leaves all other lines. */
    public void standInLine(List<Shortage> lacking) {
        change(following -> standInLine(lacking, following));
    }

    private void standInLine(List<Shortage> lacking, Following following) {
        List<Position> left = positions.entrySet().stream()
                .filter(stood -> lacking.stream()
                        .noneMatch(still -> still.pool() == stood.getValue().pool()))
                .map(Map.Entry::getKey)
                .toList();
        List<Shortage> added = lacking.stream()
                .filter(one -> positions.values().stream().noneMatch(known -> known.pool() == one.pool()))
                .toList();
        left.forEach(position -> leave(position, following)); // comes first, because counters can share a line
        for (Shortage one : added) {
            positions.put(one.pool().openLine().join(inLine, arrivalNanos, number, one.demand()), one);
            following.check(one.pool());
        }
        asksAgainIfItAwaitsNothing(following);
    }

    /**
     * Leaves a line. If other calls remain in it, requests a check of the pool, because it might now be possible to
     * serve the next call.
     */
    private void leave(Position position, Following following) {
        Shortage lacked = positions.remove(position);
        position.line().remove(position);
        if (lacked != null && !position.line().isEmpty()) {
            following.check(lacked.pool());
        }
    }

    // ---- For the thread that serves a line

    /** The pending call from the point of view of its lines. */
    private final class InLine implements CallLine.Member {

        @Override
        public boolean asksStore() {
            return PendingCall.this.asksStore();
        }

        @Override
        public void checkOwnTime() {
            PendingCall.this.checkOwnTime();
        }

        @Override
        public boolean tryAgain(Position position) {
            change(PendingCall.this::tryAgain);
            return lackingAt(position) == null;
        }

        /** Determines the prospect without holding the lock, as for a call that is not in line yet. */
        @Override
        public void stayOrGo(Position position, boolean mayAskStore, long nowMillis) {
            Shortage lacking = lackingAt(position);
            Prospect prospect = lacking == null ? Prospect.STORE : lacking.prospect(mayAskStore, nowMillis);
            if (prospect != Prospect.STORE) {
                change(following -> turnDown(position, prospect == Prospect.OUTCOMES, following));
            }
        }

        /** Makes the call ask for all permits that it lacks, unless it is awaiting outcomes at a different position. */
        @Override
        public void askAgain(Position position) {
            change(following -> {
                position.line().stopAwaiting(position);
                asksAgainIfItAwaitsNothing(following);
            });
        }

        @Override
        public void refuseIfAskedSince(long nanos) {
            change(following -> {
                if (!state.isDecided() && PendingCall.this.asksStore() && askingNanos - nanos <= 0) {
                    decide(PendingState.REFUSED, following);
                }
            });
        }
    }

    /** Whether the call is asking the store for the permits that it lacks, rather than awaiting outcomes. */
    boolean asksStore() {
        return state != PendingState.AWAITS_OUTCOMES;
    }

    /** Returns the shortage at the given position; {@code null} if the call has left the position. */
    private synchronized @Nullable Shortage lackingAt(Position position) {
        return positions.get(position);
    }

    private void tryAgain(Following following) {
        if (!state.isDecided()) {
            List<Shortage> lacking = attempt.get();
            if (lacking.isEmpty()) {
                decide(PendingState.TAKEN, following);
            } else {
                standInLine(lacking, following);
            }
        }
    }

    /**
     * Handles the case in which the store has no permits for the call at the given position. Unless the call has left
     * the position, it awaits outcomes there or is refused.
     */
    private void turnDown(Position position, boolean mayAwait, Following following) {
        Shortage lacking = positions.get(position);
        if (lacking != null && !(mayAwait && beginAwaiting(position, lacking, following))) {
            decide(PendingState.REFUSED, following);
        }
    }

    /**
     * Makes the call await outcomes, unless its time for outcomes is over or too many calls are already awaiting
     * outcomes. Returns whether the call now awaits outcomes.
     */
    private boolean beginAwaiting(Position position, Shortage lacking, Following following) {
        long most = Math.min(lacking.mostAwaitingOutcomes(), around.policy.mostAwaitingOutcomesOfOne());
        if (state == PendingState.ASKS_LAST || !position.line().beginAwaiting(position, most)) {
            return false;
        }
        if (!state.countsAsAwaiting() && !around.policy.beginAwaitingOutcomes(isMadeUp())) {
            position.line().stopAwaiting(position);
            following.warning = around.policy::warnOfAwaitedOutcomes;
            return false;
        }
        if (state != PendingState.AWAITS_OUTCOMES) {
            enter(PendingState.AWAITS_OUTCOMES);
        }
        return true;
    }

    private void asksAgainIfItAwaitsNothing(Following following) {
        if (state == PendingState.AWAITS_OUTCOMES && positions.keySet().stream().noneMatch(Position::awaitsOutcomes)) {
            enter(PendingState.ASKS_AGAIN);
            askingNanos = sinceNanos;
            positions.values().forEach(lacking -> following.check(lacking.pool()));
        }
    }

    // ---- The decision

    /**
     * Whether the call has taken all the permits that it needs. Call this method only after the pending call has been
     * decided.
     */
    public boolean hasTaken() {
        return taken.join();
    }

    /**
     * Whether the call was able to stay in line. It was not if too many calls were already pending or if its caller has
     * abandoned it.
     */
    public boolean couldStay() {
        return state != PendingState.GAVE_UP;
    }

    /** Returns how long the call has been asking the store. The value is final once the call is decided. */
    public synchronized long askedNanos() {
        return askedNanos;
    }

    /** Returns the latest reason why the call was pending. */
    public synchronized Reason reason() {
        return reason;
    }

    /** Abandons the call on behalf of its caller. */
    public void giveUp() {
        change(following -> end(PendingState.GAVE_UP, following));
    }

    /** Ends the call's time. If the call is not decided yet, makes a last attempt. */
    public void end() {
        change(following -> end(PendingState.REFUSED, following));
    }

    private void end(PendingState ifShort, Following following) {
        if (state.isDecided()) {
            return;
        }
        boolean isTaken = false;
        try {
            isTaken = attempt.get().isEmpty();
        } finally { // even if the attempt throws, because no thread checks the call again after its time limit
            decide(isTaken ? PendingState.TAKEN : ifShort, following);
        }
    }

    private void decide(PendingState decision, Following following) {
        List.copyOf(positions.keySet()).forEach(position -> leave(position, following));
        enter(decision);
        around.decided.run();
    }

    /**
     * Makes one of the transitions that {@link PendingState} shows. Updates the number of waiting calls and the number
     * of calls that await outcomes.
     */
    private void enter(PendingState next) {
        PendingState before = state;
        state = before.to(next);
        long now = around.nanos.getAsLong();
        if (before.isBoundByStore()) {
            askedNanos += now - sinceNanos;
        }
        sinceNanos = now;
        if (next.countsAsAwaiting()) {
            reason = Reason.OUTCOMES;
        }
        if (before.countsAsWaiting() && !next.countsAsWaiting()) {
            around.policy.endWait();
        }
        if (before.countsAsAwaiting() && !next.countsAsAwaiting()) {
            around.policy.endAwaitingOutcomes();
        }
    }

    /** Changes the call under its lock, and then carries out the effects without the lock. */
    private void change(Consumer<Following> change) {
        Following following = new Following();
        try {
            synchronized (this) {
                change.accept(following);
            }
        } finally {
            following.carryOut();
        }
    }

    /** The effects of a change. */
    private final class Following {

        private final List<Pool> checks = new ArrayList<>(1);
        private Runnable warning = () -> {};

        private void check(Pool pool) {
            if (!checks.contains(pool)) {
                checks.add(pool);
            }
        }

        /**
         * Carries out the effects. From this point on, other calls can be served, and a check can immediately change
         * this call.
         */
        private void carryOut() {
            try {
                checks.forEach(around.requestCheck);
            } finally {
                tell();
                warning.run();
            }
        }
    }

    /** Completes the futures that the caller is waiting for. Several threads can run this method concurrently. */
    private void tell() {
        PendingState now = state;
        if (now.isDecided()) {
            taken.complete(now == PendingState.TAKEN);
            storeWaitOver.complete(now == PendingState.TAKEN);
        } else if (!now.isFirstWait()) {
            storeWaitOver.complete(false);
        }
    }
}
