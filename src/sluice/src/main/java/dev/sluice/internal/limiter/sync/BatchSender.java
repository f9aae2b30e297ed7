package dev.sluice.internal.limiter.sync;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.FIRST_RESEND_PAUSE_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LONGEST_RESEND_PAUSE_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LONGEST_UNRESPONSIVE_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LOST_ANSWER_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.PRESENT_EVERY_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.USUAL_EXCHANGE_NANOS;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Presence;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.exchange.TimeToLive;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches to the store, one after another. A batch that remains unanswered is sent again with the same sequence
 * number so that the store counts it only once. No other batch is sent until the current batch is answered or
 * abandoned. Not thread-safe: only the synchroniser's thread uses it. However, answers can arrive on any thread and are
 * queued here.
 *
 * <pre>
 *   IDLE ── send ──▶ OUT ── a reply, or a permanent rejection ──▶ IDLE
 *                    OUT ── a failure, or no answer for five seconds ──▶ PAUSING ── sendAgain ──▶ OUT
 *                                       PAUSING ── all windows of the batch have ended ──▶ IDLE
 * </pre>
 */
final class BatchSender {

    private final CounterStore store;
    private final String instance;
    private final StoreClock clock;
    private final Runnable wake;
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

    private final ExchangeTimes times = new ExchangeTimes();

    private volatile long limitsSinceNanos;

    private long sequence;
    private State state = State.IDLE;
    /** The latest attempt to send the current batch or, while IDLE, the previous batch. */
    private Attempt latest;

    private long presentNanos;
    /** The number of consecutive failures, not counting conflicts. */
    private int failures;
    /**
     * Whether the store mistook the latest batch for a very old one, because this instance does not know the store's
     * time.
     */
    private boolean wasForgotten;

    private enum State {
        /** Every batch has been answered or abandoned. */
        IDLE,
        /** An attempt has been sent, and the store has not answered it yet. */
        OUT,
        /** An attempt has failed, and a further attempt will follow. */
        PAUSING;

        private State to(State next) {
            boolean isDrawn = next == OUT ? this != OUT : this == OUT || (this == PAUSING && next == IDLE);
            if (!isDrawn) {
                throw new IllegalStateException(this + " does not lead to " + next);
            }
            return next;
        }
    }

    /**
     * One attempt to send a batch.
     *
     * @param batch the batch as it was originally made
     * @param madeNanos the time when the batch was made
     * @param sentNanos the time when this attempt was sent
     * @param number the number of this attempt; 1 for the first attempt of the batch
     */
    record Attempt(Batch batch, long madeNanos, long sentNanos, int number) {

        private boolean is(Attempt other) {
            return batch.sequence() == other.batch.sequence() && number == other.number;
        }
    }

    /**
     * Creates an idle sender. The clock receives the store's time, and {@code wake} runs when an answer has arrived.
     */
    BatchSender(CounterStore store, String instance, StoreClock clock, Runnable wake) {
        this.store = store;
        this.instance = instance;
        this.clock = clock;
        this.wake = wake;
        long now = clock.nanos();
        this.latest = new Attempt(new Batch(instance, 0, List.of()), now, now, 1);
        this.presentNanos = now - PRESENT_EVERY_NANOS;
        this.limitsSinceNanos = now;
    }

    /** The result of an attempt: a reply or a failure. */
    record Answer(
            Batch batch,
            Attempt attempt,
            Batch.@Nullable Reply reply,
            @Nullable Throwable failure,
            long receivedNanos) {

        /** Whether the attempt failed only because other instances changed the same counters. */
        boolean isConflict() {
            return failure instanceof StoreException known && known.isConflict();
        }
    }

    /** Makes the next batch inform the store that the limits were replaced. Any thread may call this method. */
    void limitsReplaced() {
        limitsSinceNanos = clock.nanos();
    }

    boolean canSend() {
        return state == State.IDLE;
    }

    /** Returns the number of consecutive failed attempts, not counting conflicts. */
    int failures() {
        return failures;
    }

    /** Returns the batch that the store has not answered yet; {@code null} if there is none. */
    @Nullable Batch unanswered() {
        return state == State.IDLE ? null : latest.batch;
    }

    /** Returns when this instance began to wait for an answer to the unanswered batch. */
    long unresponsiveSinceNanos() {
        return latest.madeNanos;
    }

    /**
     * Returns how long the store may take to answer before it is considered unavailable. This is {@code leastNanos}, or
     * the store's usual response time if that is longer.
     */
    long unavailableAfterNanos(long leastNanos) {
        return Math.max(leastNanos, Math.min(times.usualNanos(clock.nanos()), LONGEST_UNRESPONSIVE_NANOS));
    }

    /** Returns when the answer to the current batch becomes unusually late. */
    long lateFromNanos() {
        return latest.madeNanos + Math.max(USUAL_EXCHANGE_NANOS, times.usualNanos(clock.nanos()));
    }

    /**
     * Returns the time when the latest attempt was sent. Before the first attempt, returns the time when this instance
     * started.
     */
    long sentNanos() {
        return latest.sentNanos;
    }

    /** Sends the given statements as a new batch. The batch can be empty. */
    void send(List<Statement> statements) {
        long now = clock.nanos();
        boolean tells = now - presentNanos >= PRESENT_EVERY_NANOS;
        presentNanos = tells ? now : presentNanos;
        send(statements, tells ? Presence.ALIVE : Presence.NOT_STATED);
    }

    /** Sends the given statements, and informs the store that this instance is shutting down. */
    void sendLast(List<Statement> statements) {
        send(statements, Presence.LEAVING);
    }

    private void send(List<Statement> statements, Presence presence) {
        long nowNanos = clock.nanos();
        long now = clock.millis();
        long limitsSince = now - (nowNanos - limitsSinceNanos) / 1_000_000;
        Batch batch = new Batch(instance, ++sequence, now, statements, presence, limitsSince);
        boolean isTimeKnown = !clock.isDoubtful() && !wasForgotten;
        Batch first = isTimeKnown ? batch : sentFor(batch, Long.MAX_VALUE, 0); // a first attempt is never too old
        send(new Attempt(batch, nowNanos, nowNanos, 1), first);
    }

    /**
     * Sends the unanswered batch again if it is time to do so. If sending the batch has become useless, abandons it and
     * returns {@code true}.
     */
    boolean sendAgain(long now) {
        if (state != State.PAUSING || now - nextAttemptNanos() < 0) {
            return false;
        }
        if (isOver(latest.batch)) {
            state = state.to(State.IDLE);
            return true;
        }
        sendAgainNow();
        return false;
    }

    /** Sends a failed batch again immediately. The uses in the batch are backdated by the elapsed time. */
    void sendAgainNow() {
        if (state == State.PAUSING) {
            long now = clock.nanos();
            Batch made = latest.batch;
            send(
                    new Attempt(made, latest.madeNanos, now, latest.number + 1),
                    sentFor(made, made.madeMillis(), (now - latest.madeNanos) / 1_000_000));
        }
    }

    private static Batch sentFor(Batch made, long madeMillis, long laterMillis) {
        return new Batch(
                made.instance(),
                made.sequence(),
                madeMillis,
                made.statements().stream()
                        .map(statement -> statement.sentLater(laterMillis))
                        .toList(),
                made.presence(),
                made.limitsSinceMillis());
    }

    /** Returns when to call {@link #sendAgain} or {@link #nextAnswer}; {@link Long#MAX_VALUE} while IDLE. */
    long nextAttemptNanos() {
        return switch (state) {
            case IDLE -> Long.MAX_VALUE;
            case OUT -> latest.sentNanos + LOST_ANSWER_NANOS;
            case PAUSING -> latest.sentNanos + pauseNanos();
        };
    }

    private long pauseNanos() {
        return Math.min(FIRST_RESEND_PAUSE_NANOS << Math.min(failures, 10), LONGEST_RESEND_PAUSE_NANOS);
    }

    private void send(Attempt attempt, Batch batch) {
        state = state.to(State.OUT);
        latest = attempt;
        try {
            var unused = store.exchange(batch)
                    .whenComplete((reply, failure) -> arrived(batch, attempt, reply, causeOf(failure)));
        } catch (Throwable e) { // an application-supplied store can throw anything
            arrived(batch, attempt, null, e);
        }
    }

    /**
     * Queues an answer. An answer with too few grants is treated as a failure, because it is unknown which statements
     * the grants belong to.
     */
    private void arrived(Batch batch, Attempt attempt, Batch.@Nullable Reply reply, @Nullable Throwable failure) {
        long now = clock.nanos();
        String mistake = reply == null ? null : mistake(batch.statements(), reply);
        answers.add(
                mistake == null
                        ? new Answer(batch, attempt, reply, failure, now)
                        : new Answer(batch, attempt, null, StoreException.unavailable(mistake, null), now));
        wake.run();
    }

    /** Describes the mistake in an answer of an application-supplied store; {@code null} if there is none. */
    private static @Nullable String mistake(List<Statement> statements, Batch.Reply reply) {
        List<Grant> grants = reply.grants();
        if (grants.size() != statements.size()) {
            return "the store answered %d statements with %d grants".formatted(statements.size(), grants.size());
        }
        for (int i = 0; i < grants.size(); i++) {
            int frames = statements.get(i).framesBefore().size();
            int totals = grants.get(i).details().size();
            if (totals < frames && !TimeToLive.USUAL.isGrantOver(statements.get(i), reply)) {
                return "the store answered a frame with the totals of %d earlier frames instead of %d"
                        .formatted(totals, frames);
            }
        }
        return null;
    }

    private static @Nullable Throwable causeOf(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /**
     * Returns the next answer to the latest attempt; {@code null} if there is none. Drops answers to earlier attempts.
     */
    @Nullable Answer nextAnswer(long now) {
        for (Answer answer = answers.poll(); answer != null; answer = answers.poll()) {
            if (answer.attempt.is(latest) && state == State.OUT) {
                return concluded(answer);
            }
        }
        if (state == State.OUT && now - latest.sentNanos >= LOST_ANSWER_NANOS) {
            StoreException lost = StoreException.unavailable("the store did not answer", null);
            return concluded(new Answer(latest.batch, latest, null, lost, now));
        }
        return null;
    }

    private Answer concluded(Answer answer) {
        Batch.Reply reply = answer.reply;
        if (reply != null) {
            state = state.to(State.IDLE);
            failures = 0;
            wasForgotten = false;
            clock.measured(reply.nowMillis(), latest.sentNanos, answer.receivedNanos);
            if (latest.number == 1) {
                times.add(answer.receivedNanos - latest.sentNanos, answer.receivedNanos);
            }
            return answer;
        }
        if (!answer.isConflict()) {
            failures++;
            // The store might have forgotten this instance in the meantime.
            presentNanos = answer.receivedNanos - PRESENT_EVERY_NANOS;
        }
        if (answer.failure instanceof StoreException known && !known.temporary()) {
            wasForgotten = known.isForgotten();
            state = state.to(State.IDLE); // the store permanently rejected the batch and applied none of it
        } else {
            state = state.to(State.PAUSING);
        }
        return answer;
    }

    /** Whether all windows of the batch have ended. If so, the batch need not be sent again. */
    private boolean isOver(Batch batch) {
        long now = clock.millis();
        return !batch.statements().isEmpty()
                && batch.statements().stream()
                        .allMatch(statement -> TimeToLive.USUAL.isTooLate(statement.key(), statement.rule(), now));
    }
}
