package dev.sluice;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a call may proceed, and counts it if it may. {@code Sluice} in {@code dev.sluice.open} is the
 * implementation; it reads the limits from {@code rate-limits.yml}.
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
 * <p>To limit a piece of work rather than a request, use {@link #run}, which does all of this.
 *
 * <p>Most decisions are made in memory, at once. In two cases a call is pending for a while. First, a call waits if it
 * needs a permit of a shared limit, no permit remains in memory, and the store may have more. It waits for one exchange
 * with the store, or for a few if other instances must return permits, and never more than two seconds longer than
 * {@code sync.timeout}. Second, a call awaits outcomes if calls in flight hold all permits of a limit that counts by
 * answers. It does so for up to two seconds. In {@link #decideAsync}, {@code Sluice} blocks no thread meanwhile.
 *
 * <p>Nothing that a caller sends makes these methods throw. If one of the application's own resolvers or listeners
 * throws, the limiter logs that once and goes on. Arguments and results are never {@code null}. Thread-safe.
 */
@FunctionalInterface
public interface RateLimiter {

    /**
     * Decides a call, and blocks while it is pending. The call must pass every tier of every endpoint that matches it.
     * If it does, it is counted in all of them; if not, in none.
     *
     * <p>A queue ({@code leaky-bucket} with a {@code queue}) decides before the call's turn. Call {@link
     * Decision#inTurn} to stay queued until then.
     *
     * @return the decision; {@link Decision#UNLIMITED} if no endpoint matches
     */
    Decision decide(Call call);

    /**
     * Decides a call for reactive services and event loops. {@code Sluice} blocks no thread. The decision has usually
     * been made when this method returns. If the call waits for the store, awaits the outcomes of others or is queued,
     * the decision comes after that. The default implementation only calls {@link #decide} on this thread, so it blocks
     * as {@code decide} does, and its decision comes before the call's turn.
     *
     * <pre>{@code
     * limiter.decideAsync(call, eventLoop)
     *         .thenCompose(decision -> DecidedCall.run(decision, () -> serve(request))); // a stage
     * }</pre>
     *
     * <p>{@code pendingCalls} bounds the number of calls that wait for the store or await outcomes, as it does for
     * blocked threads. The length of a queue bounds the queued calls. To give up a call, cancel the result: the call is
     * no longer pending, and returns the permits that it took, but keeps a turn in a queue. If {@code cancel} returns
     * {@code false}, the decision came first: report its {@link Decision#ended end}.
     *
     * @param executor completes the result if the call was pending. It should run tasks on a thread of its own: the
     *     calling thread may belong to the limiter
     * @return completes with the decision
     */
    default CompletionStage<Decision> decideAsync(Call call, Executor executor) {
        return CompletableFuture.completedFuture(decide(call));
    }

    /** Same as {@link #decideAsync(Call, Executor)} with {@link ForkJoinPool#commonPool()}. */
    default CompletionStage<Decision> decideAsync(Call call) {
        return decideAsync(call, ForkJoinPool.commonPool());
    }

    /**
     * Decides the call of a method, by the endpoints whose {@code on} is this name. Report how the call {@link
     * Decision#ended ends}, or let {@link DecidedCall} do so.
     *
     * @return the decision; {@link Decision#UNLIMITED} if no endpoint has this name
     */
    default Decision decideOn(String name, Call call) {
        return Decision.UNLIMITED;
    }

    /** Same as {@link #decideOn}; may be pending as {@link #decideAsync(Call, Executor)} does. */
    default CompletionStage<Decision> decideOnAsync(String name, Call call, Executor executor) {
        return CompletableFuture.completedFuture(decideOn(name, call));
    }

    /**
     * Runs work if the endpoints whose {@code on} is this name admit it. Blocks while the call is pending, then runs
     * the work on the same thread.
     *
     * <pre>{@code
     * Report report = limiter.run("report", Map.of("tenant", tenant), () -> reports.of(customerId));
     * }</pre>
     *
     * <p>If the work returns a {@link CompletionStage}, the call ends when that stage completes; otherwise when the
     * work returns. If no endpoint has this name, the work runs unlimited, and the log says so once. The log also says
     * so once if an endpoint is keyed by a subject that is not given here.
     *
     * <p>The work cannot report its cost. If that is reserved or charged, use {@link #decideOn} with {@link
     * DecidedCall#run}, and settle {@link Decision#reservation}.
     *
     * @param subjects the caller: each key is the name of a subject, or of a source such as {@code
     *     argument:customerId}. If a subject is missing, {@code null} or an empty {@code Optional}, its sources are
     *     asked, but without a request, only {@code server} has a value
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
     * Same as {@link #run(String, Map, LimitedWork)} for a call that identifies its caller itself.
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

    /** The limiter that this one is a phase of; this limiter itself if it applies all endpoints. */
    default RateLimiter whole() {
        return this;
    }

    /** The clock that this limiter counts by, and from which times in responses come. */
    default InstantSource clock() {
        return InstantSource.system();
    }

    /** How responses look: their headers, and the status and body of a refusal, as the limits in force say. */
    default ResponseOptions responses() {
        return ResponseOptions.DEFAULT;
    }
}
