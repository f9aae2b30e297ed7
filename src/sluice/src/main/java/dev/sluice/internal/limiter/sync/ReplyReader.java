package dev.sluice.internal.limiter.sync;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.ALL_ALIVE_KNOWN_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LONGEST_CONFLICT_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.NOTICED_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.REPORTED_NANOS;

import dev.sluice.ExchangeReport;
import dev.sluice.RateLimitListener;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.ledger.BatchInFlight;
import dev.sluice.internal.limiter.ledger.Ledger;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.rule.StoreState;
import dev.sluice.internal.text.EnumWord;
import dev.sluice.limits.SharingOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes the store's answers and failures, and updates the ledger, the log, the listener and the {@link StoreState}.
 * Not thread-safe, except for the methods under "For any thread".
 */
final class ReplyReader {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.outage");

    private final StoreClock clock;
    private final Ledger ledger;
    private final BatchSender sender;
    private final Rounds rounds;
    private final RateLimitListener listener;
    private final OutageLog outageLog;
    private final ExchangeLog log;

    private final StoreState store;

    private volatile SharingOptions options;

    /** The time by which all other instances will have reported after an outage. */
    private long reportedNanos;

    private long heardNanos;
    /** The time when the ledger was last informed that the store is unavailable. */
    private long decidedMillis;

    /** The known number of live instances; {@code null} before the store has reported it. */
    private volatile @Nullable Fleet fleet;

    /** The time until which a decrease in the number of instances is ignored. */
    private long notFewerUntilNanos;

    ReplyReader(
            StoreClock clock,
            StoreState store,
            Ledger ledger,
            BatchSender sender,
            Rounds rounds,
            RateLimitListener listener,
            ExchangeLog log,
            SharingOptions options) {
        this.clock = clock;
        this.store = store;
        this.ledger = ledger;
        this.sender = sender;
        this.rounds = rounds;
        this.listener = listener;
        this.log = log;
        this.options = options;
        this.outageLog = new OutageLog(LOG, listener);
        this.notFewerUntilNanos = clock.nanos();
        this.heardNanos = notFewerUntilNanos;
    }

    // ---- For any thread

    /** Returns the outage to apply if the store becomes unavailable now. */
    Outage outageFromNowOn() {
        Outage begun = store.outage();
        return new Outage(
                options.onFailure(), knownFleet(), begun == null ? unansweredMillis() : begun.sinceMillis(), false);
    }

    /** Returns when the unanswered batch was made; the current time if there is none. */
    private long unansweredMillis() {
        long unansweredNanos = sender.canSend() ? 0 : clock.nanos() - sender.unresponsiveSinceNanos();
        return clock.millis() - unansweredNanos / 1_000_000;
    }

    SharingOptions options() {
        return options;
    }

    /** Applies new limits. Returns whether a different policy now applies to calls because the store is unavailable. */
    boolean follow(SharingOptions next) {
        options = next;
        return store.follow(next.onFailure(), knownFleet());
    }

    int instances() {
        return knownFleet().instances();
    }

    private Fleet knownFleet() {
        Fleet known = fleet;
        return known == null ? Fleet.assumed(options.instances()) : known;
    }

    // ---- For the synchroniser's thread

    /** Returns the options with the known number of instances. */
    private SharingOptions optionsNow() {
        SharingOptions now = options;
        return new SharingOptions(now.onFailure(), now.timeout(), knownFleet().instances());
    }

    void read(long now) {
        if (store.isBack() && now - reportedNanos >= 0) {
            store.othersHaveReported();
            log.storeIs("is available: all instances have reported the calls that they admitted without it");
            ledger.endOutage(clock.moment(now));
        }
        for (BatchSender.Answer answer = sender.nextAnswer(now); answer != null; answer = sender.nextAnswer(now)) {
            Batch.Reply reply = answer.reply();
            if (reply != null) {
                readReply(answer, reply, now);
            } else {
                failed(answer, now);
            }
        }
    }

    /**
     * Returns the time by which all other instances will have reported; {@link Long#MAX_VALUE} if no reports are
     * awaited.
     */
    long nextNanos() {
        return store.isBack() ? reportedNanos : Long.MAX_VALUE;
    }

    private void readReply(BatchSender.Answer answer, Batch.Reply reply, long now) {
        Batch batch = answer.batch();
        outageLog.ends(now);
        rounds.stalledByStore(sender.lateFromNanos(), answer.receivedNanos());
        Moment moment = clock.moment(now);
        if (store.answered()) {
            // The longer an outage lasts, the longer the other instances pause before they send a batch again.
            reportedNanos = now + Math.min(now - heardNanos, NOTICED_NANOS) + REPORTED_NANOS;
            log.storeIs(
                    store.isBack()
                            ? "answers again: this instance stays within its part of each limit until others report"
                            : "is available again");
            ledger.endOutage(moment);
            notFewerUntilNanos = fleet == null ? now : now + ALL_ALIVE_KNOWN_NANOS;
        }
        heardNanos = now;
        Fleet heard = reply.fleet();
        if (heard != null) {
            hears(heard, now);
        }
        if (!reply.losses().isEmpty()) {
            LOG.info("The store has lost counts. This instance reports its own counts again");
            // Losses have to be handled before the answer to this batch is booked, because the store has not lost this
            // batch.
            ledger.lost(reply.losses(), moment);
        }
        long sentMillis = moment.millis() - (now - sender.sentNanos()) / 1_000_000;
        List<BatchInFlight.Answered> accounts = ledger.batch.applyReply(batch, reply, sentMillis, moment);
        if (log.wantsExchanges()) {
            log.logReply(batch, accounts, took(answer));
        }
        long excess =
                accounts.stream().mapToLong(BatchInFlight.Answered::overLimit).sum();
        notifyListener(answer, reply, excess);
    }

    /**
     * Updates the fleet. After an outage, the store only gradually learns which instances are alive, so a decrease in
     * their number is ignored for a while.
     */
    private void hears(Fleet next, long now) {
        Fleet before = fleet;
        if (before == null || next.instances() >= before.instances() || now - notFewerUntilNanos >= 0) {
            fleet = next;
        }
    }

    private void notifyListener(BatchSender.Answer answer, Batch.Reply reply, long excess) {
        List<Statement> statements = answer.batch().statements();
        int awaited = 0;
        long granted = 0;
        for (int i = 0; i < statements.size(); i++) {
            awaited += statements.get(i).needed().all() > 0 ? 1 : 0;
            granted += reply.grants().get(i).granted();
        }
        listener.onExchange(new ExchangeReport(took(answer), statements.size(), awaited, granted, excess));
    }

    /** Returns the duration of the exchange. The result is correct because no other batch has been sent since then. */
    private Duration took(BatchSender.Answer answer) {
        return Duration.ofNanos(Math.max(0, answer.receivedNanos() - sender.sentNanos()));
    }

    private void failed(BatchSender.Answer answer, long now) {
        Throwable failure = answer.failure();
        String cause = String.valueOf(failure == null ? null : failure.getMessage());
        listener.onExchangeFailed(took(answer), answer.batch().statements().size(), cause);
        if (log.wantsExchanges()) {
            log.failed(answer.batch(), cause, !sender.canSend(), took(answer));
        }
        if (failure instanceof StoreException known && known.isForgotten()) {
            writeOff(answer.batch(), now);
            return; // the store is healthy
        }
        boolean isLong = now - sender.unresponsiveSinceNanos() >= LONGEST_CONFLICT_NANOS;
        if (answer.isConflict() && !isLong) {
            return; // the store is healthy, and the batch is sent again soon
        }
        outageLog.goesOn(cause, optionsNow(), now);
        if (sender.canSend()) {
            ledger.batch.giveUp(clock.moment(now));
        }
        if (answer.isConflict() || sender.failures() > 1) {
            beginOutage();
        }
    }

    /**
     * Drops the report in a batch, because there is no way to find out whether the store has already recorded it. The
     * report must not be recorded twice.
     */
    private void writeOff(Batch batch, long now) {
        Moment moment = clock.moment(now);
        long used = batch.statements().stream().mapToLong(Statement::used).sum();
        long minutes = (moment.millis() - batch.madeMillis()) / 60_000;
        LOG.warn(
                "A report of {} calls for {} counters reached the store again after {} minutes, and the store cannot"
                        + " tell whether it has already recorded them. The report is dropped so that no call is counted"
                        + " twice. If the calls were not recorded, their callers can use that part of their limits again",
                used,
                batch.statements().size(),
                minutes);
        ledger.batch.writeOff(batch.madeMillis(), moment);
    }

    /** Begins an outage because the store was unresponsive for the given time while calls were waiting. */
    void delaysCalls(long unresponsiveNanos, long now) {
        outageLog.delaysCalls(unresponsiveNanos, optionsNow(), now);
        beginOutage();
    }

    void startsUnavailable(long now) {
        outageLog.startsUnavailable(optionsNow(), now);
    }

    /** Begins an outage. The {@code onFailure} policy applies until the store answers. */
    void beginOutage() {
        Moment now = clock.now();
        Outage outage = outageFromNowOn();
        boolean isLongNow = outage.isLong(now.millis()) && !outage.isLong(decidedMillis);
        boolean begins = store.begin(outage);
        if (begins) {
            log.storeIs("is unavailable: the onFailure policy applies (" + EnumWord.of(outage.policy()) + ")");
        }
        if (begins || isLongNow) {
            decidedMillis = now.millis();
            ledger.decideByOutage(outage, now);
        }
        outageLog.writesOff(ledger.dropEvicted(now));
    }
}
