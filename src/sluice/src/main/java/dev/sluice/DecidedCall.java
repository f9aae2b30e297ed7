package dev.sluice;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs the work of a call that was decided, and reports how it ended. Use it after {@link RateLimiter#decideAsync} and
 * {@link RateLimiter#decideOnAsync}; {@link RateLimiter#run} decides and runs the call of a method.
 *
 * <pre>{@code
 * limiter.decideOnAsync("report", call, executor)
 *         .thenApply(decision -> DecidedCall.run(decision, () -> reports.of(customerId)));
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class DecidedCall {

    private static final int OK = 200;
    private static final int FAULT = 500;

    private DecidedCall() {}

    /**
     * Runs the work if the call is admitted; blocks this thread first while the call is queued. If the work returns a
     * {@link CompletionStage}, the call ends when that stage completes. A {@link CompletableFuture} is replaced by a
     * new one, so that the call has ended before the caller's own steps run. The call ends with status 200, or with 500
     * if the work or its stage fails. Do not use it for requests that a filter of Sluice ends already.
     *
     * @throws RateLimitedException if the call is refused; the work has not run
     * @throws E the exception that the work throws
     */
    public static <T extends @Nullable Object, E extends Throwable> T run(Decision decision, LimitedWork<T, E> work)
            throws E {
        Decision inTurn = decision.inTurn();
        if (!inTurn.admitted()) {
            throw new RateLimitedException(inTurn);
        }
        return inTurn.ticket() == null ? work.run() : runUntilItEnds(inTurn, work);
    }

    private static <T extends @Nullable Object, E extends Throwable> T runUntilItEnds(
            Decision call, LimitedWork<T, E> work) throws E {
        boolean goesOn = false;
        int status = FAULT;
        try {
            T result = work.run();
            if (result instanceof CompletionStage<?> later) {
                T ended = ending(call, result, later);
                goesOn = true;
                return ended;
            }
            status = OK;
            return result;
        } finally {
            if (!goesOn) {
                call.ended(status);
            }
        }
    }

    /**
     * The result, changed so that the call ends before the caller's own steps run. A future first runs the step that
     * was added last, so the caller's steps must be added to another future. Stages of other classes stay the same,
     * since the caller may need their class.
     */
    @SuppressWarnings({"FutureReturnValueIgnored", "unchecked"}) // new stages only report the end
    private static <T extends @Nullable Object> T ending(Decision call, T result, CompletionStage<?> stage) {
        if (stage.getClass() != CompletableFuture.class || ((CompletableFuture<?>) stage).isDone()) {
            stage.whenComplete((value, fault) -> call.ended(fault == null ? OK : FAULT));
            return result;
        }
        CompletableFuture<@Nullable Object> ended = new CompletableFuture<>();
        stage.whenComplete((value, fault) -> {
            try {
                call.ended(fault == null ? OK : FAULT);
            } finally {
                complete(ended, value, fault);
            }
        });
        ended.whenComplete(
                (value, fault) -> // the caller may have ended it
                complete((CompletableFuture<@Nullable Object>) stage, value, fault));
        return (T) ended;
    }

    private static void complete(
            CompletableFuture<@Nullable Object> future, @Nullable Object value, @Nullable Throwable fault) {
        if (fault == null) {
            future.complete(value);
        } else {
            future.completeExceptionally(fault);
        }
    }
}
