package dev.sluice.cli.rehearse.play;

import dev.sluice.Ticket;
import dev.sluice.cli.rehearse.format.LoggedCall;
import dev.sluice.internal.limiter.counter.PendingPolicy;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The admitted calls whose end matters to a limit. Each call ends at the time recorded in the log. If a call is
 * awaiting the outcome of other calls, it receives that outcome immediately, because the log already contains it.
 * Meanwhile, the log's time stands still. Not thread-safe.
 */
final class CallsInFlight implements PendingPolicy {

    private final PriorityQueue<End> ends =
            new PriorityQueue<>(Comparator.comparingLong(End::atMillis).thenComparingLong(End::number));
    private final VirtualClock clock;
    private long begun;
    /** The time for which the latest call has waited. */
    private long waitedNanos;

    CallsInFlight(VirtualClock clock) {
        this.clock = clock;
    }

    private record End(long atMillis, long number, Ticket ticket, long charge, int status) {

        /**
         * Settles or charges the cost of the call, and ends the call. Never reports a failed login, because logs do not
         * show which logins failed.
         */
        private void apply() {
            if (charge >= 0 && !ticket.settle(charge)) {
                ticket.charge(charge);
            }
            ticket.loginEnded(false);
            ticket.ended(status);
        }
    }

    /** Starts a call. The call ends after its queueing time plus its logged duration. */
    void begin(Ticket ticket, LoggedCall call) {
        long atMillis = clock.millis() + ticket.delayMillis() + call.durationMillis();
        End end = new End(atMillis, begun++, ticket, call.charge(), call.status());
        if (atMillis == clock.millis()) {
            end.apply();
        } else {
            ends.add(end);
        }
    }

    /**
     * Returns the time as seen by waiting calls. It advances while they are waiting, even though the log's time stands
     * still.
     */
    long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(clock.millis()) + waitedNanos;
    }

    @Override
    public void await(CompletableFuture<Boolean> news, long atMostNanos) {
        long until = nanos() + atMostNanos;
        while (!news.isDone() && !ends.isEmpty() && TimeUnit.MILLISECONDS.toNanos(ends.peek().atMillis) <= until) {
            End end = ends.remove();
            waitedNanos = Math.max(waitedNanos, TimeUnit.MILLISECONDS.toNanos(end.atMillis - clock.millis()));
            end.apply();
        }
        waitedNanos = news.isDone() ? waitedNanos : waitedNanos + until - nanos();
    }

    @Override
    public boolean beginAwaitingOutcomes(boolean isMadeUp) {
        return true;
    }

    /** Ends all calls up to the given moment, each at its own time. */
    void endUntil(long momentMillis) {
        waitedNanos = 0;
        while (!ends.isEmpty() && ends.peek().atMillis <= momentMillis) {
            End end = ends.remove();
            clock.moveTo(end.atMillis);
            end.apply();
        }
    }
}
