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
 * A call in flight that has a ticket. Reports the end of the call to the ticket exactly once. Thread-safe.
 *
 * <p>A synchronous call ends when the chain returns or throws. An asynchronous call ends when the container reports
 * that it is complete, after any number of dispatches: from the first {@code startAsync} on, only the container knows
 * the end. Checking {@code isAsyncStarted()} after the chain is not enough: if another thread has dispatched the call
 * meanwhile, it returns {@code false} although the call has not ended.
 *
 * <p>Containers do not always report the end of an asynchronous call ({@link AsyncCalls}). So once something has gone
 * wrong, its end is <em>due</em>: the container must dispatch the call or report its end within a second.
 *
 * <pre>
 *   ADMITTED ── goes down the chain ──▶ ON_THREAD ── the chain returns ──▶ ENDED
 *      │                                    │
 *      │ is parked                          │ starts async
 *      ▼                                    ▼
 *   PARKED ── its turn has come ─────▶ ASYNC_ON_THREAD ─── the chain returns ───────▶ ASYNC
 *      │                                 │      ▲ ◀────── a dispatch, an error page ───┘ │
 *      │                           fails │      │ a dispatch                             │ fails
 *      │                                 ▼      │ (of DUE, too)                          ▼
 *      │                               DUE_ON_THREAD ─────── the chain returns ───────▶ DUE
 *      │                                        ◀─────────────────── an error page ────┘ ▲
 *      └── fails once its turn has come ─────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>In addition, the call may end from any state: when the chain throws, when the container reports the end, or when
 * the call is not served after all. And while no container thread serves it ({@code PARKED}, {@code ASYNC},
 * {@code DUE}), it ends if the container has abandoned it. A call counts as abandoned if, for a second,
 *
 * <ul>
 *   <li>its end was due: after an error, after a failed write, after an error page in Undertow, and after a dispatch
 *       whose caller has disconnected or that Tomcat may forget,
 *   <li>nothing was read or written after a failed read, or
 *   <li>its request was recycled.
 * </ul>
 */
public final class TicketedCall implements AsyncListener, AsyncCalls.AsyncCall, WatchedCall {

    /** The states of a call. */
    enum State {
        /** It has not begun; it may be queued on its thread. */
        ADMITTED,
        /** It is parked, or its turn has come but it has not returned yet ({@link ParkedCall}). */
        PARKED,
        /** A container thread serves it, and it has not become asynchronous. */
        ON_THREAD,
        /** It is asynchronous, and a container thread serves it now. */
        ASYNC_ON_THREAD,
        /** It is asynchronous, and as far as the filter can see no container thread serves it. */
        ASYNC,
        /** Like {@link #ASYNC_ON_THREAD}, but its end becomes due as soon as the chain returns. */
        DUE_ON_THREAD,
        /** Like {@link #ASYNC}, but its end is due. */
        DUE,
        /** Its end was reported to its ticket. It may still be served, for example by an error page. */
        ENDED;

        /** The state after an event; the same state if the drawing has no arrow for it. */
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

        /** Whether it was sent down the chain. */
        boolean hasBegun() {
            return this != ADMITTED && this != PARKED;
        }

        /** Whether it is asynchronous, so that only the container can report its end. */
        boolean isAsync() {
            return isOffThread() || this == ASYNC_ON_THREAD || this == DUE_ON_THREAD;
        }

        /** Whether it is asynchronous, and no container thread serves it. */
        boolean isOffThread() {
            return this == PARKED || this == ASYNC || this == DUE;
        }
    }

    /** The events in the life of a call. */
    enum Event {
        IS_PARKED,
        /** It goes down the chain, either for the first time or because the container has dispatched it again. */
        GOES_ON,
        /** It goes down the chain to an error page. */
        GOES_TO_ERROR_PAGE,
        STARTS_ASYNC,
        /** From now on, the container must dispatch it or report its end. */
        FAILS,
        /** The chain has returned. */
        RETURNS,
        /** The container has dropped it without reporting its end. */
        IS_ABANDONED,
        /** The container reports its end. */
        IS_COMPLETE,
        /** It has ended for any other reason. */
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
    /** The call while it is parked; {@code null} if it was never parked. */
    private volatile @Nullable ParkedCall parking;
    /** Whether anything was read or written since the latest check. */
    private volatile boolean showedLife;

    /**
     * Watches a call until it ends.
     *
     * @param isRememberedBy whether a request still carries the call; a container that recycles a request clears its
     *     attributes
     * @param staysOnThread whether the call must not be parked, because the limiter counts it among the calls that are
     *     queued on a thread
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

    /** Makes the transition that is drawn for an event; does nothing if there is none. */
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

    /** Whether it must not be parked. */
    boolean staysOnThread() {
        return staysOnThread;
    }

    /** How long the call remains queued. */
    long delayMillis() {
        return state().hasBegun() || isResumed() ? 0 : ticket.delayMillis();
    }

    /**
     * Blocks this thread until its turn comes; returns {@code false} if too many calls are already queued on threads.
     */
    boolean awaitTurn() throws InterruptedException {
        return ticket.awaitTurn();
    }

    /** A handle for its costs, which does not keep the request in memory. */
    Reservation reservation() {
        return new GuardedReservation(ticket, asyncCalls.faults());
    }

    /** A handle for its login attempts, which does not keep the request in memory. */
    GuardedLogins logins() {
        return new GuardedLogins(ticket, asyncCalls.faults()::report);
    }

    /**
     * Whether a dispatch of the call should be sent down the chain, because its turn has come or because it began
     * before.
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
            happens(Event.ENDS); // Tomcat never reports the end of an asynchronous call whose dispatch threw
            throw e;
        } finally {
            if (before != null) {
                before.passed();
            }
        }
        noticeAsync(request);
        if (isAsync()) {
            answer.look(); // keeps the status if it was sent
            if (isUndertowsErrorPage(request)
                    || (dispatch == DispatcherType.ASYNC && mayBeForgotten(request, watched))) {
                fallDue();
            }
        }
        happens(Event.RETURNS);
    }

    /**
     * Notices asynchronous processing that was started on the unwrapped request or by a filter in front of this one.
     */
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
     * Whether Undertow serves an error page. If the page starts an async call, Undertow completes that call as soon as
     * the page returns, but reports its end only if the application had completed it before.
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
     * Whether the container may forget a call after a dispatch, because its caller has disconnected, or because the
     * dispatch has sent an error and started asynchronous processing again. Tomcat forgets such an error.
     */
    private boolean mayBeForgotten(HttpServletRequest request, WatchedResponse watched) {
        return answer.callerIsGone() || (watched.hasSentError() && request.isAsyncStarted());
    }

    /** Must be called before any code can complete the answer. */
    @Override
    public AsyncContext begunAsync(AsyncContext async) {
        leaveToContainer(async);
        ParkedCall known = parking;
        if (known != null && async.getTimeout() != known.usualTimeout()) {
            async.setTimeout(known.usualTimeout()); // some containers keep the timeout that was set for parking
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
     * @param parked the same call, as the object that ends its parking
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
            known.dispatch(); // the timer, which should have dispatched it, has failed
        }
    }

    @Override
    public void onError(AsyncEvent event) {
        Throwable fault = event.getThrowable();
        fail(fault != null ? fault : new IOException("the container found an error in this call"));
    }

    @Override
    public void onComplete(AsyncEvent event) {
        happens(Event.IS_COMPLETE);
    }

    /** The container may notice the failure too, or it may never notice. */
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
            happens(Event.ENDS); // nothing will dispatch it any more
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
            return false; // Tomcat forbids using a recycled request
        }
    }

    @Override
    public void endAbandoned() {
        happens(Event.IS_ABANDONED);
    }

    /**
     * Ends the call if its end is due and the filter has stopped, because nothing checks for abandoned calls any more.
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

    /** Reports the end of a call that is not served. Only the first report counts. */
    public void end(int status) {
        answer.is(status);
        happens(Event.ENDS);
    }
}
