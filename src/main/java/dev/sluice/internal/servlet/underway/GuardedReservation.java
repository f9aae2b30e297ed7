package dev.sluice.internal.servlet.underway;

import dev.sluice.Reservation;
import dev.sluice.Ticket;
import dev.sluice.internal.config.fault.FaultLog;

/** A ticket's reservation, whose failures do not reach the application. */
record GuardedReservation(Ticket ticket, FaultLog faults) implements Reservation {

    @Override
    public boolean charge(long amount) {
        try {
            return ticket.charge(amount);
        } catch (RuntimeException | Error e) {
            faults.report("The rate limiter failed to charge a call; the call goes on, uncharged.", e);
            return false;
        }
    }

    @Override
    public boolean settle(long actual) {
        try {
            return ticket.settle(actual);
        } catch (RuntimeException | Error e) {
            faults.report("The rate limiter failed to settle a call, which keeps what it reserved.", e);
            return false;
        }
    }
}
