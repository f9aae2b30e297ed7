package dev.sluice.internal.servlet.underway;

import dev.sluice.Decision;
import dev.sluice.Ticket;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The ticket of a call that was parked before it was decided. If the call ends first, the pending decision is
 * cancelled. Thread-safe.
 */
final class LateTicket implements Ticket {

    private @Nullable CompletableFuture<Decision> deciding;
    private @Nullable Ticket ticket;
    private @Nullable Integer endedWith;

    LateTicket(CompletableFuture<Decision> deciding) {
        this.deciding = deciding;
    }

    /**
     * Receives the ticket of the decision, and reports the end of the call to it if the call has already ended.
     *
     * @param decidedTicket {@code null} if nobody needs to know how the call ends
     */
    void decided(@Nullable Ticket decidedTicket) {
        Integer ended;
        synchronized (this) {
            deciding = null;
            ticket = decidedTicket;
            ended = endedWith;
        }
        if (decidedTicket != null && ended != null) {
            decidedTicket.ended(ended);
        }
    }

    private synchronized @Nullable Ticket ticket() {
        return ticket;
    }

    @Override
    public long delayMillis() {
        return 0;
    }

    @Override
    public boolean charge(long amount) {
        Ticket of = ticket();
        return of != null && of.charge(amount);
    }

    @Override
    public boolean settle(long actual) {
        Ticket of = ticket();
        return of != null && of.settle(actual);
    }

    @Override
    public boolean beginLogin() {
        Ticket of = ticket();
        return of == null || of.beginLogin();
    }

    @Override
    public void loginEnded(boolean failed) {
        Ticket of = ticket();
        if (of != null) {
            of.loginEnded(failed);
        }
    }

    @Override
    public void ended(int status) {
        CompletableFuture<Decision> undecided;
        Ticket of;
        synchronized (this) {
            endedWith = status;
            undecided = deciding;
            of = ticket;
        }
        if (undecided != null) {
            undecided.cancel(false);
        }
        if (of != null) {
            of.ended(status);
        }
    }
}
