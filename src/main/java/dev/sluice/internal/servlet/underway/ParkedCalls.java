package dev.sluice.internal.servlet.underway;

import dev.sluice.Decision;
import dev.sluice.internal.config.fault.FaultLog;
import dev.sluice.internal.servlet.call.PlainPath;
import dev.sluice.internal.thread.BackgroundThreads;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parks calls that have to wait, so that they hold no thread: with {@link Parking#TURNS} calls that wait for their turn
 * in a queue, with {@link Parking#ALL} also calls that are not decided yet. A call that cannot be parked waits on its
 * thread. The limiter decides how many calls may wait. Thread-safe.
 */
public final class ParkedCalls {

    /** Which calls are parked. */
    public enum Parking {
        /** No calls: all wait on their threads, and pass all filters in the usual order. */
        NONE,
        /** Calls that wait for their turn in a queue. */
        TURNS,
        /** Calls that wait for anything: their turn, the store, or the outcome of other calls. */
        ALL;

        /** As files spell it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Writes the answers of parked calls. */
    public interface Answers {

        /** Writes the headers of an admitted call. */
        void admit(HttpServletResponse response, RememberedDecision admitted);

        void refuse(HttpServletRequest request, HttpServletResponse response, RememberedDecision refused);
    }

    /** The most parked calls: each keeps its request in memory, and its caller may have disconnected. */
    private static final int MOST_PARKED = 1_000;

    /** The rest is for calls whose queue is by address or verified identity: no invented names fill it. */
    private static final int MOST_MADE_UP = 750;

    /** Added to the container's async time-out, so that it expires only if the timer fails. */
    private static final long SPARE_MILLIS = 30_000;

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.servlet");

    private final FaultLog faults;
    private final AsyncCalls asyncCalls;
    private final Set<ParkedCall> parked = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer = BackgroundThreads.timer("sluice-parked");

    private volatile Parking parking = Parking.TURNS;
    /**
     * Whether a parked call has ever returned through this filter, which proves that it is mapped for {@code ASYNC}.
     */
    private volatile boolean anyResumed;

    public ParkedCalls(FaultLog faults, AsyncCalls asyncCalls) {
        this.faults = faults;
        this.asyncCalls = asyncCalls;
    }

    /**
     * Sends the call down the chain when its turn has come: now, later on this thread, or in a later dispatch.
     *
     * @return {@code false} if the call must be refused: it would have to wait on its thread, and too many threads
     *     already wait
     */
    public boolean admit(TicketedCall call, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!anyResumed && call.isResumed()) {
            anyResumed = true;
        }
        long delayMillis = call.delayMillis();
        if (delayMillis <= 0) {
            call.goOn(request, response, chain);
            return true;
        }
        boolean isParked =
                !call.staysOnThread() && canPark(request, false) && park(call, request, response, delayMillis);
        return isParked || waitHere(call, request, response, chain);
    }

    /**
     * Whether a request can be parked. It would return in a new dispatch. So it must not be a forward or an error page,
     * because what came before it would run again; nor an {@code ASYNC} dispatch, because that skips filters which are
     * mapped for {@code REQUEST} only.
     *
     * @param isMadeUp whether callers can choose freely which queue they wait in
     */
    public boolean canPark(HttpServletRequest request, boolean isMadeUp) {
        return request.isAsyncSupported()
                && !request.isAsyncStarted()
                && request.getDispatcherType() == DispatcherType.REQUEST
                && parking != Parking.NONE
                && parked.size() < (isMadeUp ? MOST_MADE_UP : MOST_PARKED)
                && !timer.isShutdown()
                && PlainPath.isOf(request);
    }

    /** Parks the call; returns {@code false} if the container does not support it. */
    private boolean park(
            TicketedCall call, HttpServletRequest request, HttpServletResponse response, long delayMillis) {
        AsyncContext async = startAsync(request, response);
        if (async == null) {
            return false;
        }
        ParkedCall wait = new ParkedCall(async, parked, true);
        async.setTimeout(delayMillis + SPARE_MILLIS);
        call.park(request, response, wait, this::noteBypass);
        try {
            wait.wakenBy(timer.schedule(() -> waken(wait), delayMillis, TimeUnit.MILLISECONDS));
        } catch (RejectedExecutionException e) {
            wait.refuse();
        }
        return true;
    }

    /** Begins the wait; returns {@code null} if the container does not support it. */
    private static @Nullable AsyncContext startAsync(HttpServletRequest request, HttpServletResponse response) {
        try {
            return request.startAsync(request, response);
        } catch (IllegalStateException e) {
            return null;
        }
    }

    /** Whether a request can be parked before it is decided; so its caller may be made up. */
    public boolean canParkUndecided(HttpServletRequest request) {
        return parking == Parking.ALL && canPark(request, true);
    }

    /**
     * Parks a call until it is decided. If it is admitted, it continues in a new dispatch. If it is refused, it is
     * answered without one: a dispatch would skip filters that are mapped for {@code REQUEST} only.
     *
     * @param deciding completes with the decision; is cancelled if the call ends first
     * @return {@code false} if the container does not support it
     */
    public boolean park(
            RememberedDecision undecided,
            CompletableFuture<Decision> deciding,
            HttpServletRequest request,
            HttpServletResponse response,
            Answers answers) {
        AsyncContext async = startAsync(request, response);
        if (async == null) {
            return false;
        }
        LateTicket ticket = new LateTicket(deciding);
        RememberedDecision waiting = undecided.awaiting(ticket, request, asyncCalls);
        ParkedCall wait = new ParkedCall(async, parked, false);
        async.setTimeout(0); // no time-out: the limiter bounds the wait
        Objects.requireNonNull(waiting.ticketed()).park(request, response, wait, this::noteBypass);
        if (timer.isShutdown()) {
            wait.refuse();
        }
        var unused = deciding.whenComplete((decision, failure) -> {
            if (!deciding.isCancelled()) {
                if (failure != null) {
                    faults.report("The rate limiter failed; such requests pass unlimited.", failure);
                }
                ticket.decided(decision == null ? null : decision.ticket());
                goOn(
                        waiting.decided(decision == null ? Decision.UNLIMITED : decision),
                        wait,
                        request,
                        response,
                        answers);
            }
        });
        return true;
    }

    private void goOn(
            RememberedDecision decided,
            ParkedCall wait,
            HttpServletRequest request,
            HttpServletResponse response,
            Answers answers) {
        try {
            if (decided.refused()) {
                wait.answer(() -> {
                    decided.keepIn(request);
                    answers.refuse(request, response, decided);
                });
            } else {
                wait.dispatch(() -> {
                    decided.keepIn(request);
                    answers.admit(response, decided);
                });
            }
        } catch (RuntimeException | Error e) {
            reportEnd(e);
        }
    }

    private void reportEnd(Throwable fault) {
        faults.report(
                "Could not continue a parked call. Usually its caller has disconnected, or the container has ended it.",
                fault);
    }

    /** Runs what follows a wait; tasks must not block. */
    public Executor executor() {
        return timer;
    }

    /** Sets which calls are parked from now on. */
    public void park(Parking which) {
        parking = which;
    }

    public int parked() {
        return parked.size();
    }

    private void waken(ParkedCall wait) {
        try {
            wait.dispatch(() -> {});
        } catch (RuntimeException | Error e) {
            reportEnd(e);
        }
    }

    /**
     * Called when a parked call was answered without returning through this filter. If no call ever returned, the
     * filter is not mapped for {@code ASYNC}. If others did, a filter in front has answered this one, for example
     * because its caller has logged out.
     */
    private void noteBypass() {
        if (parking != Parking.NONE && !anyResumed) {
            parking = Parking.NONE;
            LOG.warn(
                    "A parked call bypassed this filter, which is not mapped for ASYNC dispatches. It may have bypassed other "
                            + "filters too. From now on, calls wait on their threads. To park them, map this filter and "
                            + "all filters behind it for REQUEST and ASYNC.");
        }
    }

    private static boolean waitHere(
            TicketedCall call, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            if (!call.awaitTurn()) {
                return false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ParkedCall.sendUnavailable(response);
            call.end(response.getStatus());
            return true;
        }
        call.goOn(request, response, chain);
        return true;
    }

    /**
     * Stops parking, and answers the calls that are still parked with 503, since the application stops with its filter.
     */
    public void close() {
        BackgroundThreads.end(timer);
        for (ParkedCall wait : parked) {
            try {
                wait.refuse();
            } catch (RuntimeException | Error e) {
                faults.report("Could not answer a parked call while the service stops.", e);
            }
        }
    }
}
