package dev.sluice.internal.limiter.sync;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.BATCH_PAUSE_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LARGE_FLEET_FOR_BATCHES;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LATE_STEP_INTERVALS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LONGEST_EMPTY_BATCH_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LONGEST_END_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LOOK_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.SHORTEST_EMPTY_BATCH_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.UNANSWERED_TIMES;

import dev.sluice.CounterKey;
import dev.sluice.RateLimitListener;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.PendingPolicy;
import dev.sluice.internal.limiter.ledger.Ledger;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.rule.StoreState;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.LimiterDiagnostics.InFlight;
import dev.sluice.limits.Limits;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The loop that runs all due exchanges with the store. It starts no thread. Instead, a driver calls {@link #step} at
 * the time that the previous step returned, or earlier if something is urgent. Not thread-safe, except for the methods
 * under "For any thread". Only one thread uses the loop at a time: the driver's thread or, during shutdown, the closing
 * thread.
 *
 * <p>Each step processes answers, then news, then the checks that calls have requested. Next, it checks the accounts
 * that are due for a tick. Finally, it sends everything that is due in one batch. {@link Ledger} determines what is
 * due, and {@link BatchSender} ensures that each batch is counted only once.
 */
final class ExchangeLoop {

    /** A duration that exceeds the wait of any call. If the cut-off time is this long ago, no wait is ended. */
    private static final long LONG_AGO_NANOS = 1L << 60;

    /** The time between two checks for an answer during the first and last exchanges. */
    private static final long ANSWER_LOOK_NANOS = 200_000;

    private final StoreClock clock;
    private final PendingPolicy policy;
    private final IntSupplier callsInLine;

    final StoreState store = new StoreState();
    private final ExchangeLog log;
    final Ledger ledger;
    final ReplyReader replies;
    private final BatchSender sender;
    private final Rounds rounds;
    private final RateLimitListener listener;
    private final Queue<News> news = new ConcurrentLinkedQueue<>();
    /** The futures of the calls that are waiting until a step finds that the time is reliable. */
    private final Queue<CompletableFuture<Boolean>> soundSteps = new ConcurrentLinkedQueue<>();
    /** Queries from operators and changes to the limits. The next step handles them. */
    private final Queue<Runnable> questions = new ConcurrentLinkedQueue<>();

    private volatile long everyNanos;
    /** Whether no check has been requested for some time. If so, the next request has to wake the driver. */
    private volatile boolean asleep;

    /**
     * Whether the work that is due is blocked until an event occurs, such as the end of a call. That event will
     * trigger a further step.
     */
    private boolean blocked;

    private long busyNanos;
    private long plannedNanos;
    private boolean hasLeft;
    /** The time after which the leases of permits in hand might have ended. */
    private volatile long trustedUntilNanos;
    /** Whether the thread was interrupted while it was waiting for the first or last answer. */
    private boolean interrupted;

    /** Creates a loop that has not started yet; {@code wake} wakes the driver. */
    ExchangeLoop(
            CounterStore counterStore,
            String instance,
            StoreClock clock,
            Runnable wake,
            PendingPolicy policy,
            IntSupplier callsInLine,
            Limits limits,
            RateLimitListener listener,
            ExchangeLog log) {
        this.clock = clock;
        this.policy = policy;
        this.callsInLine = callsInLine;
        this.log = log;
        this.ledger = new Ledger(Counter.keptInMemory(limits.maximumCounters()), store, log.accounts());
        this.sender = new BatchSender(counterStore, instance, clock, wake);
        this.rounds = new Rounds(counterStore, wake);
        this.listener = listener;
        this.replies = new ReplyReader(clock, store, ledger, sender, rounds, listener, log, limits.sharing());
        this.everyNanos = limits.shortestInterval().toNanos();
        this.busyNanos = clock.nanos() - 2 * everyNanos;
        this.plannedNanos = clock.nanos();
        this.trustedUntilNanos = plannedNanos + LONGEST_EMPTY_BATCH_NANOS;
    }

    // ---- For any thread

    void follow(Limits limits) {
        everyNanos = limits.shortestInterval().toNanos();
        if (replies.follow(limits.sharing())) {
            questions.add(this::decideByOutage);
        }
        sender.limitsReplaced();
    }

    private void decideByOutage() {
        Outage outage = store.outage();
        if (outage != null) {
            ledger.decideByOutage(outage, clock.now());
        }
    }

    void receive(News received) {
        news.add(received);
    }

    /**
     * Returns a future that completes after the first step at which the time is reliable. While the store is
     * unavailable, the future completes after the next step.
     */
    CompletableFuture<Boolean> nextSoundStep() {
        CompletableFuture<Boolean> step = new CompletableFuture<>();
        soundSteps.add(step);
        return step;
    }

    /** Whether this process was stopped for so long that the leases of its permits might have ended. */
    boolean isOverdue() {
        return clock.nanos() - trustedUntilNanos > 0;
    }

    boolean isAsleep() {
        return asleep;
    }

    /** Describes this loop and some accounts in the next step, because only a step may read the ledger. */
    CompletableFuture<LimiterDiagnostics> diagnose(@Nullable Predicate<CounterKey> keys, int most) {
        CompletableFuture<LimiterDiagnostics> answer = new CompletableFuture<>();
        Runnable question =
                () -> answer.complete(new LimiterDiagnostics(described(), ledger.describe(keys, most, clock.now())));
        questions.add(question);
        var unused = answer.whenComplete((diagnosed, failure) -> questions.remove(question));
        return answer;
    }

    // ---- The first exchange

    /**
     * Waits for the store to report its time. This happens before the first step so that the first windows are aligned
     * to the store's time.
     */
    void synchroniseClock(long nanosAtMost) {
        long deadline = clock.nanos() + nanosAtMost;
        sender.send(List.of());
        while (!sender.canSend() && sender.failures() == 0 && clock.nanos() - deadline < 0) {
            replies.read(clock.nanos());
            waitWhileUnanswered();
        }
        if (!sender.canSend() || sender.failures() > 0) {
            replies.startsUnavailable(clock.nanos());
        }
        interruptAgain();
    }

    // ---- A step

    /** Does everything that is due. Returns the time of the next step, according to the monotonic clock. */
    long step() {
        asleep = false;
        blocked = false;
        long now = clock.nanos();
        if (isOverdue()) {
            ledger.endLeases(clock.moment(now));
        }
        do {
            rounds.look(now);
            replies.read(now);
            readNews(now);
            if (!ledger.requests.isEmpty()) {
                busyNanos = now;
                ledger.processRequests(clock.moment(now));
            }
            ledger.tick(clock.moment(now));
            endLongWaits(now);
        } while (sendDue(now));
        rounds.goOn(callsInLine.getAsInt() > 0 || (!sender.canSend() && store.outage() == null), now);
        plannedNanos = next(now);
        trustedUntilNanos = plannedNanos + LATE_STEP_INTERVALS * everyNanos;
        if (!clock.isDoubtful() || store.outage() != null) {
            for (CompletableFuture<Boolean> sound = soundSteps.poll(); sound != null; sound = soundSteps.poll()) {
                sound.complete(true);
            }
        }
        for (Runnable asked = questions.poll(); asked != null; asked = questions.poll()) {
            asked.run();
        }
        return plannedNanos;
    }

    private LimiterDiagnostics.Background described() {
        long now = clock.nanos();
        Batch batch = sender.unanswered();
        return new LimiterDiagnostics.Background(
                LimiterDiagnostics.Background.State.RUNNING,
                store.outage() != null,
                null, // the code that opened the store adds this
                sender.failures(),
                batch == null
                        ? null
                        : new InFlight(
                                batch.sequence(),
                                batch.statements().size(),
                                (now - sender.unresponsiveSinceNanos()) / 1_000_000),
                Math.max(0, plannedNanos - now) / 1_000_000,
                callsInLine.getAsInt(),
                ledger.sizes());
    }

    private void readNews(long now) {
        for (News received = news.poll(); received != null; received = news.poll()) {
            log.heard(received, ledger.receive(received, clock.moment(now)));
            if (received.kind() == News.Kind.RECALLED) {
                listener.onRecall(received.keys().size());
            }
        }
    }

    /** Sends the statements that are due. Returns whether there might be more to do immediately. */
    private boolean sendDue(long now) {
        sendAgain(now);
        if (!sender.canSend()) {
            return false;
        }
        boolean isEmptyBatchDue = now - sender.sentNanos() >= emptyBatchNanos() || clock.isDoubtful();
        if (nextStatementNanos(Long.MIN_VALUE) > now && !isEmptyBatchDue) {
            return false;
        }
        List<Statement> statements = ledger.batch.collect(clock.moment(now));
        if (statements.isEmpty() && !isEmptyBatchDue) {
            blocked = true;
            return false;
        }
        sender.send(statements);
        return true;
    }

    private void sendAgain(long now) {
        if (sender.sendAgain(now)) {
            ledger.batch.giveUp(clock.moment(now));
        }
    }

    /** Returns when the next statement after the given time is due; {@link Long#MAX_VALUE} if there is none. */
    private long nextStatementNanos(long after) {
        long patientNanos = ledger.nextPatientNanos(sender.sentNanos(), BATCH_PAUSE_NANOS);
        return Math.min(ledger.nextUrgentNanos(after), patientNanos > after ? patientNanos : Long.MAX_VALUE);
    }

    /**
     * Returns how long after a batch an empty batch is due. Empty batches reveal whether the store has lost data, and
     * inform the store that this instance is alive. While limits are in use, an empty batch is due every interval, but
     * at most once per second. In a very large fleet, empty batches are due half as often.
     */
    private long emptyBatchNanos() {
        long interval = Math.max(everyNanos, SHORTEST_EMPTY_BATCH_NANOS);
        return ledger.isAnyAccount()
                ? Math.min(
                        replies.instances() > LARGE_FLEET_FOR_BATCHES ? 2 * interval : interval,
                        LONGEST_EMPTY_BATCH_NANOS)
                : LONGEST_EMPTY_BATCH_NANOS;
    }

    /**
     * Ends waits that have lasted too long. If the store is unavailable, the {@code onFailure} policy applies to the
     * waiting calls. The policy also applies to a call that the store has not answered although it answers other calls.
     * If the instances that hold the needed permits are unresponsive, the call is refused. However, the call is not
     * refused while the store's answer is late, because news from those instances could not arrive either.
     */
    private void endLongWaits(long now) {
        if (callsInLine.getAsInt() == 0) {
            return;
        }
        long timeout = replies.options().timeout().toNanos();
        long unavailableAfter = sender.unavailableAfterNanos(timeout);
        boolean isUnanswered = !sender.canSend();
        if (store.outage() == null
                && isUnanswered
                && rounds.beforeForStore(unavailableAfter) - sender.unresponsiveSinceNanos() >= 0) {
            replies.delaysCalls(unavailableAfter, now);
        }
        boolean isStoreLate = isUnanswered && now - sender.lateFromNanos() > 0;
        ledger.endLongWaits(
                rounds.beforeForStore(UNANSWERED_TIMES * unavailableAfter),
                isStoreLate ? now - LONG_AGO_NANOS : rounds.beforeForOthers(timeout),
                replies.outageFromNowOn(),
                clock.moment(now));
    }

    private long next(long now) {
        long next = Math.min(Math.min(sender.nextAttemptNanos(), ledger.nextTickNanos()), rounds.nextNanos());
        next = Math.min(next, replies.nextNanos());
        if (sender.canSend()) {
            next = Math.min(next, sender.sentNanos() + emptyBatchNanos());
            next = Math.min(next, nextStatementNanos(blocked ? now : Long.MIN_VALUE));
        }
        boolean isBusy = now - busyNanos < 2 * everyNanos;
        if (isBusy) {
            return Math.min(next, now + LOOK_NANOS);
        }
        asleep = true; // from now on, requests wake the driver, but one might have arrived just before
        asleep = ledger.requests.isEmpty();
        return asleep ? next : now;
    }

    // ---- Error recovery and shutdown

    /** Abandons the current batch if an error left its answer unread. The accounts then report its uses again. */
    void recover() {
        if (sender.canSend()) {
            ledger.batch.giveUp(clock.now());
        }
    }

    /**
     * Returns the held permits and sends the final reports after the last step. From then on, calls are decided without
     * the store.
     */
    void end() {
        long deadline = clock.nanos() + LONGEST_END_NANOS;
        int mostFailures = Math.max(1, sender.failures()); // an unavailable store gets one more attempt
        recover();
        sender.sendAgainNow();
        boolean goesOn = true;
        while (goesOn && sender.failures() <= mostFailures && clock.nanos() - deadline < 0) {
            goesOn = finish(clock.nanos());
        }
        replies.beginOutage();
    }

    /** Runs one round of the shutdown. Returns whether there is more to do. */
    private boolean finish(long now) {
        replies.read(now);
        ledger.processRequests(clock.moment(now));
        sendAgain(now);
        if (!sender.canSend()) {
            waitWhileUnanswered();
            return true;
        }
        List<Statement> last = ledger.batch.collectLast(clock.moment(now));
        if (last.isEmpty() && hasLeft) {
            return false;
        }
        hasLeft = true;
        sender.sendLast(last);
        return true;
    }

    private void waitWhileUnanswered() {
        if (!sender.canSend()) {
            try {
                policy.await(new CompletableFuture<>(), ANSWER_LOOK_NANOS);
            } catch (InterruptedException e) {
                interrupted = true; // the status is restored after the store has received the report
            }
        }
    }

    /** Restores the thread's interrupt status if the thread was interrupted while it was waiting. */
    void interruptAgain() {
        if (interrupted) {
            interrupted = false;
            Thread.currentThread().interrupt();
        }
    }
}
