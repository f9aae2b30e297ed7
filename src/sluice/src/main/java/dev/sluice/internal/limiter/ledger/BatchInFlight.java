package dev.sluice.internal.limiter.ledger;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.limiter.account.Event;
import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.account.Outstanding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The statements of one batch, from their collection until they are answered or abandoned. Only one batch exists at a
 * time. Not thread-safe.
 */
public final class BatchInFlight {

    /**
     * The maximum number of statements in a batch. If batches were larger, a flood of new callers could delay other
     * callers by the length of a timeout.
     */
    public static final int LARGEST = 1_000;

    /**
     * The maximum number of statements for accounts that have already received an answer. The rest of the batch is
     * reserved for newcomers.
     */
    private static final int MOST_KNOWN = LARGEST * 9 / 10;

    /**
     * The maximum number of active accounts that are checked for further statements before an exchange. If more
     * accounts are active, none are checked, because the checks would take too long.
     */
    private static final int MOST_LOOKED_AT = 1_000;

    private final Entries entries;
    private final DueQueue queue;
    private final LossRecovery recovery;
    private final Dispatcher dispatcher;
    private final Map<CounterKey, Entry> stated = new HashMap<>();
    /** The statements of this batch for counters without an entry. */
    private List<Statement> orphans = List.of();

    private long collectedMillis;

    BatchInFlight(Entries entries, DueQueue queue, LossRecovery recovery, Dispatcher dispatcher) {
        this.entries = entries;
        this.queue = queue;
        this.recovery = recovery;
        this.dispatcher = dispatcher;
    }

    Collection<Entry> entries() {
        return stated.values();
    }

    /**
     * Collects the statements of the next batch. Accounts that have already received an answer come before newcomers,
     * but some room is reserved for newcomers. Within each of these two groups, urgent statements come first. Finally,
     * the statements are sorted by window, because a frame might return permits that the next frame needs.
     */
    public List<Statement> collect(Moment now) {
        stated.clear();
        collectedMillis = now.millis();
        orphans = recovery.takeOrphans(LARGEST, collectedMillis);
        List<Statement> statements = new ArrayList<>(orphans);
        for (Entry entry : queue.activeIfFew(MOST_LOOKED_AT)) {
            dispatcher.on(entry, new Event.JoinBatch(), now);
        }
        collect(true, true, MOST_KNOWN, statements, now);
        collect(false, true, MOST_KNOWN, statements, now);
        collect(true, false, LARGEST, statements, now);
        collect(false, false, LARGEST, statements, now);
        collect(true, true, LARGEST, statements, now);
        return sortedByWindow(statements);
    }

    private void collect(boolean isUrgent, boolean isKnown, int most, List<Statement> statements, Moment now) {
        int room = most - statements.size();
        queue.visit(isUrgent, isKnown, now, room, this::canBeStated, entry -> statement(entry, statements, now));
    }

    /**
     * Collects as many final statements as fit into one batch. The result is empty once everything is reported and
     * returned.
     */
    public List<Statement> collectLast(Moment now) {
        stated.clear();
        List<Statement> statements = new ArrayList<>();
        for (Entry entry : entries.all()) {
            if (statements.size() >= LARGEST) {
                break;
            }
            entry.pool.permits.close();
            if (canBeStated(entry) && entry.account().books().hasFinalReport(entry.terms(), entry.totals(now))) {
                statement(entry, statements, now);
            }
        }
        return sortedByWindow(statements);
    }

    private static List<Statement> sortedByWindow(List<Statement> statements) {
        statements.sort(Comparator.comparingLong(statement -> statement.key().start()));
        return statements;
    }

    /**
     * Whether a statement can be made for the entry now. Earlier accounts with the same key take precedence. If the
     * pool is closed, its last call has to be decided first.
     */
    private boolean canBeStated(Entry entry) {
        return entries.isNext(entry)
                && !entry.account().isStatementOut()
                && !stated.containsKey(entry.key())
                && entry.pool.isDecided();
    }

    private void statement(Entry entry, List<Statement> statements, Moment now) {
        if (!canBeStated(entry)) {
            return; // this batch already contains a different account with the same key
        }
        Outstanding made = dispatcher.state(entry, now);
        if (made == null) {
            entries.closeIfDone(entry, now);
        } else {
            statements.add(made.statement());
            stated.put(made.statement().key(), entry);
        }
    }

    /**
     * The store's answer to the statement of one account.
     *
     * @param left the remaining permits of the limit at the time of the answer
     * @param overLimit the number of calls that exceeded the limit according to this answer
     */
    public record Answered(CounterKey key, Outstanding made, Grant grant, long left, long overLimit) {}

    /** Applies the store's reply to a batch, and returns the answer for each account. */
    public List<Answered> applyReply(Batch batch, Batch.Reply reply, long sentMillis, Moment now) {
        List<Answered> all = new ArrayList<>(batch.statements().size());
        orphans = List.of();
        LossRecovery.Applied applied = new LossRecovery.Applied(batch, sentMillis);
        for (int i = 0; i < batch.statements().size(); i++) {
            CounterKey key = batch.statements().get(i).key();
            Grant grant = reply.grants().get(i);
            Entry entry = stated.get(key);
            applied.add(entry, batch.statements().get(i), grant);
            Outstanding made = entry == null ? null : entry.account().outstanding();
            if (entry != null && made != null) {
                long overLimit = 0;
                if (TimeToLive.USUAL.isGrantOver(made.statement(), reply)) {
                    long usedAtOnce = made.statement().needed().usedOf(grant.granted());
                    dispatcher.on(entry, new Event.ReceiveTooLate(usedAtOnce, reply.appliedMillis()), now);
                    grant = Grant.VOID;
                } else {
                    if (TimeToLive.USUAL.isLeaseOver(made.statement(), reply)) {
                        dispatcher.on(
                                entry,
                                new Event.HearFreed(),
                                now); // other instances might have returned permits since the store answered
                    }
                    entries.answering(entry);
                    overLimit = Outstanding.overLimit(
                            made.statement(), grant, entry.account().books().held());
                    boolean hadFreeCalls = entry.pool.forgetFreeCalls();
                    dispatcher.on(entry, new Event.Receive(grant, reply.appliedMillis(), hadFreeCalls), now);
                }
                entries.closeIfDone(entry, now);
                long left = entry.account().known().usage().left(now.millis());
                all.add(new Answered(key, made, grant, left, overLimit));
            }
            stated.remove(key); // only now, so that the statement is abandoned if an exception is thrown above
        }
        recovery.remember(applied);
        return all;
    }

    public void giveUp(Moment now) {
        List<Statement> unsent = orphans;
        endWithoutAnswer(entry -> dispatcher.on(entry, new Event.GiveUp(), now));
        for (Statement made : unsent) {
            Entry entry = entries.latest(made.key());
            if (entry == null) {
                recovery.addOrphan(made, collectedMillis);
            } else { // the counter has been opened since then
                Statement orphan = made.sentLater(now.millis() - collectedMillis);
                dispatcher.on(entry, new Event.Lose(orphan, now.millis()), now);
            }
        }
    }

    /**
     * Writes off the batch, because it is unknown whether the store has applied it. The uses in the batch are
     * considered reported so that no call is counted twice. The permits that the batch requested for waiting calls are
     * returned as if they had been granted.
     */
    public void writeOff(long madeMillis, Moment now) {
        endWithoutAnswer(entry -> {
            Outstanding made = entry.account().outstanding();
            if (made != null) {
                Need needed = made.statement().needed();
                dispatcher.on(entry, new Event.ReceiveTooLate(needed.usedOf(needed.all()), madeMillis), now);
            }
        });
    }

    private void endWithoutAnswer(Consumer<Entry> end) {
        stated.values().forEach(end);
        stated.clear();
        orphans = List.of();
    }
}
