package dev.sluice.limiter;

import dev.sluice.Batch;
import dev.sluice.Batch.Claim;
import dev.sluice.CounterStore;
import dev.sluice.StoreException;
import dev.sluice.Together.OnFailure;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The exchanges with the store, one batch after the other. One that was not answered is sent again as it was, so that it counts once, and
 * nothing else is sent before. Exchanging is for one thread; whether the store is away, and how long it has been silent, may be asked by any.
 */
final class Exchanges {

    private static final long ANSWER_MILLIS = 5_000;
    private static final long FIRST_PAUSE_NANOS = 2_000_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

    private final CounterStore store;
    private final String instance;
    private final StoreClock clock;
    private final Ledger ledger;
    private final Supplier<OnFailure> policy;
    private final Absence absence;

    private volatile boolean away;
    /** Since when the store has been silent on something it was asked; 0 if nothing was. */
    private volatile long silentSinceNanos;

    private long sequence;
    private @Nullable Batch unanswered;
    private int failures;
    private long sentNanos = System.nanoTime();
    private long heardNanos = sentNanos;

    /**
     * Makes the first in a row of exchanges.
     *
     * @param instance tells these apart from all others on the store
     * @param clock is told the store's time
     * @param ledger is told the answers, and that there are none
     * @param policy says who decides where there are none
     */
    Exchanges(
            CounterStore store,
            String instance,
            StoreClock clock,
            Ledger ledger,
            Supplier<OnFailure> policy,
            Logger log) {
        this.store = store;
        this.instance = instance;
        this.clock = clock;
        this.ledger = ledger;
        this.policy = policy;
        this.absence = new Absence(log);
    }

    /** Whether the store has failed to answer more than once. */
    boolean isAway() {
        return away;
    }

    /** For how long the store has been silent on something it was asked. */
    long silenceNanos() {
        long since = silentSinceNanos;
        return since == 0 ? 0 : System.nanoTime() - since;
    }

    /** Whether a batch has yet to be answered; it has to be sent {@link #again}. */
    boolean areStuck() {
        return unanswered != null;
    }

    /** Whether the last batch was answered. */
    boolean goWell() {
        return failures == 0;
    }

    /** How long to leave the store in peace that has not answered. */
    long pauseNanos() {
        return Math.min(FIRST_PAUSE_NANOS << Math.min(failures, 10), LONGEST_PAUSE_NANOS);
    }

    /** When a batch was sent last. */
    long sentNanos() {
        return sentNanos;
    }

    /** When the store was heard last. */
    long heardNanos() {
        return heardNanos;
    }

    /** Sends these claims; none are a question for the time. Nothing may be stuck. */
    void send(List<Claim> claims) {
        send(new Batch(instance, ++sequence, claims));
    }

    /** Sends the batch again that was not answered, if there is one. */
    void again() {
        Batch batch = unanswered;
        if (batch != null) {
            send(batch);
        }
    }

    private void send(Batch batch) {
        long sent = System.nanoTime();
        sentNanos = sent;
        if (silentSinceNanos == 0) {
            silentSinceNanos = Math.max(1, sent);
        }
        try {
            Batch.Reply reply = store.exchange(batch).toCompletableFuture().get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
            clock.heard(reply.nowMillis(), (System.nanoTime() - sent) / 1e6);
            answered(batch, reply);
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            failed(batch, e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e);
        } catch (InterruptedException e) {
            failed(batch, e);
            Thread.currentThread().interrupt();
        }
    }

    private void answered(Batch batch, Batch.Reply reply) {
        unanswered = null;
        failures = 0;
        silentSinceNanos = 0;
        heardNanos = System.nanoTime();
        absence.isOver();
        if (away) {
            away = false;
            ledger.presentAgain();
        }
        ledger.apply(batch.claims(), reply.grants(), clock.millis());
    }

    private void failed(Batch batch, Throwable reason) {
        unanswered = isOver(batch) || isOutdated(reason) ? null : batch;
        failures++;
        absence.goesOn(reason, policy.get(), System.nanoTime());
        if (failures > 1) {
            away = true;
            absence.writesOff(ledger.absent(policy.get(), clock.millis()));
        }
    }

    /** Whether all that the batch speaks of is past, so that it need not be sent again. */
    private boolean isOver(Batch batch) {
        long now = clock.millis();
        return batch.claims().stream().allMatch(claim -> claim.isOver(now));
    }

    /** Whether the store has refused the batch for ever; nothing of it was applied. */
    private static boolean isOutdated(Throwable reason) {
        return reason instanceof StoreException known && !known.temporary();
    }
}
