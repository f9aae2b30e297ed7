package dev.sluice;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a call may pass. Safe for any number of threads; never throws because of a call's content. A call
 * waits only if it finds no permit in hand of a shared limit that is not used up: mostly for one exchange with the
 * store, and at most for two seconds more than {@code sync.timeout}; or, for two seconds, if calls under way have taken
 * all of a limit that counts by answers.
 */
@FunctionalInterface
public interface RateLimiter {

    /** Checks every tier of every endpoint that matches. If all let the call pass, counts it in all of them. */
    Decision decide(Call call);

    /**
     * The same without a thread that waits, for reactive services and event loops. Mostly the decision is there when this
     * returns. If the call has to wait, for the store, for the outcome of other calls or for its turn in a queue, the
     * decision comes later; then there is nothing left to wait for.
     *
     * <pre>{@code
     * limiter.decideAsync(call, eventLoop).thenAccept(decision -> {
     *     if (decision.admitted()) {
     *         serve(request);
     *     } else {
     *         refuse(request, decision);
     *     }
     * });
     * }</pre>
     *
     * <p>As many calls wait at once for the store and for outcomes as {@code waitingThreads} allows threads; a queue bounds
     * those that wait for their turn. Whoever cancels what this returns gives up the call: it waits no longer, and what it
     * took is given back.
     *
     * @param executor runs what comes after a wait. It should not run it on the calling thread, which may be the limiter's
     *     own
     * @return completes with the decision; never with an exception because of a call's content
     */
    default CompletionStage<Decision> decideAsync(Call call, Executor executor) {
        return CompletableFuture.completedFuture(decide(call));
    }

    /** The same; what comes after a wait runs in the common pool. */
    default CompletionStage<Decision> decideAsync(Call call) {
        return decideAsync(call, ForkJoinPool.commonPool());
    }

    /**
     * Decides a call of a method, by all endpoints that have this name in {@code on}. Who acts on the decision reports the
     * end of the call to its ticket, if it has one.
     */
    default Decision decideOn(String name, Call call) {
        return Decision.UNLIMITED;
    }

    /** The same without a thread that waits, as {@link #decideAsync(Call, Executor)}. */
    default CompletionStage<Decision> decideOnAsync(String name, Call call, Executor executor) {
        return CompletableFuture.completedFuture(decideOn(name, call));
    }

    /**
     * Runs work as a call of a method: if the endpoints with this name in {@code on} admit it, on this thread.
     *
     * <pre>{@code
     * Report report = limiter.run("report", Map.of("tenant", tenant), () -> reports.of(customerId));
     * }</pre>
     *
     * <p>If the work returns a {@link CompletionStage}, the call ends with that one, otherwise with the work. A name that no
     * endpoint has lets the work run unlimited, and is logged once. So is a subject that an endpoint counts by and the code
     * does not give.
     *
     * @param subjects who calls: values by the name of a subject, or of a source such as {@code argument:customerId}. A
     *     subject that has none, or {@code null} or an empty {@code Optional}, is looked up by its sources, which find nothing
     *     here but {@code server}
     * @throws RateLimitedException if the call is refused; then nothing has run
     * @throws E what the work throws
     */
    default <T extends @Nullable Object, E extends Throwable> T run(
            String name, Map<String, ? extends @Nullable Object> subjects, LimitedWork<T, E> work) throws E {
        return run(name, new GivenSubjects(subjects), work);
    }

    /** The same for work that returns nothing. */
    default void run(String name, Map<String, ? extends @Nullable Object> subjects, Runnable work) {
        DecidedCall.run(decideOn(name, new GivenSubjects(subjects)), () -> {
            work.run();
            return true;
        });
    }

    /** The same for a call that is known otherwise. */
    default <T extends @Nullable Object, E extends Throwable> T run(String name, Call call, LimitedWork<T, E> work)
            throws E {
        return DecidedCall.run(decideOn(name, call), work);
    }

    /** The headers and status that responses get, as the limits in force say. */
    default ResponseOptions responses() {
        return ResponseOptions.DEFAULT;
    }
}
