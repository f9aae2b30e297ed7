package dev.sluice.internal.servlet.inflight;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one call without a thread. It ends once. Thread-safe.
 *
 * <pre>
 *   WAITING ── its turn has come ──▶ ITS_TURN ── the filter sends it down the chain ──▶ PASSED
 *      └── cut short, or its caller has disconnected ─────────────────────────────────▶ PASSED
 * </pre>
 */
final class ParkedCall {

    private enum State {
        WAITING,
        ITS_TURN,
        PASSED
    }

    private final AsyncContext async;
    private final ParkedResponse answer;
    private final long usualTimeout;
    private final Set<ParkedCall> parked;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile @Nullable Future<?> alarm;

    /**
     * Begins the wait.
     *
     * @param answer the response with which the container dispatches the call
     * @param parked all waiting calls; contains this one until its wait ends
     */
    ParkedCall(AsyncContext async, ParkedResponse answer, Set<ParkedCall> parked) {
        this.async = async;
        this.answer = answer;
        this.usualTimeout = async.getTimeout();
        this.parked = parked;
        parked.add(this);
    }

    AsyncContext async() {
        return async;
    }

    /** The async timeout that the container had set before this wait changed it. */
    long usualTimeout() {
        return usualTimeout;
    }

    void wakenBy(Future<?> timer) {
        alarm = timer;
    }

    /** Its turn has come: lets the container call the filters and the application again. */
    void dispatch() {
        if (leave(State.ITS_TURN)) {
            try {
                async.dispatch();
            } catch (RuntimeException | Error e) {
                passed();
                answerUnavailable();
                throw e;
            }
        }
    }

    private void complete() {
        try {
            async.complete();
        } catch (IllegalStateException e) {
            // the container has ended it, because the caller has disconnected
        }
    }

    /** Ends the wait with 503, which asks the caller to retry. */
    void refuse() {
        if (leave(State.PASSED)) {
            answerUnavailable();
        }
    }

    private void answerUnavailable() {
        sendUnavailable((HttpServletResponse) async.getResponse());
        complete();
    }

    /** Answers a call whose wait was cut short because the service stops or the container cannot dispatch the call. */
    static void sendUnavailable(HttpServletResponse response) {
        if (!response.isCommitted()) {
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            response.setHeader("Retry-After", "1");
        }
    }

    /** Ends the wait because the call has ended; returns {@code false} if the wait was already over. */
    boolean cancel() {
        return leave(State.PASSED);
    }

    /** Whether its turn has come and the dispatch for it is in flight. */
    boolean isItsTurn() {
        return state.get() == State.ITS_TURN;
    }

    /** Whether a filter or servlet has begun to answer it. */
    boolean hasAnswer() {
        return answer.hasAnswer();
    }

    /** The filter has sent the call down the chain: further dispatches are the application's own. */
    void passed() {
        state.compareAndSet(State.ITS_TURN, State.PASSED);
    }

    /** Ends the wait; {@code false} if it has already ended. Only the thread that ends the wait may use the request. */
    private boolean leave(State next) {
        if (!state.compareAndSet(State.WAITING, next)) {
            return false;
        }
        parked.remove(this);
        Future<?> timer = alarm;
        if (timer != null) {
            timer.cancel(false);
        }
        return true;
    }
}
