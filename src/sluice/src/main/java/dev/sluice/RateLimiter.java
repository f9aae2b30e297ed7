package dev.sluice;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a call may proceed, and counts the call if it may. The implementation is {@code Sluice} in {@code
 * dev.sluice.open}. It reads the limits from {@code rate-limits.yml}.
 *
 * <pre>{@code
 * Decision decision = limiter.decide(call).inTurn();
 * if (!decision.admitted()) {
 *     return tooManyRequests(decision.retryAfterSeconds());
 * }
 * int status = 500;
 * try {
 *     status = serve(call);
 * } finally {
 *     decision.ended(status);
 * }
 * }</pre>
 *
 * <p>To limit a piece of work instead of a request, use {@link #run}. It does all of this for you.
 *
 * <p>Most decisions are made immediately, in memory. In two cases, a call is pending for a while. First, a call waits
 * if it needs a permit from a shared limit, no permit remains in memory, and the store might have more. It waits for
 * one exchange with the store, or for a few exchanges if other instances have to return permits. The wait never exceeds
 * {@code sync.timeout} by more than two seconds. Second, a call awaits outcomes if a limit counts only some responses
 * and calls in flight hold all of its permits. This takes up to two seconds. With {@link #decideAsync}, {@code Sluice}
 * does not block a thread in the meantime.
 *
 * <p>No input from callers can make these methods throw an exception. If one of the application's own resolvers or
 * listeners throws an exception, the limiter logs it once and continues. Arguments and results are never {@code null}.
 * Thread-safe.
 */
@FunctionalInterface
public interface RateLimiter {

    /**
     * Decides whether a call may proceed, and blocks while the call is pending. The call must pass every tier of every
     * matching endpoint. If it does, all of these tiers count the call. If not, none of them does.
     *
     * <p>If the call is queued ({@code leaky-bucket} with a {@code queue}), this method returns before the call's turn.
     * Call {@link Decision#inTurn} to wait for the turn.
     *
     * @return the decision; {@link Decision#UNLIMITED} if no endpoint matches
     */
    Decision decide(Call call);

    /**
     * Decides whether a call may proceed, for reactive services and event loops. {@code Sluice} does not block a
     * thread. Usually, the decision has already been made when this method returns. If the call has to wait for the
     * store, await the outcomes of other calls or be queued, the result completes later. The default implementation
     * only calls {@link #decide} on the current thread. It therefore blocks like {@code decide}, and its result
     * completes before the call's turn.
     *
     * <pre>{@code
     * limiter.decideAsync(call, eventLoop)
     *         .thenCompose(decision -> DecidedCall.run(decision, () -> serve(request))); // a stage
     * }</pre>
     *
     * <p>{@code pendingCalls} limits the number of calls that wait for the store or await outcomes, just as it limits
     * the number of blocked threads. The length of a queue limits the number of queued calls. To abandon a call, cancel
     * the result. The call then returns its permits, but does not free its turn in a queue. If {@code cancel}
     * returns {@code false}, the decision has already been made, so report the {@link Decision#ended end} of the call.
     *
     * @param executor the executor on which the result completes if the call was pending. It should run tasks on its
     *     own threads, because the calling thread might belong to the limiter
     * @return a stage that completes with the decision
     */
    default CompletionStage<Decision> decideAsync(Call call, Executor executor) {
        return CompletableFuture.completedFuture(decide(call));
    }

    /** The same as {@link #decideAsync(Call, Executor)} with {@link ForkJoinPool#commonPool()}. */
    default CompletionStage<Decision> decideAsync(Call call) {
        return decideAsync(call, ForkJoinPool.commonPool());
    }

    /**
     * Decides whether a method call may proceed. The endpoints with the given name in {@code on} apply. Report the
     * {@link Decision#ended end} of the call, or use {@link DecidedCall}, which reports it for you.
     *
     * @return the decision; {@link Decision#UNLIMITED} if no endpoint has the given name
     */
    default Decision decideOn(String name, Call call) {
        return Decision.UNLIMITED;
    }

    /** The same as {@link #decideOn}, but non-blocking, like {@link #decideAsync(Call, Executor)}. */
    default CompletionStage<Decision> decideOnAsync(String name, Call call, Executor executor) {
        return CompletableFuture.completedFuture(decideOn(name, call));
    }

    /**
     * Runs work if the endpoints with the given name in {@code on} admit the call. Blocks while the call is pending,
     * and then runs the work on the same thread.
     *
     * <pre>{@code
     * Report report = limiter.run("report", Map.of("tenant", tenant), () -> reports.of(customerId));
     * }</pre>
     *
     * <p>If the work returns a {@link CompletionStage}, the call ends when that stage completes. Otherwise it ends when
     * the work returns. If no endpoint has the given name, the work runs without a limit, and the limiter logs a
     * warning once. The limiter also logs a warning once if an endpoint is keyed by a subject that {@code subjects}
     * does not contain.
     *
     * <p>The work cannot report its cost. If the cost is reserved or charged, use {@link #decideOn} with {@link
     * DecidedCall#run}, and settle {@link Decision#reservation}.
     *
     * @param subjects the values that identify the caller. Each key is the name of a subject, or of a source such as
     *     {@code argument:customerId}. If the value of a subject is missing, {@code null} or an empty {@code Optional},
     *     its sources are used. Without a request, however, only the {@code server} source has a value
     * @return the result of the work
     * @throws RateLimitedException if the call is refused; the work has not run
     * @throws E the exception that the work throws
     */
    default <T extends @Nullable Object, E extends Throwable> T run(
            String name, Map<String, ? extends @Nullable Object> subjects, LimitedWork<T, E> work) throws E {
        return run(name, new GivenSubjects(subjects), work);
    }

    /**
     * The same as {@link #run(String, Map, LimitedWork)}, for work without a result.
     *
     * @throws RateLimitedException if the call is refused; the work has not run
     */
    default void run(String name, Map<String, ? extends @Nullable Object> subjects, Runnable work) {
        DecidedCall.run(decideOn(name, new GivenSubjects(subjects)), () -> {
            work.run();
            return true;
        });
    }

    /**
     * The same as {@link #run(String, Map, LimitedWork)}, for a {@link Call} that identifies its caller.
     *
     * @throws RateLimitedException if the call is refused; the work has not run
     * @throws E the exception that the work throws
     */
    default <T extends @Nullable Object, E extends Throwable> T run(String name, Call call, LimitedWork<T, E> work)
            throws E {
        return DecidedCall.run(decideOn(name, call), work);
    }

    /**
     * The phase whose endpoints this limiter applies; {@link Phase#WHOLE} unless this limiter is one phase of a {@link
     * #whole whole limiter}.
     */
    default Phase phase() {
        return Phase.WHOLE;
    }

    /**
     * The limiter that applies all endpoints. If this limiter is only one phase of a limiter, returns the whole
     * limiter. Otherwise, returns this limiter itself.
     */
    default RateLimiter whole() {
        return this;
    }

    /** The clock of this limiter. The clock determines the windows, and the times in responses. */
    default InstantSource clock() {
        return InstantSource.system();
    }

    /**
     * The format of responses, as defined by the limits in force: their headers, and the status and body of refusals.
     */
    default ResponseOptions responses() {
        return ResponseOptions.DEFAULT;
    }
}
