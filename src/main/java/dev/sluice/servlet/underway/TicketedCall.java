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
 * A call under way that carries a ticket, which hears of the call's end exactly once. Safe for any thread.
 *
 * <p>A call that stays with its thread ends when the chain returns or throws. One that an application answers
 * asynchronously ends when the container says that it is complete, after however many dispatches: from the first {@code
 * startAsync} on the end is the container's to tell. {@code isAsyncStarted()} after the chain would not do, since a
 * call that another thread has dispatched meanwhile is not "started" any more, and far from its end.
 */
public final class TicketedCall implements AsyncListener {

    private final Ticket ticket;
    private final FaultLog faults;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean leftToContainer;
    private volatile @Nullable HttpServletResponse response;
    private volatile @Nullable Throwable thrown;
    /** Whether the container has ended the call, perhaps before the application had answered it. */
    private volatile boolean callerIsGone;

    private volatile @Nullable QueuedCall wait;
    private volatile Runnable whenPassedBy = () -> {};

    TicketedCall(Ticket ticket, FaultLog faults) {
        this.ticket = ticket;
        this.faults = faults;
    }

    /** How long the call has to wait before it goes on. */
    public long delayMillis() {
        return ticket.delayMillis();
    }

    /** Waits so long on this thread, if it may. */
    boolean awaitTurn() throws InterruptedException {
        return ticket.awaitTurn();
    }

    public boolean charge(long amount) {
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

    /** Lets the call go on down the chain, and sees to its end. */
    void goOn(HttpServletRequest request, HttpServletResponse answer, FilterChain chain)
            throws IOException, ServletException {
        response = answer;
        QueuedCall before = wait;
        try {
            chain.doFilter(new WatchedRequest(request, this::begunAsync, this::isBack), answer);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            thrown = e;
            end(); // also if the container is to tell: Tomcat tells nobody of a call that was started and then threw
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

    /** An application may have unwrapped its request to start, or a filter in front may have started before. */
    private boolean isLeftToContainer(HttpServletRequest request) {
        if (!leftToContainer && request.isAsyncStarted()) {
            try {
                leaveToContainer(request.getAsyncContext());
            } catch (IllegalStateException e) {
                return false; // it ended in this very moment
            }
        }
        return leftToContainer;
    }

    /** The application answers asynchronously. To be called at once, before anybody could complete the answer. */
    AsyncContext begunAsync(AsyncContext async) {
        leaveToContainer(async);
        QueuedCall waited = wait;
        if (waited != null && async.getTimeout() != waited.usualTimeout()) {
            async.setTimeout(waited.usualTimeout()); // some containers remember the time-out of the wait
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
     * @param parked knows when it is its turn
     * @param ifPassedBy what is to be done if the call comes back to the application without the filter
     */
    void park(HttpServletResponse answer, QueuedCall parked, Runnable ifPassedBy) {
        response = answer;
        whenPassedBy = ifPassedBy;
        wait = parked;
        leaveToContainer(parked.async());
    }

    /** Whether the call has waited for its turn, and has it now. */
    public boolean isBack() {
        QueuedCall waited = wait;
        return waited != null && waited.isItsTurn();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this); // or a listener is lost when async is started once more
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
            whenPassedBy.run();
        }
        end();
    }

    private void end() {
        AnswerStatus answer = AnswerStatus.of(response);
        end(callerIsGone ? answer.withoutCaller() : answer.after(thrown));
    }

    /** Tells the ticket, the first time. */
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
