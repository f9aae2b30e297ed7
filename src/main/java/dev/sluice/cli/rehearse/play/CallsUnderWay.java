package dev.sluice.cli.rehearse.play;

import dev.sluice.Ticket;
import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.PriorityQueue;

/** Admitted calls whose end matters to a limit: they end at the time in the log. For one thread. */
final class CallsUnderWay {

    private final PriorityQueue<End> ends = new PriorityQueue<>();
    private final VirtualClock clock;
    private long begun;

    CallsUnderWay(VirtualClock clock) {
        this.clock = clock;
    }

    private record End(long atMillis, long number, Ticket ticket, long charge, int status) implements Comparable<End> {

        @Override
        public int compareTo(End other) {
            int byTime = Long.compare(atMillis, other.atMillis);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }

        /** Settles or charges what it cost, and ends the call. */
        private void tell() {
            if (charge >= 0 && !ticket.settle(charge)) {
                ticket.charge(charge);
            }
            ticket.ended(status);
        }
    }

    /** Begins a call; it ends after its wait in a queue and its duration in the log. */
    void begin(Ticket ticket, LoggedCall call) {
        long atMillis = clock.millis() + ticket.delayMillis() + call.durationMillis();
        End end = new End(atMillis, begun++, ticket, call.charge(), call.status());
        if (atMillis == clock.millis()) {
            end.tell();
        } else {
            ends.add(end);
        }
    }

    /** Ends all calls up to that moment, each at its time. */
    void endUntil(long momentMillis) {
        while (!ends.isEmpty() && ends.peek().atMillis <= momentMillis) {
            End end = ends.remove();
            clock.moveTo(end.atMillis);
            end.tell();
        }
    }
}
