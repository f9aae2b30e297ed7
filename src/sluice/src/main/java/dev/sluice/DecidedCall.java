package dev.sluice;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs the work of a call after its decision, and reports how the call ended. Use this class after {@link
 * RateLimiter#decideAsync} or {@link RateLimiter#decideOnAsync}. {@link RateLimiter#run} does both steps for a method
 * call.
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
     * Runs the work if the call is admitted. If the call is queued, this method first blocks the thread until the
     * call's turn. If the work returns a {@link CompletionStage}, the call ends when that stage completes. A {@link
     * CompletableFuture} is replaced with a new one, so that the call has ended before the calling code's own steps
     * run. The call ends with status 200, or with status 500 if the work or its stage fails. Do not use this method for
     * requests that a Sluice filter handles, because the filter already reports their end.
     *
     * @throws RateLimitedException if the call is refused. In this case, the work has not run
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
     * The result, wrapped so that the call ends before the calling code's own steps run. A future runs the most
     * recently added step first, so the calling code must add its steps to a different future. Stages of other classes
     * are returned unchanged, because the calling code might depend on the class.
     */
    @SuppressWarnings({"FutureReturnValueIgnored", "unchecked"}) // the new stages only report the end of the call
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
                (value, fault) -> // the calling code might have completed this future
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
