package dev.sluice.limiter.exchange;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.limiter.ledger.Ledger;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The exchanges with the store before the first step of an {@link ExchangeLoop} and after the last. Both wait for the
 * answer, for a limited time. Not safe for several threads.
 */
final class FirstAndLastExchange {

    private static final long LONGEST_END_NANOS = 2_000_000_000;
    private static final long LOOK_NANOS = 200_000;

    private final StoreClock clock;
    private final ThreadWait waiting;
    private final Ledger ledger;
    private final BatchSender sender;
    private final ReplyReader replies;

    /** Whether the thread was interrupted while it waited. */
    private boolean interrupted;

    FirstAndLastExchange(StoreClock clock, ThreadWait waiting, Ledger ledger, BatchSender sender, ReplyReader replies) {
        this.clock = clock;
        this.waiting = waiting;
        this.ledger = ledger;
        this.sender = sender;
        this.replies = replies;
    }

    /**
     * Before the first step: asks the store for its time, so that the first windows are aligned to it, and waits for
     * the answer.
     */
    void synchroniseClock(long nanosAtMost) {
        long deadline = clock.nanos() + nanosAtMost;
        sender.send(List.of());
        while (!sender.canSend() && sender.failures() == 0 && clock.nanos() - deadline < 0) {
            replies.read(clock.nanos());
            waitWhileUnanswered();
        }
        if (!sender.canSend() || sender.failures() > 0) {
            replies.startsAway(clock.nanos());
        }
        interruptAgain();
    }

    /** After an error that left answers unread: what may be unreported is reported. */
    void recover() {
        if (sender.canSend()) {
            ledger.giveUpClaims(clock.now());
        }
    }

    /**
     * Returns what is held and reports what was used, if the store answers soon. Afterwards decisions continue as if
     * the store were away.
     */
    void end() {
        long deadline = clock.nanos() + LONGEST_END_NANOS;
        int mostFailures = Math.max(1, sender.failures()); // a store that is away is tried once more
        recover();
        sender.sendAgainNow();
        boolean goesOn = true;
        while (goesOn && sender.failures() <= mostFailures && clock.nanos() - deadline < 0) {
            goesOn = finish(clock.nanos());
        }
        replies.beginAbsence();
    }

    /** One step of the end; returns whether there is more to do. */
    private boolean finish(long now) {
        replies.read(now);
        ledger.processRequests(clock.moment(now));
        if (sender.sendAgain(now)) {
            ledger.giveUpClaims(clock.now());
        }
        if (!sender.canSend()) {
            waitWhileUnanswered();
            return true;
        }
        List<Claim> last = ledger.collectLast(clock.moment(now));
        if (!last.isEmpty()) {
            sender.send(last);
        }
        return !last.isEmpty();
    }

    private void waitWhileUnanswered() {
        if (!sender.canSend()) {
            try {
                waiting.await(new CompletableFuture<>(), LOOK_NANOS);
            } catch (InterruptedException e) {
                interrupted = true; // the interrupt is restored once the store has the report
            }
        }
    }

    /** Interrupts the thread again if it was interrupted while it waited. */
    void interruptAgain() {
        if (interrupted) {
            interrupted = false;
            Thread.currentThread().interrupt();
        }
    }
}
