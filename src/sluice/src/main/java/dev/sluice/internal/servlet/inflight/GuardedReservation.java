package dev.sluice.internal.servlet.inflight;

import dev.sluice.Charge;
import dev.sluice.Reservation;
import dev.sluice.Ticket;
import dev.sluice.internal.config.extension.FaultLog;

/**
 * The reservation of a ticket. This class logs the limiter's failures instead of propagating them to the application.
 * Thread-safe.
 */
record GuardedReservation(Ticket ticket, FaultLog faults) implements Reservation {

    @Override
    public Charge charge(long amount) {
        try {
            return ticket.charge(amount);
        } catch (RuntimeException | Error e) {
            faults.report("The rate limiter failed to charge a call. The call continues without a charge.", e);
            return Charge.NOT_COUNTED;
        }
    }

    @Override
    public boolean settle(long actual) {
        try {
            return ticket.settle(actual);
        } catch (RuntimeException | Error e) {
            faults.report("The rate limiter failed to settle the cost of a call. The estimate remains counted.", e);
            return false;
        }
    }
}
