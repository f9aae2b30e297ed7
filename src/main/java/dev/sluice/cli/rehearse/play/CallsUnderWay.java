package dev.sluice.cli.rehearse.play;

import dev.sluice.Ticket;
import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.PriorityQueue;

/** Calls that have been admitted and whose end matters: they end when the log says that they did. For one thread. */
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

        /** What was charged is known in the end. */
        private void tell() {
            if (charge > 0) {
                ticket.charge(charge);
            }
            ticket.ended(status);
        }
    }

    /** The call ends after the time that the log says, which its turn in a queue comes on top of. */
    void begin(Ticket ticket, LoggedCall call) {
        long atMillis = clock.millis() + ticket.delayMillis() + call.durationMillis();
        End end = new End(atMillis, begun++, ticket, call.charge(), call.status());
        if (atMillis == clock.millis()) {
            end.tell();
        } else {
            ends.add(end);
        }
    }

    /** Time goes on: what has ended by then ends at its moment. */
    void endUntil(long momentMillis) {
        while (!ends.isEmpty() && ends.peek().atMillis <= momentMillis) {
            End end = ends.remove();
            clock.moveTo(end.atMillis);
            end.tell();
        }
    }
}
