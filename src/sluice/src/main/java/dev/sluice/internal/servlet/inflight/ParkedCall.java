package dev.sluice.internal.servlet.inflight;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A queued call that is parked, which means that it holds no thread. A call is parked at most once. Thread-safe.
 *
 * <pre>
 *   PARKED ─── turn has come ──▶ ITS_TURN ── filter has sent the call down the chain ──────▶ PASSED
 *      │                             └── call completed without returning to the filter ───▶ PASSED
 *      └── parking was cut short, or the caller has disconnected ──────────────────────────▶ PASSED
 * </pre>
 */
final class ParkedCall {

    private enum State {
        PARKED,
        ITS_TURN,
        PASSED
    }

    private final AsyncContext async;
    private final ParkedResponse answer;
    private final long usualTimeout;
    private final Set<ParkedCall> parked;
    private final Runnable onBypass;
    private final AtomicReference<State> state = new AtomicReference<>(State.PARKED);
    private volatile @Nullable Future<?> alarm;

    /**
     * Parks a call.
     *
     * @param answer the response that the container passes to the filters when it dispatches the call
     * @param parked the set of all parked calls; it contains this call while it is parked
     * @param onBypass the action to run if the call receives a response without returning through the filter
     */
    ParkedCall(AsyncContext async, ParkedResponse answer, Set<ParkedCall> parked, Runnable onBypass) {
        this.async = async;
        this.answer = answer;
        this.usualTimeout = async.getTimeout();
        this.parked = parked;
        this.onBypass = onBypass;
        parked.add(this);
    }

    AsyncContext async() {
        return async;
    }

    /** Returns the async timeout that the container had set before the timeout was changed for parking. */
    long usualTimeout() {
        return usualTimeout;
    }

    void wakenBy(Future<?> timer) {
        alarm = timer;
    }

    /** Dispatches the call when its turn has come. The container then calls the filters and the application again. */
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
            // the container has ended the call because the caller has disconnected
        }
    }

    /** Ends the parking and sends a 503 response, which asks the caller to retry. */
    void refuse() {
        if (leave(State.PASSED)) {
            answerUnavailable();
        }
    }

    private void answerUnavailable() {
        sendUnavailable((HttpServletResponse) async.getResponse());
        complete();
    }

    /**
     * Sends a 503 response to a call whose parking was cut short because the service is stopping or the container
     * cannot dispatch the call.
     */
    static void sendUnavailable(HttpServletResponse response) {
        if (!response.isCommitted()) {
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            response.setHeader("Retry-After", "1");
        }
    }

    /** Ends the parking because the call has ended. Returns {@code false} if the parking has already ended. */
    boolean cancel() {
        return leave(State.PASSED);
    }

    /** Whether the call's turn has come and its dispatch is in progress. */
    boolean isItsTurn() {
        return state.get() == State.ITS_TURN;
    }

    /**
     * Records that the filter has sent the call down the chain. Any further dispatches are started by the application.
     */
    void passed() {
        state.compareAndSet(State.ITS_TURN, State.PASSED);
    }

    /**
     * Records that the container has reported the end of the call, although the call has not returned through the
     * filter. If the parking was not cut short, there are two possible causes. Either a different filter or a servlet
     * has responded to the call, or the container has dropped the dispatch, perhaps because the connection was reset.
     */
    void completed() {
        if (!cancel() && state.compareAndSet(State.ITS_TURN, State.PASSED) && answer.hasAnswer()) {
            onBypass.run();
        }
    }

    /**
     * Ends the parking. Returns {@code false} if it has already ended. Only the thread that ends the parking is allowed
     * to use the request.
     */
    private boolean leave(State next) {
        if (!state.compareAndSet(State.PARKED, next)) {
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
