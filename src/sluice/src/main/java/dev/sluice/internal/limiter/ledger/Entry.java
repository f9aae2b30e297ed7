package dev.sluice.internal.limiter.ledger;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.limiter.account.Account;
import dev.sluice.internal.limiter.account.Account.Stage;
import dev.sluice.internal.limiter.account.Dormancy;
import dev.sluice.internal.limiter.account.Due;
import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.account.Outstanding;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.internal.limiter.account.Terms;
import dev.sluice.internal.limiter.account.Totals;
import dev.sluice.internal.limiter.account.Waits;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.rule.OwnUse;
import dev.sluice.internal.limiter.shared.DormantPool;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.internal.limiter.shared.SharedWindows;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One shared pool and its {@link Account}. Reads the pool's totals for the account, and carries out what the account
 * decides: puts permits into the pool and takes them out, publishes snapshots, and wakes calls. Not thread-safe: only
 * the synchroniser's thread uses it.
 */
final class Entry implements SharedWindows.Attachment {

    final SharedPool pool;
    private Account account;
    /** {@code null} unless the counter has slots and its limit was changed. */
    private @Nullable SlotsTogether together;

    // only for DueQueue: its index among the active entries, whether it is among the idle ones, and its position
    int tickIndex = -1;
    boolean isListedIdle;

    @Nullable Queued queued;
    // only for EntryTable: its index, the hash of its name, and the next entry with nearly the same hash
    int tableIndex = -1;
    int nameHash;

    @Nullable Entry chained;

    /** The entries of one counter with slots, before and after changes of its limit: the last one reports all slots. */
    private static final class SlotsTogether {
        private Entry last;
        private List<Entry> closed = List.of();

        private SlotsTogether(Entry last) {
            this.last = last;
        }
    }

    /** A position in the queue; {@code arrival} is the order among entries that are due at the same time. */
    record Queued(Entry entry, Due due, boolean isKnown, long arrival) {}

    Entry(SharedPool pool, Terms terms, Moment now) {
        this.pool = pool;
        Entry last = pool.windows().latest instanceof Entry before ? before : null;
        if (last != null) {
            last.update(now);
        }
        this.account = Dormancy.opened(pool, terms, last == null ? null : last.account.pace(), now);
        pool.windows().latest = this;
    }

    Account account() {
        return account;
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

    // ---- The pool

    Totals totals(Moment now) {
        return Totals.of(pool, terms().isConcurrency(), slotsOfReplaced(), now.millis());
    }

    private long slotsOfReplaced() {
        return together == null || together.last != this
                ? 0
                : together.closed.stream().mapToLong(entry -> entry.pool.used()).sum();
    }

    /** If this entry is closed while calls are still in flight, the entry that reports their slots. */
    @Nullable Entry successor() {
        return together == null || together.last == this ? null : together.last;
    }

    /** Sets how many permits may be used without a grant; withdraws superfluous unspent ones. */
    private void allow(long ungranted) {
        long more = ungranted - account.books().ungranted();
        if (more > 0) {
            pool.put(more);
            account = account.allowed(more);
        } else if (more < 0) {
            long unspent = Math.min(account.books().ungranted(), pool.permits.number());
            account = account.allowed(-pool.withdraw(Math.min(-more, unspent)));
        }
    }

    private void publish(Moment now) {
        pool.publish(account.snapshot(now));
    }

    void update(Moment now) {
        account = account.updated(totals(now), pool.forgetFreeCalls(), now);
    }

    LimiterDiagnostics.Account described(Moment now) {
        return account.described(totals(now), pool.snapshot.mode(), pool.line().needed(), now);
    }

    // ---- Events

    /** An event that concerns only the account. */
    void apply(UnaryOperator<Account> event) {
        account = event.apply(account);
    }

    /** An event that calls have to know about. */
    void applyAndPublish(UnaryOperator<Account> event, Moment now) {
        apply(event);
        publish(now);
    }

    /** Makes an idle account active, so that it is checked at each tick. */
    void activate(Moment now) {
        if (account.stage() == Stage.IDLE) {
            applyAndPublish(idle -> idle.entering(Stage.ACTIVE), now); // calls request fewer checks from now on
        }
    }

    /** If something came back, treats the limit as not used up until the store has answered. */
    void takeNoteOfReturn(Moment now) {
        if (pool.returning) {
            freed(now);
            pool.returning = false;
        }
    }

    /** Something came back: waiting calls ask, and the limit is not used up until the store has answered. */
    void freed(Moment now) {
        applyAndPublish(account -> account.freed(now), now);
        if (pool.line().askAgain()) {
            activate(now);
            account = account.waits(now);
        }
    }

    void called(Moment now) {
        if (pool.line().isAnyForStore() && account.known().isUsedUp()) {
            pool.line().letAwaitOutcomes(mayGet(now));
        }
        takeNoteOfReturn(now);
        boolean isLow = pool.isLow(pool.permits.left());
        account = account.called(totals(now), isLow, pool.isUsedUpByCharges(now.millis()), now);
    }

    void ticked(boolean intervalEnds, Moment now) {
        pool.closeIfOver(now.millis());
        account = account.ticked(totals(now), pool.forgetFreeCalls(), intervalEnds, now);
        if (account.isLeaseEnding(now)) {
            takeOutHeld(now);
        }
    }

    /** An exchange is about to be made anyway; returns whether a statement is due. */
    boolean exchanging(Moment now) {
        account = account.exchanging(totals(now), now);
        return account.owed() != null;
    }

    boolean isQuiet(Moment now) {
        return account.isQuiet(totals(now), now);
    }

    /** Makes the account idle if all is reported. Checks again afterwards: a call may have come just before. */
    void idleIfQuiet(Moment now) {
        if (isActive() && isQuiet(now)) {
            if (slackEndsWhenQuiet()) {
                allow(0);
            }
            applyAndPublish(active -> active.entering(Stage.IDLE), now);
            if (!isQuiet(now)) {
                applyAndPublish(idle -> idle.entering(Stage.ACTIVE), now);
            }
        }
    }

    /** Closes the pool if it may become dormant; returns what its counter keeps then, or {@code null}. */
    @Nullable DormantPool makeDormant(Moment now) {
        boolean mayBecomeDormant = Dormancy.isPossible(account, totals(now), now) && pool.refundable(now.millis()) == 0;
        return mayBecomeDormant ? Dormancy.begin(account, pool) : null;
    }

    boolean isDone(Moment now) {
        pool.closeIfOver(now.millis());
        return account.isDone(totals(now), now);
    }

    /** Reopens a closed account if a call returned something late; returns whether it did. */
    boolean reopen(Moment now) {
        boolean reopens = account.isWorthReopening(totals(now), now);
        account = reopens ? account.entering(Stage.IDLE) : account;
        return reopens;
    }

    /** Takes what a call of this closed entry returned late, for another entry to report; {@code null} if nothing. */
    @Nullable Statement takeLateReport(Moment now) {
        if (!account.isWorthReopening(totals(now), now)) {
            return null;
        }
        if (pool.times != null) {
            account = account.timed(pool.times.drain(), now);
        }
        account = account.stated(totals(now), Need.NONE, now);
        Outstanding made = account.outstanding();
        if (made == null) {
            return null;
        }
        account = account.reportedByAnother(made, now);
        return made.statement().reportOnly(made.statement().uses());
    }

    void close() {
        account = account.entering(Stage.CLOSED);
        pool.windows().history.ownFrames.set(pool.start(), pool.used());
        pool.line().moveOn();
    }

    /** Reports an earlier entry's slots from now on; returns whether the limit has slots. */
    boolean takeOverSlots(Entry before) {
        if (!terms().isConcurrency()) {
            return false;
        }
        SlotsTogether all = before.together == null ? new SlotsTogether(before) : before.together;
        all.closed = Stream.concat(all.closed.stream(), Stream.of(before))
                .filter(closed -> closed.pool.used() != 0 || closed == before)
                .toList();
        all.last = this;
        before.together = all;
        together = all;
        account = account.takingOver(before.account);
        return true;
    }

    // ---- Statements and answers

    /** Makes the statement to send now, if there is something to say. What it returns leaves the pool at once. */
    @Nullable Outstanding statement(Moment now) {
        Due due = account.due();
        boolean isRegular = (due == null || !due.why().isUrgent) && pool.line().isEmpty();
        if (pool.line().isAnyForStore()) {
            account = account.waits(now);
        }
        pool.closeIfOver(now.millis());
        Need needed = Need.NONE;
        if (pool.permits.isClosed()) {
            pool.giveBack(Long.MAX_VALUE);
        } else {
            update(now);
            takeOut(account.surplus(totals(now), isRegular, now), now);
            pool.line().serve(); // a call may have returned something
            needed = pool.line().ask(pool.permits.left(), account.haveOthersReportedSlots());
            update(now);
        }
        if (pool.times != null) {
            account = account.timed(pool.times.drain(), now);
        }
        Totals totals = totals(now);
        account = account.stated(totals, needed, now);
        return account.outstanding();
    }

    /** Ends the lease of what is held here, unless it stays valid until the window ends; returns whether it has. */
    boolean endLease(Moment now) {
        return !terms().onlyAddsUp() && takeOutHeld(now);
    }

    /** Takes all granted permits out of the pool to return them; returns whether there were any. */
    private boolean takeOutHeld(Moment now) {
        long held = account.books().heldNow(totals(now));
        takeOut(held, now);
        account = held > 0 ? account.owes(Why.RETURN, now) : account;
        return held > 0;
    }

    private void takeOut(long surplus, Moment now) {
        if (surplus > 0) {
            if (account.known().isUsedUp() || account.isStatementOut()) {
                applyAndPublish(Account::returnsPermits, now); // must come before calls find no permits
            }
            pool.giveBack(surplus);
            if (pool.line().askAgain()) { // some of it may have come back just now, for a waiting call
                account = account.waits(now);
            }
        }
    }

    /**
     * The store has applied the statement in flight. Waiting calls take what was granted to them before other calls
     * can, and continue once the snapshot counts it. Returns how many calls were admitted over the limit.
     */
    long applyGrant(Outstanding made, Grant grant, long appliedMillis, Moment now) {
        boolean wasOutdated = account.known().usedUp().isOutdated();
        long overLimit =
                Outstanding.overLimit(made.statement(), grant, account.books().held());
        pool.overdrawnIsReported(made.overdrawn());
        pool.put(grant, now.millis());
        account = account.afterGrant(made, grant, appliedMillis, now);
        pool.recorded = account.books().recorded();
        pool.held = account.books().held();
        long usedAtOnce = made.statement().needed().usedOf(grant.granted()); // by waiting calls, in a moment
        account = account.updated(totals(now).plusUsed(usedAtOnce), pool.forgetFreeCalls(), now);
        allow(slack(now));
        publish(now);
        serveLine(grant.isShortOf(made.statement()) && !wasOutdated, grant.needsRecall(made.statement()), now);
        return overLimit;
    }

    void appliedInVain(Outstanding made, long usedAtOnce, long appliedMillis, Moment now) {
        pool.overdrawnIsReported(made.overdrawn());
        applyAndPublish(asked -> asked.appliedInVain(made, usedAtOnce, appliedMillis, now), now);
    }

    /** Lets waiting calls continue, or asks again. If the grant is short, nothing is left but what is in hand. */
    private void serveLine(boolean isShort, boolean othersHold, Moment now) {
        boolean recalls = othersHold && !pool.line().isEmpty() && pool.line().askAgain();
        if (now.millis() >= pool.end() || pool.permits.isClosed()) {
            pool.line().moveOn();
        } else if (isShort && !recalls) {
            pool.line().serveOrRefuse(need -> account.known().usage().left(now.millis()) >= need, mayGet(now));
        } else if (account.known().isUsedUp() || account.known().keepsToPart()) {
            pool.line().serveOrRefuse(mayGet(now)); // calls that came later need not ask
        } else {
            pool.line().serve();
        }
        account = account.served(pool.line().isAnyForStore(), recalls, now);
        if (account.books().owesRefund(terms(), totals(now))) {
            account = account.owes(Why.REFUND, now);
        }
    }

    // ---- The store is unavailable

    /** Allows what an outage says, which may just be over; without one, withdraws unused ungranted permits. */
    void decidesBy(@Nullable Outage outage, Moment now) {
        if (outage != null) {
            allowWithoutStore(outage, Long.MAX_VALUE, now);
        } else {
            account = account.withStore();
            boolean isOver = !isActive() && slackEndsWhenQuiet();
            allow(isOver ? 0 : slack(now));
        }
        publish(now);
    }

    private boolean slackEndsWhenQuiet() {
        return terms().slack()
                .endsWhenQuiet(account.known().isCalm(), pool.windows().instances());
    }

    private long slack(Moment now) {
        return account.known()
                .slack(terms(), account.books().ungranted(), pool.windows().instances(), now);
    }

    private void allowWithoutStore(Outage outage, long needed, Moment now) {
        update(now); // notes calls since the last tick: others may have gone on as long as calls came here
        long unrecorded = account.books().unrecorded(totals(now));
        pool.windows().history.unrecorded.set(pool.start(), unrecorded);
        account = account.withoutStore(outage, ownUse(now), unrecorded, now);
        allow(account.known().allowedWithoutStore(outage, unrecorded, needed, now));
    }

    private OwnUse ownUse(Moment now) {
        return new OwnUse(
                pool.windows().history.unrecorded.before(pool.start()),
                account.books().uses().known(now.millis()),
                slotsOfReplaced());
    }

    /** This entry replaces one of the same counter, whose pool is closed, during an outage or just after. */
    void continues(Entry before, Outage outage, Moment now) {
        before.decidesBy(outage, now);
        long unrecorded = before.account.books().unrecorded(before.totals(now));
        account = account.continuing(before.account, outage, before.ownUse(now), unrecorded, now);
    }

    /** If no answer came, the policy decides; otherwise the calls are refused, since others hold what they need. */
    void endLongWaits(long unansweredNanos, long recalledNanos, Outage outage, Moment now) {
        boolean isUnanswered = account.waiting().here() == Waits.Here.UNANSWERED;
        long beforeNanos = isUnanswered ? unansweredNanos : recalledNanos;
        if (pool.line().isAnyForStore() && account.waiting().isWaitingSince(beforeNanos)) {
            if (isUnanswered && outage.policy() != OnFailure.DENY) {
                allowWithoutStore(outage, pool.line().needed(), now);
            }
            account = isUnanswered ? account.decidedAlone(outage.policy(), now) : account.refusedForOthers(now);
            publish(now);
            serveOrRefuse(now);
        }
        pool.line().refuseThoseUntil(beforeNanos); // further calls, which waited while others were served
    }

    /** Waiting calls take what is in hand or, if they can get no more, are refused; for others the store is asked. */
    void serveOrRefuse(Moment now) {
        pool.line().serveOrRefuse(mayGet(now));
        account = pool.line().isAnyForStore() ? account.waits(now) : account;
    }

    /** Waiting calls take what is in hand. If all await outcomes, those that can get no more are refused. */
    void serve(Moment now) {
        pool.line().serve(mayGet(now));
    }

    private LongPredicate mayGet(Moment now) {
        return need -> pool.mayGet(need, now.millis());
    }
}
