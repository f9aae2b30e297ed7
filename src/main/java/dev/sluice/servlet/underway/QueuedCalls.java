package dev.sluice.servlet.underway;

import dev.sluice.config.fault.FaultLog;
import dev.sluice.servlet.call.PlainPath;
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
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where queued calls wait for their turn: parked, without a thread, where the request supports that, and otherwise on
 * their own. How many there are at most, and how many on threads, is for the limiter to say, which queued them.
 */
public final class QueuedCalls {

    /** More calls are not parked: each keeps its request in memory, and its caller may have gone. */
    private static final int MOST_PARKED = 1_000;

    /** The container's time-out is there only in case that no alarm comes. */
    private static final long SPARE_MILLIS = 30_000;

    private static final Logger LOG = LoggerFactory.getLogger(QueuedCalls.class);

    private final FaultLog faults;
    private final Set<QueuedCall> parked = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor alarms = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "sluice-queue");
        thread.setDaemon(true);
        return thread;
    });

    private volatile boolean parking = true;
    /** Whether a parked call has come back through this filter, which is so mapped as it has to be. */
    private volatile boolean anyCameBack;

    public QueuedCalls(FaultLog faults) {
        this.faults = faults;
        alarms.setRemoveOnCancelPolicy(true);
    }

    /**
     * Sends the call down the chain when its turn has come: now, later on this thread, or in a dispatch after this one.
     *
     * @return {@code false} if it would have to wait on its thread, and too many do already: it is to be refused
     */
    public boolean admit(TicketedCall call, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!anyCameBack && call.isBack()) {
            anyCameBack = true;
        }
        long delayMillis = call.delayMillis();
        if (delayMillis <= 0 || call.isBack()) {
            call.goOn(request, response, chain);
            return true;
        }
        boolean isParked = canPark(request) && park(call, request, response, delayMillis);
        return isParked || waitHere(call, request, response, chain);
    }

    /**
     * Coming back is a new dispatch, which must not repeat what has been done in front of a forward or an error page,
     * nor reach an application past those filters that are called for requests only.
     */
    public boolean canPark(HttpServletRequest request) {
        return request.isAsyncSupported()
                && !request.isAsyncStarted()
                && request.getDispatcherType() == DispatcherType.REQUEST
                && parking
                && parked.size() < MOST_PARKED
                && !alarms.isShutdown()
                && PlainPath.isThatOf(request);
    }

    /** Parks the call, unless the container does not let it. */
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
        call.park(response, wait, this::notePassedBy);
        try {
            wait.wakenBy(alarms.schedule(() -> waken(wait), delayMillis, TimeUnit.MILLISECONDS));
        } catch (RejectedExecutionException e) {
            wait.refuse();
        }
        return true;
    }

    /** From now on all calls wait on their threads. */
    public void parkNoMore() {
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
     * A call that was parked has been answered, and this filter was not asked again in between. If others came back, a
     * filter in front has answered this one, as it does if its caller has logged out meanwhile.
     */
    private void notePassedBy() {
        if (parking && !anyCameBack) {
            parkNoMore();
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
     * Calls still parked are answered that they may come again; a filter that stops has an application behind that
     * stops.
     */
    public void close() {
        alarms.shutdownNow();
        for (QueuedCall wait : parked) {
            try {
                wait.refuse();
            } catch (RuntimeException | Error e) {
                faults.report("A queued call could not be told that the service stops.", e);
            }
        }
    }
}
