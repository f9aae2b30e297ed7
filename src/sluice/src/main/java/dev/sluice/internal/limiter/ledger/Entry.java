package dev.sluice.internal.limiter.ledger;

import dev.sluice.CounterKey;
import dev.sluice.internal.limiter.account.Account;
import dev.sluice.internal.limiter.account.Account.Stage;
import dev.sluice.internal.limiter.account.Dormancy;
import dev.sluice.internal.limiter.account.Due;
import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.account.Pace;
import dev.sluice.internal.limiter.account.Terms;
import dev.sluice.internal.limiter.account.Totals;
import dev.sluice.internal.limiter.rule.FleetUsage;
import dev.sluice.internal.limiter.shared.DormantWindow;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.internal.limiter.shared.SharedWindows;
import dev.sluice.limits.LimiterDiagnostics;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One shared pool and its {@link Account}. Only {@link Dispatcher} changes the account. Not thread-safe: only the
 * synchroniser's thread uses it.
 */
final class Entry implements SharedWindows.Attachment {

    final SharedPool pool;
    private Account account;
    /**
     * The entries that share slots with this one; {@code null} unless the limit of a counter with slots was changed.
     */
    private @Nullable SlotsTogether together;

    // only for DueQueue: the entry's index among active entries, whether it is listed as idle, and its position
    int tickIndex = -1;
    boolean isListedIdle;

    @Nullable Queued queued;
    // only for EntryTable: the entry's index, the hash of its name, and the next entry with a similar hash
    int tableIndex = -1;
    int nameHash;

    @Nullable Entry chained;

    /**
     * The entries that one counter with slots has had before and after changes to its limit. The last entry reports
     * the slots of all of them.
     */
    private static final class SlotsTogether {
        private Entry last;
        private List<Entry> closed = List.of();

        private SlotsTogether(Entry last) {
            this.last = last;
        }
    }

    /** A position in the queue. The {@code arrival} number orders entries that are due at the same time. */
    record Queued(Entry entry, Due due, boolean isKnown, long arrival) {}

    Entry(SharedPool pool, Terms terms, Moment now) {
        this.pool = pool;
        Entry last = pool.windows().latest() instanceof Entry before ? before : null;
        DormantWindow dormant = pool.dormant();
        FleetUsage fleet = dormant != null && dormant.start() == pool.start()
                ? dormant.usage(terms.limit())
                : terms.limit().initialUsage(pool.windows().history.frames.before(pool.start()));
        Pace pace = last == null ? null : last.account.pace(last.totals(now), last.pool.forgetFreeCalls(), now);
        this.account = Dormancy.opened(pool.subjects(), terms, pool.snapshot(), fleet, dormant, pace, now);
        pool.windows().see(this);
    }

    Account account() {
        return account;
    }

    /** Replaces the account. Only {@link Dispatcher} calls this method. */
    void becomes(Account next) {
        account = next;
    }

    CounterKey key() {
        return account.key();
    }

    Terms terms() {
        return account.terms();
    }

    boolean isActive() {
        return account.stage() == Stage.ACTIVE;
    }

    boolean isClosed() {
        return account.stage() == Stage.CLOSED;
    }

    /** Returns the pool's figures. */
    Totals totals(Moment now) {
        // isClosed has to be read before the figures. Once a pool is closed, no call changes its figures.
        boolean isClosed = pool.permits.isClosed();
        boolean isUndecided = pool.hasUndecidedCalls();
        long overdrawn = pool.overdrawn();
        long inHand = pool.permits.number();
        long used = pool.used(overdrawn, inHand);
        boolean isConcurrency = terms().isConcurrency();
        return new Totals(
                used,
                inHand,
                overdrawn,
                isConcurrency ? used + slotsOfReplaced() : 0,
                isClosed,
                isUndecided,
                pool.line().isAnyForStore(),
                !isConcurrency && pool.refundable(now.millis()) > 0,
                pool.windows().instances());
    }

    long slotsOfReplaced() {
        return together == null || together.last != this
                ? 0
                : together.closed.stream().mapToLong(entry -> entry.pool.used()).sum();
    }

    /** Returns the entry that reports the slots of this entry's calls in flight after this entry is closed. */
    @Nullable Entry successor() {
        return together == null || together.last == this ? null : together.last;
    }

    /** Makes this entry report an earlier entry's slots from now on. */
    void replaces(Entry before) {
        SlotsTogether all = before.together == null ? new SlotsTogether(before) : before.together;
        all.closed = Stream.concat(all.closed.stream(), Stream.of(before))
                .filter(closed -> closed.pool.used() != 0 || closed == before)
                .toList();
        all.last = this;
        before.together = all;
        together = all;
    }

    LimiterDiagnostics.Account described(Moment now) {
        return account.described(
                totals(now), pool.snapshot().mode(), pool.line().needed(), now);
    }

    boolean isQuiet(Moment now) {
        return account.isQuiet(totals(now), now);
    }

    /** Whether the pool is closed and everything relevant is reported. */
    boolean isDone(Moment now) {
        pool.closeIfOver(now.millis());
        return account.isDone(totals(now), now);
    }

    /**
     * Closes the pool if its counter can become dormant, and returns the numbers that the counter then stores.
     * Otherwise, returns {@code null}.
     */
    @Nullable DormantWindow makeDormant(Moment now) {
        if (!Dormancy.isPossible(account, totals(now), now) || pool.refundable(now.millis()) != 0) {
            return null;
        }
        return pool.makeDormant(
                account.known().fleet().windowTotal().orElseThrow(),
                account.books().reported(),
                account.books().ungranted(),
                account.known().isCalm(),
                account.pace().chance());
    }
}
