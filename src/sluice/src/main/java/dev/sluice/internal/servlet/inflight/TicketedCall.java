package dev.sluice.internal.servlet.inflight;

import dev.sluice.Reservation;
import dev.sluice.Ticket;
import dev.sluice.internal.http.request.GuardedLogins;
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
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A call in flight with a ticket. It reports its end to the ticket exactly once. Thread-safe.
 *
 * <p>A synchronous call ends when the chain returns or throws an exception. An asynchronous call ends when the
 * container reports that it is complete, after any number of dispatches. After the first {@code startAsync}, only the
 * container can determine the end. Checking {@code isAsyncStarted()} after the chain is not sufficient. If another
 * thread has dispatched the call in the meantime, {@code isAsyncStarted()} returns {@code false} although the call has
 * not ended.
 *
 * <p>Containers do not always report the end of an asynchronous call ({@link AsyncCalls}). Therefore, after a failure,
 * the end of the call is <em>due</em>: the container must dispatch the call or report its end within a second.
 *
 * <pre>
 *   ADMITTED ── goes down the chain ──▶ ON_THREAD ── the chain returns ──▶ ENDED
 *      │                                    │
 *      │ is parked                          │ starts async
 *      ▼                                    ▼
 *   PARKED ── its turn has come ─────▶ ASYNC_ON_THREAD ─── the chain returns ───────▶ ASYNC
 *      │                                 │      ▲ ◀────── a dispatch, an error page ───┘ │
 *      │                           fails │      │ a dispatch                             │ fails
 *      │                                 ▼      │ (or from DUE)                          ▼
 *      │                               DUE_ON_THREAD ─────── the chain returns ───────▶ DUE
 *      │                                        ◀─────────────────── an error page ────┘ ▲
 *      └── fails once its turn has come ─────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>In addition, a call can end in any state: when the chain throws an exception, when the container reports the end,
 * or when the call is not served after all. While no container thread is serving the call ({@code PARKED},
 * {@code ASYNC}, {@code DUE}), it ends if the container has abandoned it. A call is considered abandoned if one of
 * these conditions holds for a second:
 *
 * <ul>
 *   <li>Its end is due. This happens after an error, after a failed write, and after an error page in Undertow. It also
 *       happens after a dispatch if the caller has disconnected, or if Tomcat might forget the dispatch.
 *   <li>No read or write has succeeded since a failed read.
 *   <li>Its request has been recycled.
 * </ul>
 */
public final class TicketedCall implements AsyncListener, AsyncCalls.AsyncCall, WatchedCall {

    /** The states of a call. */
    enum State {
        /** The call has not begun. It might be queued on its thread. */
        ADMITTED,
        /** The call is parked, or its turn has come but it has not returned yet ({@link ParkedCall}). */
        PARKED,
        /** A container thread is serving the call, and the call has not become asynchronous. */
        ON_THREAD,
        /** The call is asynchronous, and a container thread is serving it. */
        ASYNC_ON_THREAD,
        /** The call is asynchronous, and the filter sees no container thread that is serving it. */
        ASYNC,
        /** Like {@link #ASYNC_ON_THREAD}, but the end of the call becomes due as soon as the chain returns. */
        DUE_ON_THREAD,
        /** Like {@link #ASYNC}, but the end of the call is due. */
        DUE,
        /**
         * The end of the call has been reported to its ticket. The call might still be served, for example by an error
         * page.
         */
        ENDED;

        /** Returns the state after an event. If the diagram has no arrow for the event, the state does not change. */
        State after(Event event) {
            return switch (event) {
                case IS_PARKED -> this == ADMITTED ? PARKED : this;
                case GOES_ON ->
                    switch (this) {
                        case ADMITTED -> ON_THREAD;
                        case PARKED, ASYNC, DUE, DUE_ON_THREAD -> ASYNC_ON_THREAD;
                        default -> this;
                    };
                case GOES_TO_ERROR_PAGE ->
                    switch (this) {
                        case ADMITTED -> ON_THREAD;
                        case PARKED, ASYNC -> ASYNC_ON_THREAD;
                        case DUE -> DUE_ON_THREAD;
                        default -> this;
                    };
                case STARTS_ASYNC -> this == ON_THREAD ? ASYNC_ON_THREAD : this;
                case FAILS ->
                    switch (this) {
                        case ASYNC_ON_THREAD -> DUE_ON_THREAD;
                        case PARKED, ASYNC -> DUE;
                        default -> this;
                    };
                case RETURNS ->
                    switch (this) {
                        case ON_THREAD -> ENDED;
                        case ASYNC_ON_THREAD -> ASYNC;
                        case DUE_ON_THREAD -> DUE;
                        default -> this;
                    };
                case IS_ABANDONED -> isOffThread() ? ENDED : this;
                case IS_COMPLETE, ENDS -> ENDED;
            };
        }

        /** Whether the call has been sent down the chain. */
        boolean hasBegun() {
            return this != ADMITTED && this != PARKED;
        }

        /** Whether the call is asynchronous. Only the container can report the end of such a call. */
        boolean isAsync() {
            return isOffThread() || this == ASYNC_ON_THREAD || this == DUE_ON_THREAD;
        }

        /** Whether the call is asynchronous and no container thread is serving it. */
        boolean isOffThread() {
            return this == PARKED || this == ASYNC || this == DUE;
        }
    }

    /** The events in the lifetime of a call. */
    enum Event {
        IS_PARKED,
        /** The call goes down the chain, either for the first time or after another dispatch by the container. */
        GOES_ON,
        /** The call goes down the chain to an error page. */
        GOES_TO_ERROR_PAGE,
        STARTS_ASYNC,
        /** The call has failed. From now on, the container must dispatch the call or report its end. */
        FAILS,
        /** The chain has returned. */
        RETURNS,
        /** The container has dropped the call without reporting its end. */
        IS_ABANDONED,
        /** The container has reported the end of the call. */
        IS_COMPLETE,
        /** The call has ended for any other reason. */
        ENDS
    }

    private final Ticket ticket;
    private final AsyncCalls asyncCalls;
    private final BiPredicate<ServletRequest, TicketedCall> isRememberedBy;
    private final boolean staysOnThread;
    private final AtomicReference<State> state = new AtomicReference<>(State.ADMITTED);
    private final AnswerSoFar answer = new AnswerSoFar();
    /** The request of the latest dispatch. */
    private volatile @Nullable HttpServletRequest request;
    /** The parking state of the call; {@code null} if the call was never parked. */
    private volatile @Nullable ParkedCall parking;
    /** Whether a read or write has succeeded since the latest check. */
    private volatile boolean showedLife;

    /**
     * Creates an instance that watches a call until the call ends.
     *
     * @param isRememberedBy tests whether a request still carries the call; a container that recycles a request clears
     *     its attributes
     * @param staysOnThread whether the call must not be parked; this is the case if the limiter counts it as queued on
     *     a thread
     */
    TicketedCall(
            Ticket ticket,
            AsyncCalls asyncCalls,
            BiPredicate<ServletRequest, TicketedCall> isRememberedBy,
            boolean staysOnThread) {
        this.ticket = ticket;
        this.asyncCalls = asyncCalls;
        this.isRememberedBy = isRememberedBy;
        this.staysOnThread = staysOnThread;
    }

    private State state() {
        return Objects.requireNonNull(state.get());
    }

    /** Makes the transition that the diagram shows for an event. Does nothing if the diagram shows no transition. */
    private void happens(Event event) {
        State before = state();
        State after = before.after(event);
        while (after != before && !state.compareAndSet(before, after)) {
            before = state();
            after = before.after(event);
        }
        if (after != before) {
            follow(before, event, after);
        }
    }

    /** Carries out the consequences of a transition. */
    private void follow(State before, Event event, State after) {
        if (after == State.ENDED) {
            if (before.isAsync()) {
                asyncCalls.remove(this);
            }
            endParking(before, event);
            report(event == Event.IS_ABANDONED ? statusIfAbandoned(before) : answer.status());
        } else if (after.isAsync() && !before.isAsync()) {
            asyncCalls.add(this);
            if (state() == State.ENDED) {
                asyncCalls.remove(this); // the call ended while it was being added
            }
        } else if (after.isOffThread()) {
            endIfNobodyChecks();
        }
    }

    private void endParking(State before, Event event) {
        ParkedCall known = parking;
        if (known == null) {
            return;
        }
        if (before == State.PARKED && event == Event.IS_COMPLETE) {
            known.completed();
        } else {
            known.cancel();
        }
    }

    private int statusIfAbandoned(State before) {
        return before == State.DUE ? answer.statusWhenDue() : answer.statusIfDropped();
    }

    private void report(int status) {
        try {
            ticket.ended(status);
        } catch (RuntimeException | Error e) {
            asyncCalls
                    .faults()
                    .report("The rate limiter failed at the end of a call; the call itself is not affected.", e);
        }
    }

    /** Whether the call must stay on its thread rather than be parked. */
    boolean staysOnThread() {
        return staysOnThread;
    }

    /** Returns the time for which the call will remain queued. */
    long delayMillis() {
        return state().hasBegun() || isResumed() ? 0 : ticket.delayMillis();
    }

    /**
     * Blocks this thread until the turn of the call comes. Returns {@code false} if too many calls are already queued
     * on threads.
     */
    boolean awaitTurn() throws InterruptedException {
        return ticket.awaitTurn();
    }

    /** Returns a handle for the costs of the call. The handle does not keep the request in memory. */
    Reservation reservation() {
        return new GuardedReservation(ticket, asyncCalls.faults());
    }

    /** Returns a handle for the login attempts of the call. The handle does not keep the request in memory. */
    GuardedLogins logins() {
        return new GuardedLogins(ticket, asyncCalls.faults()::report);
    }

    /**
     * Whether a dispatch of the call should be sent down the chain, because the call has begun or its turn has come.
     */
    boolean goesOnIn(DispatcherType dispatch) {
        return state().hasBegun() ? dispatch == DispatcherType.ASYNC || dispatch == DispatcherType.ERROR : isResumed();
    }

    /**
     * Sends the call down the chain, for the first time or in a later dispatch, and reports its end if it has ended.
     */
    void goOn(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        this.request = request;
        answer.goesTo(response);
        DispatcherType dispatch = request.getDispatcherType();
        happens(dispatch == DispatcherType.ERROR ? Event.GOES_TO_ERROR_PAGE : Event.GOES_ON);
        WatchedResponse watched = new WatchedResponse(response, this);
        ParkedCall before = parking;
        try {
            chain.doFilter(new WatchedRequest(request, this), watched);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            answer.thrown(e);
            happens(Event.ENDS); // if a dispatch of an asynchronous call throws, Tomcat never reports its end
            throw e;
        } finally {
            if (before != null) {
                before.passed();
            }
        }
        noticeAsync(request);
        if (isAsync()) {
            answer.look(); // stores the status if it has been sent
            if (isUndertowsErrorPage(request)
                    || (dispatch == DispatcherType.ASYNC && mayBeForgotten(request, watched))) {
                fallDue();
            }
        }
        happens(Event.RETURNS);
    }

    /** Detects asynchronous processing that was started on the unwrapped request or by an earlier filter. */
    private void noticeAsync(HttpServletRequest request) {
        if (state() == State.ON_THREAD && request.isAsyncStarted()) {
            try {
                leaveToContainer(request.getAsyncContext());
            } catch (IllegalStateException e) {
                // the call has just ended
            }
        }
    }

    /**
     * Whether Undertow is serving an error page. If the page starts an async call, Undertow completes the call as soon
     * as the page returns. It reports the end only if the application has already completed the call.
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

    /**
     * Whether the container might forget a call after a dispatch. This can happen if the caller has disconnected, or if
     * the dispatch has sent an error and started asynchronous processing again. Tomcat forgets such an error.
     */
    private boolean mayBeForgotten(HttpServletRequest request, WatchedResponse watched) {
        return answer.callerIsGone() || (watched.hasSentError() && request.isAsyncStarted());
    }

    /** This method must be called before any code can complete the response. */
    @Override
    public AsyncContext begunAsync(AsyncContext async) {
        leaveToContainer(async);
        ParkedCall known = parking;
        if (known != null && async.getTimeout() != known.usualTimeout()) {
            async.setTimeout(known.usualTimeout()); // some containers retain the timeout that was set for parking
        }
        return async;
    }

    private void leaveToContainer(AsyncContext async) {
        if (state() == State.ON_THREAD) {
            async.addListener(this);
            happens(Event.STARTS_ASYNC);
        }
    }

    /**
     * Parks the call.
     *
     * @param parked the parking state of this call
     */
    void park(HttpServletRequest request, HttpServletResponse response, ParkedCall parked) {
        this.request = request;
        answer.goesTo(response);
        parking = parked;
        parked.async().addListener(this);
        happens(Event.IS_PARKED);
    }

    @Override
    public boolean isResumed() {
        ParkedCall known = parking;
        return known != null && known.isItsTurn();
    }

    @Override
    public boolean isAsync() {
        return state().isAsync();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this); // a second startAsync removes all listeners
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        ParkedCall known = parking;
        if (known != null) {
            known.dispatch(); // the timer should have dispatched the call, but failed to do so
        }
    }

    @Override
    public void onError(AsyncEvent event) {
        Throwable fault = event.getThrowable();
        fail(fault != null ? fault : new IOException("the container reported an error for this call"));
    }

    @Override
    public void onComplete(AsyncEvent event) {
        happens(Event.IS_COMPLETE);
    }

    /** Records a failed write. The container might detect the failure as well, or it might never detect it. */
    @Override
    public void failedToWrite(IOException fault) {
        if (isAsync()) {
            fail(fault);
        }
    }

    private void fail(Throwable fault) {
        answer.failed(fault);
        ParkedCall known = parking;
        if (known != null && known.cancel()) {
            happens(Event.ENDS); // nothing else will dispatch the call
        } else {
            fallDue();
        }
    }

    private void fallDue() {
        answer.fallsDue();
        happens(Event.FAILS);
    }

    @Override
    public void failedToRead() {
        if (isAsync()) {
            answer.failedToRead();
            endIfNobodyChecks();
        }
    }

    @Override
    public void showsLife() {
        if (isAsync()) {
            answer.continues();
            showedLife = true;
        }
    }

    @Override
    public boolean looksAbandoned() {
        boolean isSilent = answer.hasFailedToRead() && !showedLife;
        showedLife = false;
        State now = state();
        return now == State.DUE || (now.isOffThread() && (isSilent || !isRemembered()));
    }

    private boolean isRemembered() {
        HttpServletRequest carrier = request;
        try {
            return carrier == null || isRememberedBy.test(carrier, this);
        } catch (RuntimeException e) {
            return false; // Tomcat forbids the use of a recycled request
        }
    }

    @Override
    public void endAbandoned() {
        happens(Event.IS_ABANDONED);
    }

    /**
     * Ends the call if its end is due and the filter has stopped. After the filter has stopped, nothing checks for
     * abandoned calls.
     */
    private void endIfNobodyChecks() {
        if (asyncCalls.isClosed()) {
            endIfDue();
        }
    }

    @Override
    public void endIfDue() {
        if (state() == State.DUE || answer.hasFailedToRead()) {
            happens(Event.IS_ABANDONED);
        }
    }

    /** Reports the end of a call that is not served. Only the first report has an effect. */
    public void end(int status) {
        answer.is(status);
        happens(Event.ENDS);
    }
}
