package dev.sluice.limiter.ledger;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.limiter.account.Moment;
import dev.sluice.limiter.account.Outstanding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The statements of one batch, from when they are collected until they are answered or given up. There is one batch at a time.
 * Not thread-safe.
 */
public final class BatchUnderWay {

    /** The most statements of a batch: a flood of new callers must not delay others for as long as a timeout. */
    static final int LARGEST = 1_000;

    /** The most of these for accounts that the store knows; the rest is for newcomers. */
    private static final int MOST_KNOWN = LARGEST * 9 / 10;

    /** With more active accounts than this, an exchange does not look for those that run low soon. */
    private static final int MOST_LOOKED_AT = 1_000;

    private static final Comparator<Statement> EARLIER_WINDOWS_FIRST =
            Comparator.comparingLong(statement -> statement.key().start());

    private final Entries entries;
    private final DueQueue queue;
    private final LossRecovery recovery;
    private final Map<CounterKey, Entry> stated = new HashMap<>();
    private long overLimit;

    BatchUnderWay(Entries entries, DueQueue queue, LossRecovery recovery) {
        this.entries = entries;
        this.queue = queue;
        this.recovery = recovery;
    }

    /** The entries whose statements are under way. */
    Collection<Entry> entries() {
        return stated.values();
    }

    /**
     * Collects the statements of the next batch: first for waiting calls, then for others, those that the store knows before
     * newcomers, for whom some room is kept. They are sorted by window, since a frame may return what the next one needs.
     */
    public List<Statement> collect(Moment now) {
        stated.clear();
        List<Statement> statements = recovery.takeOrphans(LARGEST);
        for (Entry entry : queue.activeIfFew(MOST_LOOKED_AT)) {
            if (entry.exchanging(now)) {
                queue.place(entry, now);
            }
        }
        Predicate<Entry> ready = this::canBeStated;
        queue.visitUrgent(true, now, ready, MOST_KNOWN - statements.size(), entry -> statement(entry, statements, now));
        queue.visitPatient(true, ready, MOST_KNOWN - statements.size(), entry -> statement(entry, statements, now));
        queue.visitUrgent(false, now, ready, LARGEST - statements.size(), entry -> statement(entry, statements, now));
        queue.visitPatient(false, ready, LARGEST - statements.size(), entry -> statement(entry, statements, now));
        queue.visitUrgent(true, now, ready, LARGEST - statements.size(), entry -> statement(entry, statements, now));
        statements.sort(EARLIER_WINDOWS_FIRST);
        return statements;
    }

    /** Collects final statements, as many as fit into one batch; none once everything is reported and returned. */
    public List<Statement> collectLast(Moment now) {
        stated.clear();
        List<Statement> statements = new ArrayList<>();
        for (Entry entry : List.copyOf(entries.all())) {
            if (statements.size() >= LARGEST) {
                break;
            }
            entry.pool.permits.close();
            if (canBeStated(entry) && entry.hasFinalStatement()) {
                statement(entry, statements, now);
            }
        }
        return statements;
    }

    /**
     * Whether no earlier account with the same key has something to report, and no call of a closed pool is undecided.
     */
    private boolean canBeStated(Entry entry) {
        return entries.isNext(entry)
                && !entry.account().isAsking()
                && !stated.containsKey(entry.key)
                && entry.isDecided();
    }

    private void statement(Entry entry, List<Statement> statements, Moment now) {
        if (!canBeStated(entry)) {
            return; // another account of its key is in this batch
        }
        Outstanding made = entry.statement(now);
        if (made == null) {
            entries.closeIfDone(entry, now);
        } else {
            statements.add(made.statement());
            stated.put(entry.key, entry);
        }
        queue.place(entry, now);
    }

    /**
     * The store's answer to the statement of one account.
     *
     * @param left what is left of the limit then
     */
    public record Answered(CounterKey key, Outstanding made, Grant grant, long left) {}

    /** What a reply says of each account in the batch, before it is {@link #answered}. Changes nothing. */
    public List<Answered> read(Batch batch, Batch.Reply reply, Moment now) {
        List<Answered> read = new ArrayList<>(batch.statements().size());
        for (int i = 0; i < batch.statements().size(); i++) {
            Entry entry = stated.get(batch.statements().get(i).key());
            Outstanding made = entry == null ? null : entry.account().outstanding();
            if (entry != null && made != null) {
                Grant grant = reply.grants().get(i);
                long left = entry.pool.limit.usageAfter(grant).left(now.millis());
                read.add(new Answered(entry.key, made, grant, left));
            }
        }
        return read;
    }

    /** The store applied the batch. */
    public void answered(Batch batch, Batch.Reply reply, long sentMillis, Moment now) {
        for (int i = 0; i < batch.statements().size(); i++) {
            CounterKey key = batch.statements().get(i).key();
            Entry entry = stated.get(key);
            if (entry != null) {
                answered(entry, reply.grants().get(i), reply.appliedMillis(), now);
                stated.remove(key); // after an exception the statement stays, and is given up later
            }
        }
        recovery.applied(batch, reply, sentMillis);
    }

    private void answered(Entry entry, Grant grant, long appliedMillis, Moment now) {
        Outstanding made = entry.account().outstanding();
        if (made == null) {
            return;
        }
        entries.answering(entry);
        overLimit += entry.answered(made, grant, appliedMillis, now);
        entries.closeIfDone(entry, now);
        queue.place(entry, now);
    }

    /** The batch will not be applied. */
    public void giveUp(Moment now) {
        for (Entry entry : stated.values()) {
            entry.happens(account -> account.givenUp(now));
            queue.place(entry, now);
        }
        stated.clear();
    }

    /** How many calls were admitted over their limits, as found since the last call of this method. */
    public long drainExcessCalls() {
        long drained = overLimit;
        overLimit = 0;
        return drained;
    }
}
