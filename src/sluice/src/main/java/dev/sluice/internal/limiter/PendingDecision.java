package dev.sluice.internal.limiter;

import dev.sluice.Decision;
import dev.sluice.internal.limiter.counter.PendingCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A decision that is made without blocking a thread. It runs an {@link Evaluation}. When the call is no longer pending,
 * the evaluation continues on an executor. Cancelling the result abandons the call. If other code completes the result,
 * the call's permits are returned. Thread-safe.
 */
final class PendingDecision {

    /** Completes with the decision. */
    final CompletableFuture<Decision> result = new CompletableFuture<>();

    private final Supplier<Evaluation> beginning;
    private final Executor executor;
    private final Consumer<Decision> decided;
    private final BiConsumer<CompletableFuture<Decision>, Throwable> ifItFails;
    private @Nullable Evaluation evaluation;
    private volatile @Nullable PendingCall pending;

    /**
     * Prepares a decision without deciding anything yet.
     *
     * @param beginning the function that creates the evaluation
     * @param executor the executor on which the evaluation continues when the call is no longer pending
     * @param decided the consumer that receives the decision before the result completes
     * @param ifItFails the action that completes the result if the decision fails
     */
    PendingDecision(
            Supplier<Evaluation> beginning,
            Executor executor,
            Consumer<Decision> decided,
            BiConsumer<CompletableFuture<Decision>, Throwable> ifItFails) {
        this.beginning = beginning;
        this.executor = orHere(executor);
        this.decided = decided;
        this.ifItFails = ifItFails;
        var unused = result.whenComplete((decision, failure) -> giveUpIfCancelled());
    }

    /** Wraps an executor so that rejected tasks run on the submitting thread. */
    private static Executor orHere(Executor executor) {
        return work -> {
            try {
                executor.execute(work);
            } catch (RejectedExecutionException e) {
                work.run();
            }
        };
    }

    private void giveUpIfCancelled() {
        PendingCall call = pending;
        if (result.isCancelled() && call != null) {
            call.giveUp();
        }
    }

    /** Begins the evaluation once the given future is done, or immediately if the future is {@code null}. */
    void proceedAfter(@Nullable CompletableFuture<?> first) {
        if (first == null) {
            proceed();
        } else {
            var unused = first.thenRunAsync(this::proceed, executor);
        }
    }

    /** Continues the evaluation until the call is pending or decided. */
    private void proceed() {
        try {
            Evaluation begun = evaluation == null ? beginning.get() : evaluation;
            evaluation = begun;
            PendingCall call = begun.proceed();
            if (call == null) {
                awaitTurn(begun);
                return;
            }
            pending = call;
            giveUpIfCancelled();
            var unused = call.whenDecided(executor).whenComplete((decided, failure) -> {
                if (failure == null) {
                    proceed();
                } else {
                    ifItFails.accept(result, failure);
                }
            });
        } catch (RuntimeException | Error e) {
            ifItFails.accept(result, e);
        }
    }

    private void awaitTurn(Evaluation over) {
        pending = null;
        Decision decision = over.decision();
        long delayMillis = decision.ticket() == null ? 0 : decision.ticket().delayMillis();
        if (delayMillis == 0 || result.isDone()) {
            complete(over, decision);
            return;
        }
        var unused = result.copy()
                .completeOnTimeout(decision, delayMillis, TimeUnit.MILLISECONDS)
                .handleAsync(
                        (any, cancelled) -> {
                            complete(over, decision);
                            return null;
                        },
                        executor);
    }

    private void complete(Evaluation over, Decision decision) {
        if (result.isDone()) {
            over.giveBack();
            return;
        }
        try {
            tell(decision);
        } catch (RuntimeException | Error e) {
            ifItFails.accept(result, e);
            return;
        }
        if (!result.complete(decision)) {
            over.giveBack();
        }
    }

    /** Reports the decision while its ticket still shows the delay. Then records that the turn of the call has come. */
    private void tell(Decision decision) {
        try {
            decided.accept(decision);
        } finally {
            InFlightCall.turnHasCome(decision.ticket());
        }
    }
}
