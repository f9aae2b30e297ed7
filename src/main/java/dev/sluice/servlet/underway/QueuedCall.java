package dev.sluice.servlet.underway;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one parked call for its turn. It ends once: when the turn comes, by the container's time-out, or because the
 * caller has gone.
 */
final class QueuedCall {

    private enum State {
        WAITING,
        ITS_TURN,
        PASSED
    }

    private final AsyncContext async;
    private final long usualTimeout;
    private final Set<QueuedCall> parked;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile @Nullable Future<?> alarm;

    /**
     * Begins the wait.
     *
     * @param parked all calls that wait; contains this one until its wait ends
     */
    QueuedCall(AsyncContext async, Set<QueuedCall> parked) {
        this.async = async;
        this.usualTimeout = async.getTimeout();
        this.parked = parked;
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

    /** The turn has come: the container calls the filters and the application again. */
    void dispatch() {
        if (state.compareAndSet(State.WAITING, State.ITS_TURN)) {
            leave();
            try {
                async.dispatch();
            } catch (RuntimeException e) {
                passed();
                answerUnavailable();
                throw e;
            }
        }
    }

    /** Ends the wait without serving the call; its caller is asked to retry later. */
    void refuse() {
        if (state.compareAndSet(State.WAITING, State.PASSED)) {
            leave();
            answerUnavailable();
        }
    }

    private void answerUnavailable() {
        sendUnavailable((HttpServletResponse) async.getResponse());
        async.complete();
    }

    /** Answers a call whose wait was cut short: the service stops, or the container does not dispatch the call. */
    static void sendUnavailable(HttpServletResponse response) {
        if (!response.isCommitted()) {
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            response.setHeader("Retry-After", "1");
        }
    }

    /** Ends the wait because the call has ended. */
    void cancel() {
        if (state.compareAndSet(State.WAITING, State.PASSED)) {
            leave();
        }
    }

    /** Whether the turn has come, and the dispatch for it is under way. */
    boolean isItsTurn() {
        return state.get() == State.ITS_TURN;
    }

    /** The call has passed the filter: further dispatches are the application's own. */
    void passed() {
        state.compareAndSet(State.ITS_TURN, State.PASSED);
    }

    private void leave() {
        parked.remove(this);
        Future<?> timer = alarm;
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
