package dev.sluice;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a call may proceed, and counts it if it may. The implementation is {@code Sluice} in {@code
 * dev.sluice.open}, which reads the limits from {@code rate-limits.yml}.
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
 * <p>To limit a piece of work instead of a request, use {@link #run}, which does all of this for you.
 *
 * <p>Most decisions are made immediately, in memory. In two cases, a call is pending for a while. First, a call waits
 * if it needs a permit of a shared limit, no permit remains in memory, and the store may have more. It waits for one
 * exchange with the store, or for a few exchanges if other instances must return permits. The wait is never more than
 * two seconds longer than {@code sync.timeout}. Second, a call awaits outcomes if a limit counts only some responses,
 * and calls in flight hold all of its permits. It does so for up to two seconds. With {@link #decideAsync}, {@code
 * Sluice} blocks no thread in the meantime.
 *
 * <p>No input from callers can make these methods throw an exception. If one of the application's own resolvers or
 * listeners throws, the limiter logs the exception once and continues. Arguments and results are never {@code null}.
 * Thread-safe.
 */
@FunctionalInterface
public interface RateLimiter {

    /**
     * Decides a call, and blocks while the call is pending. The call must pass every tier of every matching endpoint.
     * If it does, it is counted in all of them. If not, it is counted in none.
     *
     * <p>If the call is queued ({@code leaky-bucket} with a {@code queue}), this method returns before the call's turn.
     * Call {@link Decision#inTurn} to wait for the turn.
     *
     * @return the decision; {@link Decision#UNLIMITED} if no endpoint matches
     */
    Decision decide(Call call);

    /**
     * Decides a call for reactive services and event loops. {@code Sluice} blocks no thread. Usually, the decision has
     * already been made when this method returns. If the call waits for the store, awaits the outcomes of other calls
     * or is queued, the result completes afterwards. The default implementation only calls {@link #decide} on this
     * thread. So it blocks like {@code decide}, and its result completes before the call's turn.
     *
     * <pre>{@code
     * limiter.decideAsync(call, eventLoop)
     *         .thenCompose(decision -> DecidedCall.run(decision, () -> serve(request))); // a stage
     * }</pre>
     *
     * <p>{@code pendingCalls} limits the number of calls that wait for the store or await outcomes, just as it limits
     * the number of blocked threads. The length of a queue limits the number of queued calls. To give up a call, cancel
     * the result. The call then returns the permits that it took, but still uses its turn in a queue. If {@code cancel}
     * returns {@code false}, the decision was already made, so report its {@link Decision#ended end}.
     *
     * @param executor the executor on which the result completes if the call was pending. It should run tasks on its
     *     own thread, because the calling thread may belong to the limiter
     * @return a stage that completes with the decision
     */
    default CompletionStage<Decision> decideAsync(Call call, Executor executor) {
        return CompletableFuture.completedFuture(decide(call));
    }

    /** Same as {@link #decideAsync(Call, Executor)} with {@link ForkJoinPool#commonPool()}. */
    default CompletionStage<Decision> decideAsync(Call call) {
        return decideAsync(call, ForkJoinPool.commonPool());
    }

    /**
     * Decides a method call, by the endpoints with this name in {@code on}. Report the {@link Decision#ended end} of
     * the call, or use {@link DecidedCall}, which does so.
     *
     * @return the decision; {@link Decision#UNLIMITED} if no endpoint has this name
     */
    default Decision decideOn(String name, Call call) {
        return Decision.UNLIMITED;
    }

    /** Same as {@link #decideOn}, but without blocking, like {@link #decideAsync(Call, Executor)}. */
    default CompletionStage<Decision> decideOnAsync(String name, Call call, Executor executor) {
        return CompletableFuture.completedFuture(decideOn(name, call));
    }

    /**
     * Runs work if it is admitted by the endpoints with this name in {@code on}. Blocks while the call is pending, and
     * then runs the work on the same thread.
     *
     * <pre>{@code
     * Report report = limiter.run("report", Map.of("tenant", tenant), () -> reports.of(customerId));
     * }</pre>
     *
     * <p>If the work returns a {@link CompletionStage}, the call ends when that stage completes. Otherwise it ends when
     * the work returns. If no endpoint has this name, the work runs without a limit, and the log says so once. If an
     * endpoint is keyed by a subject that is missing here, the log also says so once.
     *
     * <p>The work cannot report its cost. If the cost is reserved or charged, use {@link #decideOn} with {@link
     * DecidedCall#run}, and settle {@link Decision#reservation}.
     *
     * @param subjects identifies the caller. Each key is the name of a subject or of a source, such as {@code
     *     argument:customerId}. If the value of a subject is missing, {@code null} or an empty {@code Optional}, its
     *     sources are used, but without a request, only {@code server} has a value
     * @return the result of the work
     * @throws RateLimitedException if the call is refused; the work has not run
     * @throws E the exception that the work throws
     */
    default <T extends @Nullable Object, E extends Throwable> T run(
            String name, Map<String, ? extends @Nullable Object> subjects, LimitedWork<T, E> work) throws E {
        return run(name, new GivenSubjects(subjects), work);
    }

    /**
     * Same as {@link #run(String, Map, LimitedWork)} for work that returns nothing.
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
     * Same as {@link #run(String, Map, LimitedWork)}, for a {@link Call} that identifies its caller.
     *
     * @throws RateLimitedException if the call is refused; the work has not run
     * @throws E the exception that the work throws
     */
    default <T extends @Nullable Object, E extends Throwable> T run(String name, Call call, LimitedWork<T, E> work)
            throws E {
        return DecidedCall.run(decideOn(name, call), work);
    }

    /**
     * The phase whose endpoints this limiter applies; {@link Phase#WHOLE} unless it is one phase of {@link #whole
     * another limiter}.
     */
    default Phase phase() {
        return Phase.WHOLE;
    }

    /** The limiter of which this one is a phase, or this limiter itself if it applies all endpoints. */
    default RateLimiter whole() {
        return this;
    }

    /** The clock of this limiter. It determines windows and the times in responses. */
    default InstantSource clock() {
        return InstantSource.system();
    }

    /**
     * The format of responses: their headers, and the status and body of a refusal, as defined by the limits in force.
     */
    default ResponseOptions responses() {
        return ResponseOptions.DEFAULT;
    }
}
