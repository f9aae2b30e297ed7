package dev.sluice.internal.servlet.inflight;

import dev.sluice.internal.config.extension.FaultLog;
import dev.sluice.internal.servlet.call.PlainPath;
import dev.sluice.internal.servlet.call.ThreadIdentity;
import dev.sluice.internal.thread.BackgroundThreads;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parks queued calls so that they hold no thread. A call that cannot be parked is queued on its own thread. The limiter
 * bounds the number of calls that are queued on threads. Thread-safe.
 */
public final class ParkedCalls {

    /** The setting that determines which calls are parked. */
    public enum Parking {
        /** No call is parked. All queued calls hold their threads and pass all filters in the usual order. */
        NONE,
        /** Queued calls are parked until their turn comes. */
        TURNS;

        /** Returns the word for this value in the configuration. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The maximum number of parked calls. Each parked call keeps its request in memory, even if the caller has
     * disconnected.
     */
    private static final int MOST_PARKED = 1_000;

    /**
     * The maximum number of parked calls whose queue is keyed by a value that callers can make up. The remaining places
     * are reserved for queues keyed by an address or a verified identity, so that callers with made-up values cannot
     * occupy them.
     */
    private static final int MOST_MADE_UP = 750;

    /**
     * The margin that is added to the container's async timeout, so that the timeout expires only if the timer fails.
     */
    private static final long SPARE_MILLIS = 30_000;

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.servlet");

    private final FaultLog faults;
    private final Set<ParkedCall> parked = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer;

    private volatile Parking parking = Parking.TURNS;
    /** Whether a parked call has ever returned through this filter. If so, the filter is mapped for {@code ASYNC}. */
    private volatile boolean anyResumed;

    /** Creates an instance that wakes calls on the given timer. The method {@link #close} shuts the timer down. */
    public ParkedCalls(FaultLog faults, ScheduledExecutorService timer) {
        this.faults = faults;
        this.timer = timer;
    }

    /**
     * Sends the call down the chain when its turn has come. This can happen immediately, later on this thread, or in a
     * later dispatch.
     *
     * @return {@code false} if the call must be refused, because it cannot be parked and too many calls are already
     *     queued on their threads
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
        return isParked || queueOnThread(call, request, response, chain);
    }

    /**
     * Whether a request can be parked. A parked request returns in a new dispatch. Therefore, it must not be a forward
     * or an error page, because the code that ran before the forward would run again. It must not be an {@code ASYNC}
     * dispatch either, because the new dispatch would skip filters that are mapped only for {@code REQUEST}. Finally,
     * the caller must still be known in the new dispatch.
     *
     * @param isMadeUp whether callers can freely choose their queue
     */
    public boolean canPark(HttpServletRequest request, boolean isMadeUp) {
        return request.isAsyncSupported()
                && !request.isAsyncStarted()
                && request.getDispatcherType() == DispatcherType.REQUEST
                && parking != Parking.NONE
                && parked.size() < (isMadeUp ? MOST_MADE_UP : MOST_PARKED)
                && !timer.isShutdown()
                && PlainPath.isOf(request)
                && ThreadIdentity.AVAILABLE.returnsWith(request);
    }

    /** Parks the call. Returns {@code false} if the container does not support this. */
    private boolean park(
            TicketedCall call, HttpServletRequest request, HttpServletResponse response, long delayMillis) {
        ParkedResponse answer = new ParkedResponse(response);
        AsyncContext async = startAsync(request, answer);
        if (async == null) {
            return false;
        }
        ParkedCall one = new ParkedCall(async, answer, parked, this::noteBypass);
        async.setTimeout(delayMillis + SPARE_MILLIS);
        call.park(request, response, one);
        try {
            one.wakenBy(timer.schedule(() -> waken(one), delayMillis, TimeUnit.MILLISECONDS));
        } catch (RejectedExecutionException e) {
            one.refuse();
        }
        return true;
    }

    /** Starts asynchronous processing. Returns {@code null} if the container does not support it. */
    private static @Nullable AsyncContext startAsync(HttpServletRequest request, HttpServletResponse response) {
        try {
            return request.startAsync(request, response);
        } catch (IllegalStateException e) {
            return null;
        }
    }

    /** Sets which calls are parked from now on. */
    public void park(Parking which) {
        parking = which;
    }

    public int parked() {
        return parked.size();
    }

    private void waken(ParkedCall one) {
        try {
            one.dispatch();
        } catch (RuntimeException | Error e) {
            faults.report(
                    "Could not continue a parked call. The usual cause is that the caller has disconnected or the"
                            + " container has ended the call.",
                    e);
        }
    }

    /**
     * Handles a parked call that has not returned through this filter, because a different filter or a servlet has
     * responded to it. If no parked call has ever returned, this filter is not mapped for {@code ASYNC}. If other calls
     * have returned, an earlier filter has responded to this call, for example because the caller has logged out.
     */
    private void noteBypass() {
        if (parking != Parking.NONE && !anyResumed) {
            parking = Parking.NONE;
            LOG.warn("A parked call bypassed this filter, which is not mapped for ASYNC dispatches. It might"
                    + " also have bypassed other filters. From now on, calls are queued on their threads. To park them,"
                    + " map this filter and all filters behind it for REQUEST and ASYNC.");
        }
    }

    private static boolean queueOnThread(
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
     * Stops parking, and sends a 503 response to each call that is still parked, because the application stops together
     * with its filter.
     */
    public void close() {
        BackgroundThreads.end(timer);
        for (ParkedCall one : parked) {
            try {
                one.refuse();
            } catch (RuntimeException | Error e) {
                faults.report("Could not respond to a parked call while the service was stopping.", e);
            }
        }
    }
}
