package dev.sluice.internal.limiter.ledger;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.rule.StoreState;
import dev.sluice.internal.limiter.shared.DormantPool;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.limits.LimiterDiagnostics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of all shared pools. Opens accounts when calls request it, tells each account what happens to it,
 * collects the statements of the next batch, and takes the answers. Not thread-safe: only the synchroniser's thread
 * uses it. But any thread may add {@link #requests}.
 */
public final class Ledger {

    /** The most requests processed at a time, so that this ends however fast calls add more. */
    private static final int MOST_REQUESTS = 20_000;

    /** The most counters that become dormant at a time. */
    private static final int MOST_DORMANT_A_STEP = 1_000;

    /** The checks that calls have requested. */
    public final CheckRequests requests;

    private final int maximumCounters;
    private final Entries entries = new Entries();
    private final DueQueue queue = new DueQueue();
    private final LossRecovery recovery = new LossRecovery();
    /** The batch that is collected or in flight. */
    public final BatchInFlight batch = new BatchInFlight(entries, queue, recovery);

    private final StoreState store;

    /** When to make more counters dormant; {@link Long#MAX_VALUE} if that can wait for the next tick. */
    private long dormancyGoesOnNanos = Long.MAX_VALUE;

    /**
     * While the store is unavailable, as many evicted counters with unreported use are kept as there may be in memory.
     */
    public Ledger(int maximumCounters, StoreState store) {
        this.store = store;
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

    /** Describes these accounts for operators; without keys those in flight, followed by those that are due first. */
    public List<LimiterDiagnostics.Account> describe(@Nullable Predicate<CounterKey> keys, int most, Moment now) {
        Stream<Entry> asked = keys == null
                ? Stream.of(batch.entries().stream(), queue.all(true), queue.all(false))
                        .flatMap(due -> due)
                : entries.all().stream().filter(entry -> keys.test(entry.key()));
        return asked.limit(most).map(entry -> entry.described(now)).toList();
    }

    private void activate(Entry entry, Moment now) {
        entry.activate(now);
        queue.update(entry, now);
    }

    // ---- Requested checks

    public void processRequests(Moment now) {
        for (int read = 0; read < MOST_REQUESTS; read++) {
            SharedPool pool = requests.nextOpened();
            if (pool == null) {
                break;
            }
            if (pool.attachment instanceof Entry entry) {
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
        if (pool.attachment instanceof Entry known) {
            return known;
        }
        entries.opensAgain(pool);
        Entry entry = new Entry(pool, entries.terms(pool), now);
        pool.attachment = entry;
        if (store.outage() == null) {
            entry.decidesBy(store.latest(), now); // the pool may have been opened while the store was unavailable
        }
        Entry before = entries.add(entry);
        Statement orphan = recovery.removeOrphan(entry.key(), now.millis());
        if (orphan != null) {
            entry.apply(account -> account.lost(orphan, now.millis(), now));
        }
        if (before != null) {
            succeed(before, entry, now);
        }
        return entry;
    }

    /** A counter was evicted, or replaced by one with another limit. Both have the same key in the store. */
    private void succeed(Entry before, Entry entry, Moment now) {
        before.pool.permits.close();
        Outage outage = store.latest();
        if (outage != null) {
            entry.continues(before, outage, now);
        }
        if (entry.takeOverSlots(before)) {
            entries.close(before);
            queue.update(before, now);
        } else {
            entries.addClosing(before);
            before.apply(account -> account.owes(Why.CLOSING, now));
            activate(before, now); // the new account waits for the old one's last statement
        }
    }

    private void check(Entry entry, Moment now) {
        SharedPool present = entry.pool.presentFrame(now.millis());
        if (present != null && present.returning) {
            returnsTo(present, now);
        }
        if (entry.isClosed()) {
            entry.pool.line().moveOn();
            Entry successor = entry.successor();
            if (successor != null) {
                check(successor, now); // a call has ended, and the successor reports its slot
            } else if (handOver(entry, now)) {
                return;
            } else if (entry.reopen(now)) {
                entries.addAgain(entry);
                entry.apply(account -> account.owes(Why.REFUND, now));
                activate(entry, now);
                if (present != null) {
                    returnsTo(present, now);
                }
            }
            return;
        }
        entry.activate(now);
        Outage outage = store.outage();
        if (outage != null && !entry.pool.permits.isClosed()) {
            entry.decidesBy(outage, now); // permits may have come back with time
            entry.serveOrRefuse(now);
        } else {
            if (entry.pool.permits.isClosed()) {
                entries.addClosing(entry);
                entry.pool.line().moveOn();
            }
            entry.called(now);
        }
        queue.update(entry, now); // before pending calls make an attempt, which may throw
        entry.serve(now);
    }

    /**
     * If the counter has another entry by now, that one reports what came back late: a statement of the closed entry
     * would say that this instance holds nothing, and the store would grant to others what the other entry holds.
     */
    private boolean handOver(Entry closed, Moment now) {
        Entry latest = entries.latest(closed.key());
        if (latest == null || latest.equals(closed) || latest.isClosed()) {
            return false;
        }
        Statement late = closed.takeLateReport(now);
        if (late != null) {
            latest.apply(account -> account.lost(late, now.millis(), now).owes(Why.REFUND, now));
            latest.freed(now);
            activate(latest, now);
        }
        return true;
    }

    /**
     * An earlier frame returns something: its permits are recalled, or a call has ended that does not count after all.
     * The present frame gets it. Both frames send a statement, so that the store tells other instances.
     */
    private void returnsTo(SharedPool present, Moment now) {
        Entry later = open(present, now);
        later.takeNoteOfReturn(now);
        later.apply(account -> account.earlierFrameReturns(now));
        activate(later, now);
    }

    // ---- Time passes

    /** Checks the accounts whose tick has come. Counters that nobody has called for a lease become dormant. */
    public void tick(Moment now) {
        List<Entry> longIdle = store.latest() == null ? queue.takeLongIdle(MOST_DORMANT_A_STEP, now) : List.of();
        long done = longIdle.stream().filter(entry -> makeDormant(entry, now)).count();
        dormancyGoesOnNanos = done < MOST_DORMANT_A_STEP ? Long.MAX_VALUE : now.nanos();
        queue.tick(now, (entry, intervalEnds) -> {
            if (entry.isClosed()) {
                return;
            }
            entry.ticked(intervalEnds, now);
            if (entry.pool.permits.isClosed()) {
                entries.addClosing(entry);
            }
            if (!entries.closeIfDone(entry, now)) {
                entry.idleIfQuiet(now);
            }
            Outage outage = store.outage();
            if (outage != null && entry.isActive()) {
                entry.decidesBy(outage, now); // now including what was used since the last tick
            }
            queue.update(entry, now);
        });
    }

    private boolean makeDormant(Entry entry, Moment now) {
        DormantPool kept = entry.makeDormant(now);
        if (kept == null) {
            queue.staysIdle(entry, now);
            return false;
        }
        entries.addDormant(kept);
        if (!entries.closeIfDone(entry, now)) { // a call has just come
            entries.addClosing(entry);
            entry.apply(account -> account.owes(Why.CLOSING, now));
            entry.activate(now);
        }
        queue.update(entry, now);
        return true;
    }

    /** This process stood still for so long that leases may have ended meanwhile. */
    public void endLeases(Moment now) {
        for (Entry entry : entries.all()) {
            if (!entry.isClosed() && entry.endLease(now)) {
                activate(entry, now);
            }
        }
    }

    public long nextTickNanos() {
        return Math.min(queue.nextTickNanos(), dormancyGoesOnNanos);
    }

    /** When an account may next ask for waiting calls, after this time; {@link Long#MAX_VALUE} if none waits. */
    public long nextUrgentNanos(long after) {
        return queue.nextUrgentNanos(after);
    }

    /**
     * When a batch without urgent statements can be sent: after a pause, so that shares that run low meanwhile are
     * refilled together. {@link Long#MAX_VALUE} if there is nothing to send.
     */
    public long nextPatientNanos(long sentNanos, long pauseNanos) {
        return queue.size(false) == 0 && !recovery.isAnyOrphan() ? Long.MAX_VALUE : sentNanos + pauseNanos;
    }

    /** The store has lost what was reported before. */
    public void lost(List<Loss> losses, Moment now) {
        recovery.lost(losses, entries, now, (entry, statement, sentMillis) -> {
            entry.apply(account -> account.lost(statement, sentMillis, now));
            activate(entry, now);
        });
    }

    // ---- News, waits and outages

    public void receive(News news, Moment now) {
        for (String key : news.keys()) {
            Entry entry = entries.named(key);
            if (entry != null && entry.account().needsNews()) {
                receive(entry, news.kind(), now);
            }
        }
    }

    private void receive(Entry entry, News.Kind kind, Moment now) {
        switch (kind) {
            case RECALLED -> {
                entry.apply(account -> account.recalled(now));
                SharedPool present = entry.pool.presentFrame(now.millis());
                if (present != null && entry.account().waiting().isRecalled()) {
                    returnsTo(present, now);
                }
            }
            case FREED -> entry.freed(now);
        }
        queue.update(entry, now);
    }

    /**
     * Ends waits that began by these times. If other instances hold what is needed, the calls are refused, as the store
     * would answer. If the store has not answered, {@code onFailure} decides.
     */
    public void endLongWaits(long unansweredNanos, long recalledNanos, Outage outage, Moment now) {
        List<Entry> waiting = new ArrayList<>(queue.all(true).toList());
        waiting.addAll(batch.entries());
        for (Entry entry : waiting) {
            entry.endLongWaits(unansweredNanos, recalledNanos, outage, now);
            queue.update(entry, now);
        }
    }

    /** The store is unavailable, or another policy decides: until it answers, each pool may use what that allows. */
    public void decideByOutage(Outage outage, Moment now) {
        for (Entry entry : entries.all()) {
            if (!entry.isClosed()) {
                entry.decidesBy(outage, now);
                entry.serveOrRefuse(now);
                queue.update(entry, now);
            }
        }
    }

    /**
     * The store is still unavailable. Returns how many accounts with unreported use were dropped, because more counters
     * were evicted than can be kept.
     */
    public int dropEvicted(Moment now) {
        List<Entry> gone = new ArrayList<>();
        for (Entry entry : entries.all()) {
            if (entries.closeIfDone(entry, now)) {
                queue.update(entry, now);
            } else if (entry.pool.permits.isClosed() && entry.pool.isDecided()) {
                gone.add(entry);
            }
        }
        int writtenOff = entries.writeOff(gone, maximumCounters);
        gone.forEach(entry -> queue.update(entry, now));
        return writtenOff;
    }

    /** The store answers again: all accounts report. Until other instances have reported, its state still decides. */
    public void endOutage(Moment now) {
        Outage over = store.latest();
        for (Entry entry : entries.all()) {
            entry.decidesBy(over, now);
            if (entry.isActive() || !entry.isQuiet(now)) { // idle accounts too: calls requested no checks meanwhile
                entry.apply(account -> account.owes(Why.STORE_BACK, now));
                activate(entry, now);
            }
        }
    }
}
