package dev.sluice.limiter.exchange;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limiter.ledger.Ledger;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * What is exchanged with the store before the first step of an {@link ExchangeLoop} and after the last. Both wait for the
 * answer, for a limited time. For one thread.
 */
final class FirstAndLastExchange {

    private static final long GOODBYE_NANOS = 2_000_000_000;
    private static final long LOOK_NANOS = 200_000;

    private final StoreClock clock;
    private final LongSupplier nanos;
    private final ThreadWait waiting;
    private final Ledger ledger;
    private final BatchSender sender;
    private final ReplyReader replies;

    /** Whether the thread was interrupted while it had to wait. */
    private boolean interrupted;

    FirstAndLastExchange(
            StoreClock clock,
            LongSupplier nanos,
            ThreadWait waiting,
            Ledger ledger,
            BatchSender sender,
            ReplyReader replies) {
        this.clock = clock;
        this.nanos = nanos;
        this.waiting = waiting;
        this.ledger = ledger;
        this.sender = sender;
        this.replies = replies;
    }

    /**
     * Asks the store for the time, so that the first windows are cut by it, and waits for the answer; before the first
     * step.
     */
    void greet(long nanosAtMost) {
        long deadline = nanos.getAsLong() + nanosAtMost;
        sender.send(List.of());
        while (!sender.canSend() && sender.failures() == 0 && nanos.getAsLong() - deadline < 0) {
            replies.read(nanos.getAsLong());
            waitWhileUnanswered();
        }
        if (!sender.canSend() || sender.failures() > 0) {
            replies.startsAway(nanos.getAsLong());
        }
        interruptAgain();
    }

    /** An error has left some answers unread: what is not known to be told is told. */
    void recover() {
        if (sender.canSend()) {
            ledger.forgetClaims();
        }
    }

    /**
     * Returns all that is held and tells all that was used, if the store answers soon. Afterwards it is as if the store
     * were away.
     */
    void end() {
        long deadline = nanos.getAsLong() + GOODBYE_NANOS;
        int mostFailures = Math.max(1, sender.failures()); // a store that was away is tried once more
        recover();
        sender.sendAgainNow();
        boolean goesOn = true;
        while (goesOn && sender.failures() <= mostFailures && nanos.getAsLong() - deadline < 0) {
            goesOn = finish(nanos.getAsLong());
        }
        replies.goAlone();
    }

    /** One step of the end; whether there is more to do. */
    private boolean finish(long now) {
        replies.read(now);
        ledger.readNotes(moment(now));
        if (sender.sendAgain(now)) {
            ledger.forgetClaims();
        }
        if (!sender.canSend()) {
            waitWhileUnanswered();
            return true;
        }
        List<Claim> last = ledger.collectLast(moment(now));
        if (!last.isEmpty()) {
            sender.send(last);
        }
        return !last.isEmpty();
    }

    private Moment moment(long now) {
        return new Moment(now, clock.millis());
    }

    private void waitWhileUnanswered() {
        if (!sender.canSend()) {
            try {
                waiting.await(new CompletableFuture<>(), LOOK_NANOS);
            } catch (InterruptedException e) {
                interrupted = true; // it is told once the store is
            }
        }
    }

    /** The thread is interrupted again if it was while it had to wait. */
    void interruptAgain() {
        if (interrupted) {
            interrupted = false;
            Thread.currentThread().interrupt();
        }
    }
}
