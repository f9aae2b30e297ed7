package dev.sluice.internal.limiter.ledger;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.internal.limiter.account.Event;
import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.account.Outstanding;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.rule.StoreState;
import dev.sluice.internal.limiter.shared.DormantWindow;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.limits.LimiterDiagnostics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The accounts of all shared pools. The ledger opens accounts when calls request checks, passes events to each account,
 * collects the statements of the next batch, and applies the answers. Not thread-safe: only the synchroniser's thread
 * uses it. However, any thread may add {@link #requests}.
 */
public final class Ledger {

    /**
     * The maximum number of requests processed at a time. Without this limit, processing might never end, because calls
     * can add requests faster than the ledger processes them.
     */
    private static final int MOST_REQUESTS = 20_000;

    /** The maximum number of counters that become dormant at a time. */
    private static final int MOST_DORMANT_A_STEP = 1_000;

    /** The checks that calls have requested. */
    public final CheckRequests requests;

    private final int maximumCounters;
    private final DueQueue queue = new DueQueue();
    private final Dispatcher dispatcher;
    private final Entries entries;
    private final LossRecovery recovery = new LossRecovery();
    /** The batch that is being collected or is in flight. */
    public final BatchInFlight batch;

    private final StoreState store;

    /** The time at which to make more counters dormant; {@link Long#MAX_VALUE} if that can wait for the next tick. */
    private long dormancyGoesOnNanos = Long.MAX_VALUE;

    /**
     * Creates an empty ledger. While the store is unavailable, the ledger retains evicted counters that have unreported
     * use, up to the maximum number of counters in memory.
     *
     * @param log the logger that records stage changes of accounts at DEBUG
     */
    public Ledger(int maximumCounters, StoreState store, Logger log) {
        this.store = store;
        this.dispatcher = new Dispatcher(queue, log);
        this.entries = new Entries(dispatcher);
        this.batch = new BatchInFlight(entries, queue, recovery, dispatcher);
        this.requests = new CheckRequests(2 * maximumCounters);
        this.maximumCounters = maximumCounters;
    }

    public boolean isAnyAccount() {
        return !entries.isEmpty();
    }

    public LimiterDiagnostics.Accounts sizes() {
        return new LimiterDiagnostics.Accounts(
                entries.all().size(), batch.entries().size(), queue.size(true), queue.size(false));
    }

    /**
     * Describes the accounts with matching keys for operators. If {@code keys} is null, describes the accounts in the
     * current batch, followed by those whose statements are due first.
     */
    public List<LimiterDiagnostics.Account> describe(@Nullable Predicate<CounterKey> keys, int most, Moment now) {
        Stream<Entry> asked = keys == null
                ? Stream.of(batch.entries().stream(), queue.all(true), queue.all(false))
                        .flatMap(due -> due)
                : entries.all().stream().filter(entry -> keys.test(entry.key()));
        return asked.limit(most).map(entry -> entry.described(now)).toList();
    }

    // ---- Requested checks

    public void processRequests(Moment now) {
        for (int read = 0; read < MOST_REQUESTS; read++) {
            SharedPool pool = requests.nextOpened();
            if (pool == null) {
                break;
            }
            if (pool.attachment() instanceof Entry entry) {
                check(entry, now);
            }
        }
        for (int read = 0; read < MOST_REQUESTS && entries.newcomers() < 2 * maximumCounters; read++) {
            SharedPool pool = requests.nextNewcomer();
            if (pool == null) {
                break;
            }
            check(open(pool, now), now);
        }
    }

    private Entry open(SharedPool pool, Moment now) {
        if (pool.attachment() instanceof Entry known) {
            return known;
        }
        entries.opensAgain(pool);
        Entry entry = new Entry(pool, entries.terms(pool), now);
        pool.attach(entry);
        if (store.outage() == null) {
            // the pool might have been opened while the store was unavailable
            dispatcher.decideBy(store.latest(), entry, false, now);
        }
        Entry before = entries.add(entry);
        Statement orphan = recovery.removeOrphan(entry.key(), now.millis());
        if (orphan != null) {
            dispatcher.on(entry, new Event.Lose(orphan, now.millis()), now);
        }
        if (before != null) {
            succeed(before, entry, now);
        }
        return entry;
    }

    /**
     * Handles a counter that was evicted and opened again, or replaced by a counter with a different limit. The old and
     * the new entry have the same key in the store.
     */
    private void succeed(Entry before, Entry entry, Moment now) {
        before.pool.permits.close();
        Outage outage = store.latest();
        if (outage != null) {
            dispatcher.continueFrom(before, entry, outage, now);
        }
        if (entry.terms().isConcurrency()) {
            entry.replaces(before);
            dispatcher.on(entry, new Event.TakeOver(before.account()), now);
            entries.close(before, now);
        } else {
            entries.addClosing(before);
            dispatcher.on(before, new Event.ClosePool(), now); // the new account waits for the old one's last report
        }
    }

    private void check(Entry entry, Moment now) {
        SharedPool present = entry.pool.presentFrame(now.millis());
        if (present != null && present.isReturning()) {
            returnTo(present, now);
        }
        if (entry.isClosed()) {
            checkClosed(entry, present, now);
            return;
        }
        Outage outage = store.outage();
        if (outage != null && !entry.pool.permits.isClosed()) {
            dispatcher.decideBy(outage, entry, true, now); // over time, permits might have become available
        } else {
            if (entry.pool.permits.isClosed()) {
                entries.addClosing(entry);
                entry.pool.line().moveOn();
            }
            dispatcher.check(entry, now);
        }
    }

    private void checkClosed(Entry entry, @Nullable SharedPool present, Moment now) {
        entry.pool.line().moveOn();
        Entry successor = entry.successor();
        if (successor != null) {
            check(successor, now); // a call has ended, and the successor reports its slot
            return;
        }
        Entry latest = entries.latest(entry.key());
        if (latest != null && !latest.equals(entry) && !latest.isClosed()) {
            handOver(entry, latest, now);
            return;
        }
        dispatcher.on(entry, new Event.Reopen(), now);
        if (!entry.isClosed()) {
            entries.addAgain(entry);
            if (present != null) {
                returnTo(present, now);
            }
        }
    }

    /**
     * Hands over permits that a call has belatedly returned to a closed entry. The counter already has a newer entry,
     * and that entry reports the permits. If the closed entry sent a statement, it would inform the store that this
     * instance holds no permits. The store would then grant the permits of the newer entry to other instances.
     */
    private void handOver(Entry closed, Entry latest, Moment now) {
        if (closed.account().isWorthReopening(closed.totals(now), now)) {
            dispatcher.on(closed, new Event.State(Need.NONE, closed.pool.drainTimes(), false), now);
            Outstanding made = closed.account().outstanding();
            if (made != null) {
                dispatcher.on(closed, new Event.HandOver(), now);
                Statement late = made.statement();
                dispatcher.on(latest, new Event.Inherit(late.reportOnly(late.uses())), now);
            }
        }
    }

    /**
     * Handles the return of permits by an earlier frame. The permits were recalled, or a call that has ended is not
     * counted after all. The permits become available in the current frame. Both frames send a statement so that the
     * store informs other instances.
     */
    private void returnTo(SharedPool present, Moment now) {
        Entry later = open(present, now);
        dispatcher.noteReturn(later, now);
        dispatcher.on(later, new Event.HearOfEarlierFrame(), now);
    }

    // ---- Time passes

    /**
     * Checks the accounts that are due for a tick. Counters that have received no calls for the length of a lease
     * become dormant.
     */
    public void tick(Moment now) {
        List<Entry> longIdle = store.latest() == null ? queue.takeLongIdle(MOST_DORMANT_A_STEP, now) : List.of();
        long done = longIdle.stream().filter(entry -> makeDormant(entry, now)).count();
        dormancyGoesOnNanos = done < MOST_DORMANT_A_STEP ? Long.MAX_VALUE : now.nanos();
        queue.tick(now, (entry, intervalEnds) -> {
            if (entry.isClosed()) {
                return;
            }
            dispatcher.tick(entry, intervalEnds, now);
            if (entry.pool.permits.isClosed()) {
                entries.addClosing(entry);
            }
            Outage outage = store.outage();
            if (!entries.closeIfDone(entry, now) && outage != null && entry.isActive()) {
                dispatcher.decideBy(outage, entry, false, now); // the account now includes the use since the last tick
            }
        });
    }

    private boolean makeDormant(Entry entry, Moment now) {
        DormantWindow kept = entry.makeDormant(now);
        if (kept == null) {
            queue.staysIdle(entry, now);
            return false;
        }
        entries.addDormant(kept);
        if (!entries.closeIfDone(entry, now)) { // a call has just arrived
            entries.addClosing(entry);
            dispatcher.on(entry, new Event.ClosePool(), now);
        }
        return true;
    }

    /** Handles the case in which the process was stopped for so long that leases might have ended. */
    public void endLeases(Moment now) {
        for (Entry entry : entries.all()) {
            if (!entry.isClosed()) {
                dispatcher.on(entry, new Event.Thaw(), now);
            }
        }
    }

    public long nextTickNanos() {
        return Math.min(queue.nextTickNanos(), dormancyGoesOnNanos);
    }

    /** Returns when the next urgent statement after the given time is due; {@link Long#MAX_VALUE} if there is none. */
    public long nextUrgentNanos(long after) {
        return queue.nextUrgentNanos(after);
    }

    /**
     * Returns when a batch without urgent statements can be sent; {@link Long#MAX_VALUE} if there is nothing to send.
     * The batch is sent after a pause so that shares that run low in the meantime are refilled together.
     */
    public long nextPatientNanos(long sentNanos, long pauseNanos) {
        return queue.size(false) == 0 && !recovery.isAnyOrphan() ? Long.MAX_VALUE : sentNanos + pauseNanos;
    }

    /** Handles earlier reports that the store has lost. */
    public void lost(List<Loss> losses, Moment now) {
        recovery.lost(
                losses,
                entries,
                now,
                (entry, statement, sentMillis) -> dispatcher.on(entry, new Event.Lose(statement, sentMillis), now));
    }

    // ---- News, waits and outages

    /** Processes news, and returns how many accounts are affected. */
    public int receive(News news, Moment now) {
        int concerned = 0;
        for (String key : news.keys()) {
            Entry entry = entries.named(key);
            if (entry != null && entry.account().needsNews()) {
                receive(entry, news.kind(), now);
                concerned++;
            }
        }
        return concerned;
    }

    private void receive(Entry entry, News.Kind kind, Moment now) {
        switch (kind) {
            case RECALLED -> {
                dispatcher.on(entry, new Event.HearRecall(), now);
                SharedPool present = entry.pool.presentFrame(now.millis());
                if (present != null && entry.account().waiting().isRecalled()) {
                    returnTo(present, now);
                }
            }
            case FREED -> dispatcher.on(entry, new Event.HearFreed(), now);
            case GIVEN -> dispatcher.on(entry, new Event.HearGiven(), now);
        }
    }

    /**
     * Ends the waits that began at or before the given times. If other instances hold the needed permits, the calls are
     * refused, just as the store itself would refuse them. If the store has not answered, the {@code onFailure} policy
     * applies.
     */
    public void endLongWaits(long unansweredNanos, long othersHoldNanos, Outage outage, Moment now) {
        List<Entry> waiting = new ArrayList<>(queue.all(true).toList());
        waiting.addAll(batch.entries());
        for (Entry entry : waiting) {
            dispatcher.endWaits(entry, unansweredNanos, othersHoldNanos, outage, now);
        }
    }

    /**
     * Applies an outage or a changed policy to all accounts. Until the store answers, calls may use the permits that
     * the policy allows.
     */
    public void decideByOutage(Outage outage, Moment now) {
        for (Entry entry : entries.all()) {
            if (!entry.isClosed()) {
                dispatcher.decideBy(outage, entry, false, now);
            }
        }
    }

    /**
     * Drops evicted counters if there are more than can be retained while the store is unavailable. Returns how many
     * accounts with unreported use were dropped.
     */
    public int dropEvicted(Moment now) {
        List<Entry> gone = new ArrayList<>();
        for (Entry entry : entries.all()) {
            if (!entries.closeIfDone(entry, now) && entry.pool.permits.isClosed() && entry.pool.isDecided()) {
                gone.add(entry);
            }
        }
        return entries.writeOff(gone, maximumCounters, now);
    }

    /**
     * Makes all accounts report, because the store is answering again. Until the other instances have reported, the
     * state of the store still determines how calls are decided.
     */
    public void endOutage(Moment now) {
        Outage over = store.latest();
        for (Entry entry : entries.all()) {
            dispatcher.decideBy(over, entry, false, now);
            dispatcher.on(entry, new Event.ReportToStore(), now);
        }
    }
}
