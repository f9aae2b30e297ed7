package dev.sluice.servlet.underway;

import dev.sluice.Ticket;
import dev.sluice.config.fault.FaultLog;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A call under way with a ticket, to which the end of the call is reported exactly once. Safe for any thread.
 *
 * <p>A synchronous call ends when the chain returns or throws. An asynchronous call ends when the container reports that it
 * is complete, after any number of dispatches: from the first {@code startAsync} on, only the container knows the end.
 * Checking {@code isAsyncStarted()} after the chain is not enough: if another thread has dispatched the call meanwhile, that
 * is false although the call has not ended.
 */
public final class TicketedCall implements AsyncListener {

    private final Ticket ticket;
    private final FaultLog faults;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean leftToContainer;
    private volatile @Nullable HttpServletResponse response;
    private volatile @Nullable Throwable thrown;
    /** Whether the caller has disconnected, perhaps before the application answered. */
    private volatile boolean callerIsGone;

    private volatile @Nullable QueuedCall wait;
    private volatile Runnable onBypass = () -> {};

    TicketedCall(Ticket ticket, FaultLog faults) {
        this.ticket = ticket;
        this.faults = faults;
    }

    /** How long the call has to wait before it goes on. */
    long delayMillis() {
        return ticket.delayMillis();
    }

    /** Waits for this time on this thread; returns {@code false} if too many threads already wait. */
    boolean awaitTurn() throws InterruptedException {
        return ticket.awaitTurn();
    }

    boolean charge(long amount) {
        try {
            return ticket.charge(amount);
        } catch (RuntimeException | Error e) {
            faults.report("The rate limiter failed to charge a call; the call goes on, uncharged.", e);
            return false;
        }
    }

    void loginEnded(boolean failed) {
        try {
            ticket.loginEnded(failed);
        } catch (RuntimeException | Error e) {
            faults.report("The rate limiter failed when a login had ended; the login itself is not affected.", e);
        }
    }

    /** Sends the call down the chain, and reports its end. */
    void goOn(HttpServletRequest request, HttpServletResponse answer, FilterChain chain)
            throws IOException, ServletException {
        response = answer;
        QueuedCall before = wait;
        try {
            chain.doFilter(new WatchedRequest(request, this::begunAsync, this::isResumed), answer);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            thrown = e;
            end(); // Tomcat reports no end of an asynchronous call whose dispatch threw
            throw e;
        } finally {
            if (before != null) {
                before.passed();
            }
        }
        if (!isLeftToContainer(request)) {
            end();
        }
    }

    /** Asynchronous processing may have begun unseen: on the unwrapped request, or in a filter in front. */
    private boolean isLeftToContainer(HttpServletRequest request) {
        if (!leftToContainer && request.isAsyncStarted()) {
            try {
                leaveToContainer(request.getAsyncContext());
            } catch (IllegalStateException e) {
                return false; // it ended at this moment
            }
        }
        return leftToContainer;
    }

    /** The application begins to answer asynchronously. Must be called before anything can complete the answer. */
    private AsyncContext begunAsync(AsyncContext async) {
        leaveToContainer(async);
        QueuedCall waited = wait;
        if (waited != null && async.getTimeout() != waited.usualTimeout()) {
            async.setTimeout(waited.usualTimeout()); // some containers keep the time-out of the wait
        }
        return async;
    }

    private void leaveToContainer(AsyncContext async) {
        if (!leftToContainer) {
            async.addListener(this);
            leftToContainer = true;
        }
    }

    /**
     * The call is parked.
     *
     * @param parked its wait
     * @param ifBypassed runs if the call comes back to the application without passing the filter
     */
    void park(HttpServletResponse answer, QueuedCall parked, Runnable ifBypassed) {
        response = answer;
        onBypass = ifBypassed;
        wait = parked;
        leaveToContainer(parked.async());
    }

    /** Whether the call was parked and its turn has come. */
    boolean isResumed() {
        QueuedCall waited = wait;
        return waited != null && waited.isItsTurn();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this); // a second startAsync removes all listeners
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        QueuedCall waited = wait;
        if (waited != null) {
            waited.dispatch();
        }
    }

    @Override
    public void onError(AsyncEvent event) {
        Throwable fault = event.getThrowable();
        callerIsGone = fault == null || fault instanceof IOException;
        thrown = fault != null ? fault : new IOException("the container found an error in this call");
        QueuedCall waited = wait;
        if (waited != null) {
            waited.cancel();
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        QueuedCall waited = wait;
        if (waited != null) {
            waited.cancel();
        }
        if (waited != null && waited.isItsTurn() && thrown == null) {
            waited.passed();
            onBypass.run();
        }
        end();
    }

    private void end() {
        AnswerStatus answer = AnswerStatus.of(response);
        end(callerIsGone ? answer.withoutCaller() : answer.after(thrown));
    }

    /** Reports the end to the ticket; only the first time. */
    public void end(int status) {
        if (ended.compareAndSet(false, true)) {
            try {
                ticket.ended(status);
            } catch (RuntimeException | Error e) {
                faults.report("The rate limiter failed at the end of a call; the call itself is not affected.", e);
            }
        }
    }
}
