package dev.sluice.servlet.underway;

import dev.sluice.config.fault.FaultLog;
import dev.sluice.servlet.call.PlainPath;
import dev.sluice.thread.BackgroundThreads;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets queued calls wait for their turn: parked, without a thread, if the request supports that, otherwise on their
 * threads. The limiter decides how many calls are queued, and how many may wait on threads.
 */
public final class QueuedCalls {

    /** More calls are not parked: each keeps its request in memory, and its caller may have gone. */
    private static final int MOST_PARKED = 1_000;

    /** Added to the container's time-out, which only matters if the timer fails. */
    private static final long SPARE_MILLIS = 30_000;

    private static final Logger LOG = LoggerFactory.getLogger(QueuedCalls.class);

    private final FaultLog faults;
    private final Set<QueuedCall> parked = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer = BackgroundThreads.timer("sluice-queue");

    private volatile boolean parking = true;
    /** Whether a parked call has come back through this filter, so that the filter is mapped as it must be. */
    private volatile boolean anyResumed;

    public QueuedCalls(FaultLog faults) {
        this.faults = faults;
    }

    /**
     * Sends the call down the chain when its turn has come: now, later on this thread, or in a later dispatch.
     *
     * @return {@code false} if it must be refused, since it would have to wait on its thread and too many already do
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
        boolean isParked = canPark(request) && park(call, request, response, delayMillis);
        return isParked || waitHere(call, request, response, chain);
    }

    /**
     * Whether a request can be parked. It comes back in a new dispatch. So it must not be a forward or an error page, since
     * what came before it would run again, nor a dispatch that skips filters which are mapped for requests only.
     */
    public boolean canPark(HttpServletRequest request) {
        return request.isAsyncSupported()
                && !request.isAsyncStarted()
                && request.getDispatcherType() == DispatcherType.REQUEST
                && parking
                && parked.size() < MOST_PARKED
                && !timer.isShutdown()
                && PlainPath.isOf(request);
    }

    /** Parks the call; returns {@code false} if the container does not support it. */
    private boolean park(
            TicketedCall call, HttpServletRequest request, HttpServletResponse response, long delayMillis) {
        AsyncContext async;
        try {
            async = request.startAsync(request, response);
        } catch (IllegalStateException e) {
            return false;
        }
        QueuedCall wait = new QueuedCall(async, parked);
        wait.async().setTimeout(delayMillis + SPARE_MILLIS);
        call.park(request, response, wait, this::noteBypass);
        try {
            wait.wakenBy(timer.schedule(() -> waken(wait), delayMillis, TimeUnit.MILLISECONDS));
        } catch (RejectedExecutionException e) {
            wait.refuse();
        }
        return true;
    }

    /** From now on all calls wait on their threads. */
    public void stopParking() {
        parking = false;
    }

    public int parked() {
        return parked.size();
    }

    private void waken(QueuedCall wait) {
        try {
            wait.dispatch();
        } catch (RuntimeException | Error e) {
            faults.report("A queued call could not be continued. Usually its caller or the container has ended it.", e);
        }
    }

    /**
     * A parked call has been answered without coming back through this filter. If no call ever came back, the filter is not
     * mapped for {@code ASYNC}. If others did, a filter in front has answered this one, for example since its caller has
     * logged out.
     */
    private void noteBypass() {
        if (parking && !anyResumed) {
            stopParking();
            LOG.warn(
                    "A queued call was dispatched without passing this filter, which is not mapped for ASYNC dispatches. It may "
                            + "have bypassed other filters too. From now on queued calls wait on their threads. To park them, "
                            + "map this filter and all filters behind it for REQUEST and ASYNC.");
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
            QueuedCall.sendUnavailable(response);
            call.end(response.getStatus());
            return true;
        }
        call.goOn(request, response, chain);
        return true;
    }

    /**
     * Stops parking. Calls that are still parked are asked to retry later, since the application stops with its filter.
     */
    public void close() {
        BackgroundThreads.end(timer);
        for (QueuedCall wait : parked) {
            try {
                wait.refuse();
            } catch (RuntimeException | Error e) {
                faults.report("A queued call could not be told that the service stops.", e);
            }
        }
    }
}
