package dev.sluice.limiter.exchange;

import dev.sluice.RateLimitListener;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.limiter.ledger.Ledger;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges with the store what is due. It has no clock and no thread: a driver calls {@link #step}, on one thread at a
 * time, at the time that the last step returned, and earlier if something is urgent.
 *
 * <p>An exchange is due when a quarter of an interval ends, for counters that were called, whose share will not last,
 * or that are quiet; soon when a share runs low; at once when a call waits or permits are recalled. All that is due
 * goes in one batch. {@link Ledger} knows what is due; {@link BatchSender} makes sure that each batch counts once.
 */
final class ExchangeLoop {

    private static final Logger LOG = LoggerFactory.getLogger(ExchangeLoop.class);

    /** Batches for which no call waits are so far apart: shares that run low meanwhile are filled up together. */
    private static final long PAUSE_NANOS = 50_000_000;

    /** While calls come, their requests are read as often, and it is judged whether calls have waited too long. */
    private static final long LOOK_NANOS = 25_000_000;

    private static final long SHORTEST_HEARTBEAT_NANOS = 1_000_000_000;
    private static final long LONGEST_HEARTBEAT_NANOS = 10_000_000_000L;
    /** If this thread itself was late, the store gets this much longer to answer. */
    private static final long LATE_NANOS = 5_000_000;

    private final StoreClock clock;
    private final StoreWaits waits;
    private final Ledger ledger;
    private final BatchSender sender;
    private final RateLimitListener listener;
    private final ReplyReader replies;
    /** The exchanges before the first step and after the last. */
    final FirstAndLastExchange firstAndLast;

    private final Queue<News> news = new ConcurrentLinkedQueue<>();

    private volatile SharingOptions options;
    private volatile long everyNanos;
    /** No check was requested for some time, so the next one must wake the driver. */
    private volatile boolean asleep;

    /** What is due waits for something else, such as the end of a call, which a tick or a requested check reports. */
    private boolean blocked;

    private long busyNanos;
    private long plannedNanos;

    ExchangeLoop(
            StoreClock clock,
            ThreadWait waiting,
            StoreWaits waits,
            Ledger ledger,
            BatchSender sender,
            Limits limits,
            RateLimitListener listener) {
        this.clock = clock;
        this.waits = waits;
        this.ledger = ledger;
        this.sender = sender;
        this.listener = listener;
        this.replies = new ReplyReader(LOG, clock, ledger, sender, listener, this::options);
        this.firstAndLast = new FirstAndLastExchange(clock, waiting, ledger, sender, replies);
        this.options = limits.sharing();
        this.everyNanos = limits.shortestInterval().toNanos();
        this.busyNanos = clock.nanos() - 2 * everyNanos;
        this.plannedNanos = clock.nanos();
    }

    /** Switches to other limits. Any thread. */
    void follow(Limits limits) {
        options = limits.sharing();
        everyNanos = limits.shortestInterval().toNanos();
    }

    /** The options in force. Any thread. */
    SharingOptions options() {
        return options;
    }

    /** Queues news of other instances for the next step. Any thread. */
    void receive(News received) {
        news.add(received);
    }

    /** Whether the store does not answer. Any thread. */
    boolean isStoreAway() {
        return replies.isStoreAway();
    }

    /** Whether a requested check has to wake the driver. Any thread. */
    boolean isAsleep() {
        return asleep;
    }

    /** Does all that is due; returns when the next step is due at the latest, by the monotonic clock. */
    public long step() {
        asleep = false;
        blocked = false;
        long now = clock.nanos();
        do {
            replies.read(now);
            for (News received = news.poll(); received != null; received = news.poll()) {
                ledger.receive(received, clock.moment(now));
                notifyListener(received);
            }
            processRequests(now);
            ledger.tick(clock.moment(now));
            endLongWaits(now);
        } while (sendDue(now));
        plannedNanos = next(now);
        return plannedNanos;
    }

    private void notifyListener(News received) {
        if (received.kind() == News.Kind.RECALLED) {
            listener.onRecall(received.keys().size());
        }
    }

    private void processRequests(long now) {
        if (!ledger.requests.isEmpty()) {
            busyNanos = now;
            ledger.processRequests(clock.moment(now));
        }
    }

    /** Sends what is due, if anything; returns whether there may be more to do at once. */
    private boolean sendDue(long now) {
        sendAgain(now);
        if (!sender.canSend()) {
            return false;
        }
        boolean isHeartbeatDue = now - sender.sentNanos() >= heartbeatNanos();
        if (nextClaimNanos(Long.MIN_VALUE) > now && !isHeartbeatDue) {
            return false;
        }
        List<Claim> claims = ledger.collect(clock.moment(now));
        if (claims.isEmpty() && !isHeartbeatDue) {
            blocked = true;
            return false;
        }
        sender.send(claims);
        return true;
    }

    private void sendAgain(long now) {
        if (sender.sendAgain(now)) {
            ledger.giveUpClaims(clock.moment(now));
        }
    }

    /** When the next claim is due, if that is after this time; {@link Long#MAX_VALUE} if none is. */
    private long nextClaimNanos(long after) {
        long patientNanos = ledger.nextPatientNanos(sender.sentNanos(), PAUSE_NANOS);
        return Math.min(ledger.nextUrgentNanos(after), patientNanos > after ? patientNanos : Long.MAX_VALUE);
    }

    /**
     * How long after a batch an empty one is sent, to learn whether the store lost data: each interval while limits are
     * in use, but at most once a second.
     */
    private long heartbeatNanos() {
        return ledger.isAnyAccount() ? Math.max(everyNanos, SHORTEST_HEARTBEAT_NANOS) : LONGEST_HEARTBEAT_NANOS;
    }

    /**
     * Ends waits that reached the timeout, counted from when the store stopped answering; then {@code onFailure}
     * decides.
     */
    private void endLongWaits(long now) {
        if (!waits.isAny()) {
            return;
        }
        long lateNanos = Math.max(0, now - plannedNanos - LATE_NANOS);
        long timeout = options.timeout().toNanos() + Math.min(lateNanos, LATE_NANOS);
        if (!replies.isStoreAway() && sender.silenceNanos(now) >= timeout) {
            replies.delaysCalls(now);
        }
        ledger.endLongWaits(now - options.timeout().toNanos(), options.onFailure(), clock.moment(now));
        waits.checked(now);
    }

    /** When there is something to do next. */
    private long next(long now) {
        long next = Math.min(sender.nextAttemptNanos(), ledger.nextTickNanos());
        if (sender.canSend()) {
            next = Math.min(next, sender.sentNanos() + heartbeatNanos());
            next = Math.min(next, nextClaimNanos(blocked ? now : Long.MIN_VALUE));
        }
        if (waits.isAny()) {
            long silentFrom = sender.canSend() ? now : sender.silentSinceNanos();
            next = Math.min(
                    next,
                    Math.max(now + 1_000_000, silentFrom + options.timeout().toNanos()));
        }
        boolean isBusy = now - busyNanos < 2 * everyNanos;
        if (isBusy) {
            return Math.min(next, now + LOOK_NANOS);
        }
        asleep = true;
        if (!ledger.requests.isEmpty()) {
            asleep = false;
            return now;
        }
        return next;
    }
}
