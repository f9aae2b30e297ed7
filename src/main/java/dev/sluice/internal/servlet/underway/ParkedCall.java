package dev.sluice.internal.servlet.underway;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one call without a thread. It ends once.
 *
 * <pre>
 *   WAITING ── its turn has come ──▶ ITS_TURN ── the filter has let it go on ──▶ PASSED
 *      └── answered here: refused, cut short, or its caller has gone ────────────▶ PASSED
 * </pre>
 */
final class ParkedCall {

    private enum State {
        WAITING,
        ITS_TURN,
        PASSED
    }

    private final AsyncContext async;
    private final long usualTimeout;
    private final Set<ParkedCall> parked;
    private final boolean isDecided;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile @Nullable Future<?> alarm;

    /**
     * Begins the wait.
     *
     * @param parked all calls that wait; contains this one until its wait ends
     * @param isDecided whether the call is admitted, and waits only for its turn
     */
    ParkedCall(AsyncContext async, Set<ParkedCall> parked, boolean isDecided) {
        this.async = async;
        this.usualTimeout = async.getTimeout();
        this.parked = parked;
        this.isDecided = isDecided;
        parked.add(this);
    }

    AsyncContext async() {
        return async;
    }

    /** The time-out for asynchronous answers before this wait changed it. */
    long usualTimeout() {
        return usualTimeout;
    }

    void wakenBy(Future<?> timer) {
        alarm = timer;
    }

    /** Its turn has come: the container calls the filters and the application again, after this has prepared the request. */
    void dispatch(Runnable first) {
        if (leave(State.ITS_TURN)) {
            try {
                first.run();
                async.dispatch();
            } catch (RuntimeException | Error e) {
                passed();
                answerUnavailable();
                throw e;
            }
        }
    }

    /**
     * Ends the wait with an answer, which a thread of the container writes. It is not dispatched: it would skip filters
     * that are mapped for requests only.
     */
    void answer(Runnable write) {
        if (leave(State.PASSED)) {
            Runnable answer = () -> {
                try {
                    write.run();
                } finally {
                    complete();
                }
            };
            try {
                async.start(answer);
            } catch (RuntimeException e) {
                answer.run(); // the container has no thread for it, perhaps since it stops
            }
        }
    }

    private void complete() {
        try {
            async.complete();
        } catch (IllegalStateException e) {
            // the container has ended it, since its caller has gone
        }
    }

    /** Ends the wait without serving the call; its caller is asked to retry later. */
    void refuse() {
        if (leave(State.PASSED)) {
            answerUnavailable();
        }
    }

    /** The container ends the wait. */
    void timedOut() {
        if (isDecided) {
            dispatch(() -> {});
        } else {
            refuse();
        }
    }

    private void answerUnavailable() {
        sendUnavailable((HttpServletResponse) async.getResponse());
        complete();
    }

    /** Answers a call whose wait was cut short: the service stops, or the container does not dispatch the call. */
    static void sendUnavailable(HttpServletResponse response) {
        if (!response.isCommitted()) {
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            response.setHeader("Retry-After", "1");
        }
    }

    /** Ends the wait because the call has ended; returns {@code false} if the wait was over. */
    boolean cancel() {
        return leave(State.PASSED);
    }

    /** Whether the turn has come, and the dispatch for it is under way. */
    boolean isItsTurn() {
        return state.get() == State.ITS_TURN;
    }

    /** The call has passed the filter: further dispatches are the application's own. */
    void passed() {
        state.compareAndSet(State.ITS_TURN, State.PASSED);
    }

    /** Ends the wait, if it has not ended; only then the request may be used. */
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
