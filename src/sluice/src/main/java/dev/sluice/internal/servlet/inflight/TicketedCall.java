package dev.sluice.internal.servlet.inflight;

import dev.sluice.Reservation;
import dev.sluice.Ticket;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A call in flight with a ticket. Reports the end of the call to the ticket exactly once. Thread-safe.
 *
 * <p>A synchronous call ends when the chain returns or throws. An asynchronous call ends when the container reports
 * that it is complete, after any number of dispatches: from the first {@code startAsync} on, only the container knows
 * the end. Checking {@code isAsyncStarted()} after the chain is not enough: if another thread has dispatched the call
 * meanwhile, it returns {@code false} although the call has not ended.
 *
 * <p>Containers do not always report the end of an asynchronous call ({@link AsyncCalls}). So it also ends
 *
 * <ul>
 *   <li>one second after an error, if neither a dispatch nor the end follows,
 *   <li>one second after a failed read, if nothing more is read or written,
 *   <li>one second after an error page in Undertow,
 *   <li>if the container has recycled its request,
 *   <li>if a dispatch throws.
 * </ul>
 */
public final class TicketedCall implements AsyncListener, AsyncCalls.AsyncCall, WatchedCall {

    /** How long a container may take after an error to dispatch the call or to report its end. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Ticket ticket;
    private final AsyncCalls asyncCalls;
    private final BiPredicate<ServletRequest, TicketedCall> isRememberedBy;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean leftToContainer;
    private volatile @Nullable HttpServletRequest request;
    private volatile @Nullable HttpServletResponse response;
    /** The status that the caller got, once it is known; the container may recycle the response at any moment. */
    private volatile @Nullable AnswerStatus sent;

    private volatile @Nullable Throwable thrown;
    /** Whether the caller has disconnected, perhaps before the application answered. */
    private volatile boolean callerIsGone;
    /** Whether the filter has sent the call down the chain. */
    private volatile boolean hasBegun;
    /** Whether a thread of the container serves the call now, as far as the filter sees. */
    private volatile boolean isOnThread;
    /**
     * The status to report if the container does not dispatch the call any more; {@code null} if its end is not due.
     */
    private volatile @Nullable Integer dueStatus;
    /** The status to report if nothing more is read or written after a failed read; {@code null} if no read failed. */
    private volatile @Nullable Integer statusIfUnreported;
    /** Whether it has read or written since the latest check. */
    private volatile boolean showedLife;
    /** Since when the call has looked abandoned; empty if it does not. Only the thread that checks uses it. */
    private OptionalLong abandonedSinceNanos = OptionalLong.empty();

    private final boolean staysOnThread;
    private volatile @Nullable ParkedCall parking;
    private volatile Runnable onBypass = () -> {};

    /**
     * Watches a call.
     *
     * @param isRememberedBy whether a request still carries the call; a container that recycles a request clears its
     *     attributes
     * @param staysOnThread whether it must not be parked, since the limiter counts it among those that are queued on a
     *     thread
     */
    TicketedCall(
            Ticket ticket,
            AsyncCalls asyncCalls,
            BiPredicate<ServletRequest, TicketedCall> isRememberedBy,
            boolean staysOnThread) {
        this.staysOnThread = staysOnThread;
        this.ticket = ticket;
        this.asyncCalls = asyncCalls;
        this.isRememberedBy = isRememberedBy;
    }

    /** Whether it must not be parked. */
    boolean staysOnThread() {
        return staysOnThread;
    }

    /** How long the call is still queued. */
    long delayMillis() {
        return hasBegun || isResumed() ? 0 : ticket.delayMillis();
    }

    /** Keeps this thread until its turn; returns {@code false} if too many calls already are queued on threads. */
    boolean awaitTurn() throws InterruptedException {
        return ticket.awaitTurn();
    }

    /** A handle for its costs, which does not keep the request in memory. */
    Reservation reservation() {
        return new GuardedReservation(ticket, asyncCalls.faults());
    }

    /** A handle for its logins, which does not keep the request in memory. */
    GuardedLogins logins() {
        return new GuardedLogins(ticket, asyncCalls.faults());
    }

    /** Whether to send a dispatch of the call down the chain: its turn has come, or it continues after it began. */
    boolean goesOnIn(DispatcherType dispatch) {
        return hasBegun ? dispatch == DispatcherType.ASYNC || dispatch == DispatcherType.ERROR : isResumed();
    }

    /**
     * Sends the call down the chain, for the first time or in a later dispatch, and reports its end if it has ended.
     */
    void goOn(HttpServletRequest request, HttpServletResponse answer, FilterChain chain)
            throws IOException, ServletException {
        this.request = request;
        response = answer;
        boolean isDispatch = hasBegun && request.getDispatcherType() == DispatcherType.ASYNC;
        if (isDispatch) {
            dueStatus = null;
        }
        hasBegun = true;
        isOnThread = true;
        WatchedResponse watched = new WatchedResponse(answer, this);
        ParkedCall before = parking;
        try {
            chain.doFilter(new WatchedRequest(request, this), watched);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            thrown = e;
            end(); // Tomcat reports no end of an asynchronous call whose dispatch threw
            throw e;
        } finally {
            isOnThread = false;
            if (before != null) {
                before.passed();
            }
        }
        if (!isLeftToContainer(request)) {
            end();
            return;
        }
        answer(); // kept if it was sent
        if (isUndertowsErrorPage(request)
                || (isDispatch && (callerIsGone || (watched.hasSentError() && request.isAsyncStarted())))) {
            expectEnd(); // Tomcat forgets an error if the dispatch that sends it also starts async again
        }
    }

    /**
     * Undertow completes an async call that an error page starts as soon as the page returns, and reports that only if
     * the application has completed it before.
     */
    private static boolean isUndertowsErrorPage(HttpServletRequest request) {
        if (request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) == null) {
            return false;
        }
        ServletRequest container = request;
        while (container instanceof ServletRequestWrapper wrapper) {
            container = wrapper.getRequest();
        }
        return container.getClass().getName().startsWith("io.undertow.");
    }

    /** Asynchronous processing may have started unseen: on the unwrapped request, or in a filter in front. */
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

    /** Must be called before anything can complete the answer. */
    @Override
    public AsyncContext begunAsync(AsyncContext async) {
        leaveToContainer(async);
        ParkedCall known = parking;
        if (known != null && async.getTimeout() != known.usualTimeout()) {
            async.setTimeout(known.usualTimeout()); // some containers keep the timeout that parking had set
        }
        return async;
    }

    private void leaveToContainer(AsyncContext async) {
        if (!leftToContainer) {
            async.addListener(this);
            leftToContainer = true;
            asyncCalls.add(this);
        }
    }

    /**
     * Parks the call.
     *
     * @param parked the call as it is parked
     * @param ifBypassed runs if the call is answered without returning through the filter
     */
    void park(HttpServletRequest request, HttpServletResponse answer, ParkedCall parked, Runnable ifBypassed) {
        this.request = request;
        response = answer;
        onBypass = ifBypassed;
        parking = parked;
        leaveToContainer(parked.async());
    }

    @Override
    public boolean isResumed() {
        ParkedCall known = parking;
        return known != null && known.isItsTurn();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this); // a second startAsync removes all listeners
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        ParkedCall known = parking;
        if (known != null) {
            known.dispatch(); // its timer has failed
        }
    }

    @Override
    public boolean isAsync() {
        return leftToContainer;
    }

    @Override
    public void failedToRead() {
        if (leftToContainer && statusIfUnreported == null) {
            statusIfUnreported = answer().withoutCaller();
            endIfNobodyLooks();
        }
    }

    @Override
    public void showsLife() {
        if (leftToContainer) {
            AnswerStatus answer = answer();
            if (statusIfUnreported != null) {
                statusIfUnreported = answer.withoutCaller();
                showedLife = true;
            }
        }
    }

    /** The container may notice this too, or never. */
    @Override
    public void failedToWrite(IOException fault) {
        if (leftToContainer) {
            fail(fault);
        }
    }

    @Override
    public void onError(AsyncEvent event) {
        Throwable fault = event.getThrowable();
        fail(fault != null ? fault : new IOException("the container found an error in this call"));
    }

    private void fail(Throwable fault) {
        callerIsGone = fault instanceof IOException;
        thrown = fault;
        if (cancelParking()) {
            end(); // nobody will dispatch it any more
        } else {
            expectEnd();
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        cancelParking();
        ParkedCall known = parking;
        if (known != null && known.isItsTurn() && thrown == null) {
            known.passed();
            if (known.hasAnswer()) { // otherwise the container has dropped the dispatch, perhaps after a reset
                onBypass.run();
            }
        }
        end();
    }

    /** Ends the parking; returns whether the call was parked. */
    private boolean cancelParking() {
        ParkedCall known = parking;
        return known != null && known.cancel();
    }

    /** From now on, the container must dispatch the call or report its end. */
    private void expectEnd() {
        dueStatus = finalStatus();
        endIfNobodyLooks();
    }

    private void endIfNobodyLooks() {
        if (asyncCalls.isClosed()) {
            endIfDue();
        }
    }

    @Override
    public void endIfDue() {
        if (dueStatus != null || statusIfUnreported != null) {
            end(statusIfAbandoned());
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>The call is abandoned if each check for a second has found that its end was due or its request was recycled.
     */
    @Override
    public void endIfAbandoned(long nowNanos) {
        boolean isUnreported = statusIfUnreported != null && !showedLife;
        boolean goesOn = isOnThread || (dueStatus == null && !isUnreported && isRemembered());
        showedLife = false;
        if (goesOn) {
            abandonedSinceNanos = OptionalLong.empty();
        } else if (abandonedSinceNanos.isEmpty()) {
            abandonedSinceNanos = OptionalLong.of(nowNanos);
        } else if (nowNanos - abandonedSinceNanos.getAsLong() >= PATIENCE_NANOS) {
            end(statusIfAbandoned());
        }
    }

    private int statusIfAbandoned() {
        Integer status = dueStatus != null ? dueStatus : statusIfUnreported;
        if (status != null) {
            return status;
        }
        AnswerStatus known = sent;
        return known != null ? known.withoutCaller() : Ticket.UNANSWERED;
    }

    private boolean isRemembered() {
        HttpServletRequest carrier = request;
        try {
            return carrier == null || isRememberedBy.test(carrier, this);
        } catch (RuntimeException e) {
            return false; // Tomcat forbids using a recycled request
        }
    }

    @Override
    public boolean hasEnded() {
        return ended.get();
    }

    private void end() {
        end(finalStatus());
    }

    private int finalStatus() {
        AnswerStatus answer = answer();
        return callerIsGone ? answer.withoutCaller() : answer.after(thrown);
    }

    /** The answer so far; the one that was sent, if any. */
    private AnswerStatus answer() {
        AnswerStatus known = sent;
        if (known != null) {
            return known;
        }
        AnswerStatus now = AnswerStatus.of(response);
        if (now.isSent()) {
            sent = now;
        }
        return now;
    }

    /** Reports the end to the ticket; only the first time. */
    public void end(int status) {
        if (ended.compareAndSet(false, true)) {
            if (leftToContainer) {
                asyncCalls.remove(this);
            }
            cancelParking();
            try {
                ticket.ended(status);
            } catch (RuntimeException | Error e) {
                asyncCalls
                        .faults()
                        .report("The rate limiter failed at the end of a call; the call itself is not affected.", e);
            }
        }
    }
}
