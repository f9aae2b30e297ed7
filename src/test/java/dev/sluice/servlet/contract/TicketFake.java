package dev.sluice.servlet.contract;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimiter;
import dev.sluice.Ticket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Admits every call with a ticket, and remembers what the tickets hear. */
public final class TicketFake implements RateLimiter {

    private volatile long delayMillis;
    private final boolean mayWait;
    private final BlockingQueue<Integer> ended = new LinkedBlockingQueue<>();
    private final List<Long> charged = new CopyOnWriteArrayList<>();
    private volatile int asked;

    /** Calls to come wait so long. */
    void delay(long millis) {
        delayMillis = millis;
    }

    private TicketFake(long delayMillis, boolean mayWait) {
        this.delayMillis = delayMillis;
        this.mayWait = mayWait;
    }

    public static TicketFake atOnce() {
        return new TicketFake(0, true);
    }

    public static TicketFake after(long delayMillis) {
        return new TicketFake(delayMillis, true);
    }

    /** Calls have to wait so long, and may not do so on their threads. */
    public static TicketFake busyFor(long delayMillis) {
        return new TicketFake(delayMillis, false);
    }

    @Override
    public synchronized Decision decide(Call call) {
        asked++;
        long delay = delayMillis;
        return new Decision(
                Outcome.ADMITTED,
                Decisions.PRODUCT,
                Decisions.PRODUCT.tiers().get(0),
                List.of(),
                9,
                6_500,
                0,
                new Ticket() {
                    @Override
                    public long delayMillis() {
                        return delay;
                    }

                    @Override
                    public boolean awaitTurn() throws InterruptedException {
                        return mayWait && Ticket.super.awaitTurn();
                    }

                    @Override
                    public boolean charge(long amount) {
                        charged.add(amount);
                        return true;
                    }

                    @Override
                    public void ended(int status) {
                        ended.add(status);
                    }
                });
    }

    int asked() {
        return asked;
    }

    public List<Long> charged() {
        return charged;
    }

    /** The status that the next ticket hears of; -1 if none does for long. */
    int nextEnd() throws InterruptedException {
        Integer status = ended.poll(10, TimeUnit.SECONDS);
        return status == null ? -1 : status;
    }

    /** The status that a ticket hears of within this time; -1 if none does. */
    int heardWithin(long millis) throws InterruptedException {
        Integer status = ended.poll(millis, TimeUnit.MILLISECONDS);
        return status == null ? -1 : status;
    }

    /** What tickets have heard and nobody has asked for. */
    public List<Integer> furtherEnds() {
        return List.copyOf(ended);
    }
}
