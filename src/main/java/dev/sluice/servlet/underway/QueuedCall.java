package dev.sluice.servlet.underway;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One parked call's wait for its turn. It ends once: by its time, by the container's time-out, or because nobody waits
 * any more.
 */
public final class QueuedCall {

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
     * Begins to wait.
     *
     * @param parked all calls that wait; this one is among them as long as it does
     */
    QueuedCall(AsyncContext async, Set<QueuedCall> parked) {
        this.async = async;
        this.usualTimeout = async.getTimeout();
        this.parked = parked;
        parked.add(this);
    }

    public AsyncContext async() {
        return async;
    }

    /** The time-out that the application would have had without the wait. */
    long usualTimeout() {
        return usualTimeout;
    }

    void wakenBy(Future<?> timer) {
        alarm = timer;
    }

    /** The turn has come: the container calls the filters and the application again. */
    public void dispatch() {
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

    /** The call will not be served: its caller is asked to retry later. */
    public void refuse() {
        if (state.compareAndSet(State.WAITING, State.PASSED)) {
            leave();
            answerUnavailable();
        }
    }

    private void answerUnavailable() {
        sendUnavailable((HttpServletResponse) async.getResponse());
        async.complete();
    }

    /** The answer to a call whose wait is broken off: the service stops, or the container does not dispatch it. */
    static void sendUnavailable(HttpServletResponse response) {
        if (!response.isCommitted()) {
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            response.setHeader("Retry-After", "1");
        }
    }

    /** Nobody waits any more. */
    void cancel() {
        if (state.compareAndSet(State.WAITING, State.PASSED)) {
            leave();
        }
    }

    /** Whether the turn has come, and the call is being served for the first time. */
    boolean isItsTurn() {
        return state.get() == State.ITS_TURN;
    }

    /** The call has been down the chain: further dispatches are the application's. */
    public void passed() {
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
