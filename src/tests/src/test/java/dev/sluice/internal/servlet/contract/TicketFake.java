package dev.sluice.internal.servlet.contract;

import dev.sluice.Call;
import dev.sluice.Charge;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimiter;
import dev.sluice.Ticket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Admits every call with a ticket, and records the reports to the tickets. */
public final class TicketFake implements RateLimiter {

    private volatile long delayMillis;
    private final boolean mayWait;
    private final BlockingQueue<Integer> ended = new LinkedBlockingQueue<>();
    private final List<Long> charged = new CopyOnWriteArrayList<>();
    private final List<Long> settled = new CopyOnWriteArrayList<>();
    private volatile int asked;

    /** Sets how long further calls are queued. */
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

    /** Makes calls be queued this long, but not on their threads. */
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
                    public Charge charge(long amount) {
                        charged.add(amount);
                        return Charge.UNLIMITED;
                    }

                    @Override
                    public boolean settle(long actual) {
                        settled.add(actual);
                        return true;
                    }

                    @Override
                    public void ended(int status) {
                        ended.add(status);
                    }
                });
    }

    public int asked() {
        return asked;
    }

    public List<Long> charged() {
        return charged;
    }

    public List<Long> settled() {
        return settled;
    }

    /** The status of the next call that ends; -1 if none ends within ten seconds. */
    public int nextEnd() throws InterruptedException {
        Integer status = ended.poll(10, TimeUnit.SECONDS);
        return status == null ? -1 : status;
    }

    /** The status of a call that ends within this time; -1 if none does. */
    public int heardWithin(long millis) throws InterruptedException {
        Integer status = ended.poll(millis, TimeUnit.MILLISECONDS);
        return status == null ? -1 : status;
    }

    /** The statuses of ended calls that no test has taken yet. */
    public List<Integer> furtherEnds() {
        return List.copyOf(ended);
    }
}
