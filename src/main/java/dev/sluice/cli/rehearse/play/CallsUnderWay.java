package dev.sluice.cli.rehearse.play;

import dev.sluice.Ticket;
import java.util.PriorityQueue;

/** Calls that have been admitted and whose end matters: they end when the log says that they did. For one thread. */
final class CallsUnderWay {

    private final PriorityQueue<End> ends = new PriorityQueue<>();
    private final VirtualClock clock;
    private long begun;

    CallsUnderWay(VirtualClock clock) {
        this.clock = clock;
    }

    private record End(long atMillis, long number, Ticket ticket, int status) implements Comparable<End> {

        @Override
        public int compareTo(End other) {
            int byTime = Long.compare(atMillis, other.atMillis);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** The call ends after this time, which its turn in a queue comes on top of. */
    void begin(Ticket ticket, long durationMillis, int status) {
        long end = clock.millis() + ticket.delayMillis() + durationMillis;
        if (end == clock.millis()) {
            ticket.ended(status);
        } else {
            ends.add(new End(end, begun++, ticket, status));
        }
    }

    /** Time goes on: what has ended by then ends at its moment. */
    void endUntil(long momentMillis) {
        while (!ends.isEmpty() && ends.peek().atMillis <= momentMillis) {
            End end = ends.remove();
            clock.moveTo(end.atMillis);
            end.ticket.ended(end.status);
        }
    }
}
