package dev.sluice.internal.limiter.account;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.rule.OwnUse;
import dev.sluice.internal.limiter.shared.SharedSnapshot;
import dev.sluice.internal.limiter.shared.SharedSnapshot.Mode;
import dev.sluice.internal.limiter.shared.UseTimes.Calls;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that one instance knows of one shared counter, as an immutable value: the whole protocol of counting together for
 * one counter, without a clock, a thread or a queue. Each event is one method. It takes the time and the pool's
 * {@link Totals}, and returns the next account; the ledger carries out what follows.
 *
 * <pre>
 *   stage       IDLE ── a call, news, a loss, or the store is back ──▶ ACTIVE ── all is reported, nobody calls ──▶ IDLE
 *               either ── the pool is closed, and all is reported or written off ──▶ CLOSED ── a late refund ──▶ IDLE
 *   statement   none ── stated ──▶ outstanding ── answered ──▶ none
 *                               outstanding ── givenUp ──▶ none; its uses are reported again
 *                               outstanding ── appliedInVain ──▶ none; its needs are asked for again
 *           answered, then lost by the store: its uses are reported again
 * </pre>
 *
 * <p>{@link Knowledge} and {@link Waits} show their own states.
 *
 * @param subjects the caller
 * @param outstanding the statement in flight; {@code null} if there is none
 * @param owed the next statement to send, apart from those for waiting calls; {@code null} if there is none
 * @param statedNanos when the last statement was made that is in flight or was answered
 */
public record Account(
        List<Subject> subjects,
        Terms terms,
        Stage stage,
        Knowledge known,
        Books books,
        Waits waiting,
        Pace pace,
        @Nullable Outstanding outstanding,
        @Nullable Due owed,
        long statedNanos) {

    /** The stages in the life of an account. */
    public enum Stage {
        /** Something is used, held or wanted: it is checked at each tick. */
        ACTIVE,
        /** Everything is reported, and nothing is held: it waits for a call. */
        IDLE,
        /** It sends no more statements, unless it is reopened. */
        CLOSED
    }

    /** The counter's key in the store. Created on demand, since it is large. */
    public CounterKey key() {
        return terms.key(subjects);
    }

    // ---- When is the next statement due, and why?

    /** When the next statement is due, and why; {@code null} if none is due before another event. */
    public @Nullable Due due() {
        return stage != Stage.ACTIVE || isStatementOut() ? null : Due.of(waiting, owed);
    }

    /** A statement has become due. A more urgent reason stays, and the account keeps its position in the queue. */
    public Account owes(@Nullable Why why, Moment now) {
        if (why == null || (owed != null && (owed.why() == why || owed.why().isUrgent))) {
            return this;
        }
        return with(new Due(owed == null ? now.nanos() : owed.nanos(), why));
    }

    /** A call has requested a check: perhaps few permits are in hand, or charges use up what was left. */
    public Account called(Totals totals, boolean isLow, boolean isOverdrawn, Moment now) {
        return totals.isWaitedFor() && !totals.isClosed()
                ? with(waiting.waits(now))
                : owes(facts(totals, now).afterCall(isLow, isOverdrawn), now);
    }

    private Due.Facts facts(Totals totals, Moment now) {
        return new Due.Facts(terms, known, books, pace, totals, now);
    }

    /** A quarter of an interval has passed, perhaps the last one. */
    public Account ticked(Totals totals, boolean hadFreeCalls, boolean intervalEnds, Moment now) {
        boolean asksAgain = known.isTimeToAskAgain(now);
        Account next = totals.isClosed() ? this : updated(totals, hadFreeCalls, now);
        next = next.owes(next.facts(totals, now).atTick(statedNanos, intervalEnds), now);
        return asksAgain ? next.with(known.asksAgain(terms, now)) : next;
    }

    /** An exchange is about to be made anyway: statements that could wait go with it. */
    public Account exchanging(Totals totals, Moment now) {
        if (stage != Stage.ACTIVE || isStatementOut() || owed != null) {
            return this;
        }
        Why why = facts(totals, now).withOthers();
        return (why == Why.USED_UP ? with(known.asksAgain(terms, now)) : this).owes(why, now);
    }

    // ---- A statement and its answer

    /** Notes the calls that were made since the last update. */
    public Account updated(Totals totals, boolean hadFreeCalls, Moment now) {
        Pace latest = pace.updated(terms, totals, hadFreeCalls, now);
        return latest.equals(pace)
                ? this
                : new Account(subjects, terms, stage, known, books, waiting, latest, outstanding, owed, statedNanos);
    }

    /** These calls have to be reported with their times. */
    public Account timed(List<Calls> made, Moment now) {
        return with(books.with(books.uses().plus(made, now.millis())));
    }

    /** How many permits to return before the next statement; if nothing is urgent, also what exceeds the share. */
    public long surplus(Totals totals, boolean isRegular, Moment now) {
        long held = books.heldNow(totals);
        if (waiting.isRecalled() || books.owesRefund(terms, totals)) {
            return held;
        }
        return isRegular ? pace.surplus(terms, totals, held, books.ungranted() == 0, now) : 0;
    }

    /**
     * Permits are being returned to the store. Until the store has them, the limit does not count as used up; a
     * statement in flight still says that they are held here.
     */
    public Account returnsPermits() {
        return with(known.freed(isStatementOut() || known.usedUp().isOutdated()));
    }

    /**
     * Whether the lease of what is held here is about to end, because the store has not answered for nearly as long.
     * Permits of windows and frames stay valid: once the lease ends, the store counts them as used. Without the store,
     * the instance may be allowed to use its part, and what it holds belongs to that.
     */
    public boolean isLeaseEnding(Moment now) {
        return !terms.onlyAddsUp()
                && !known.mayUseItsPart()
                && now.isAfter(answeredNanos(), terms.leaseIsTrustedMillis());
    }

    /** Whether other instances have reported their free slots since an earlier call began to wait. */
    public boolean haveOthersReportedSlots() {
        return terms.isConcurrency() && waiting.othersHoldSinceMillis() > 0;
    }

    /** Makes the statement to send now, {@link #outstanding} in the next account if there is something to say. */
    public Account stated(Totals totals, Need lacking, Moment now) {
        long most = known.mayAsk(books.ungranted() + totals.overdrawn(), now);
        Need needed = lacking.atMost(most);
        Account next = needed.all() == 0 ? with(waiting.waitsNoMore()) : this;
        long wanted = totals.isClosed() ? 0 : Math.min(most - needed.all(), wanted(totals, needed, now));
        boolean isUseless = totals.isClosed()
                ? books.isReportUseless(key(), terms, totals, now)
                : !books.isAnythingUnreported(terms, totals)
                        && needed.all() + wanted == 0
                        && known.isAnswered()
                        && !waiting.isRecalled()
                        && !now.isAfter(statedNanos, terms.everyMillis());
        if (isUseless) {
            return next.with((Due) null);
        }
        Due due = next.due();
        Why why = due == null ? Why.RETURN : due.why();
        Outstanding made = books.statement(key(), terms, totals, next.waiting, why, needed, wanted, statedNanos, now);
        return new Account(
                subjects, terms, stage, known, books.sent(terms, made), next.waiting, pace, made, null, now.nanos());
    }

    private long wanted(Totals totals, Need needed, Moment now) {
        boolean mayKeepOne = needed.all() <= 1 && books.ungranted() == 0; // with slack no call waits
        return waiting.isRecent(terms.everyMillis(), now) || known.isStoreUnavailable() || !known.mayHaveLeft(now)
                ? 0
                : Math.max(0, pace.share(terms, totals, mayKeepOne, now) - books.heldNow(totals));
    }

    /** The store has applied the statement in flight. */
    public Account afterGrant(Outstanding made, Grant grant, long appliedMillis, Moment now) {
        Waits asked = waiting.noteReply(grant.needsRecall(made.statement()), grant.granted(), made.recalls(), now);
        Waits next = known.usedUp().isOutdated() ? asked.asksNow(now) : asked;
        long added = books.added(made.statement(), grant);
        Knowledge latest = known.learn(terms, made.statement(), grant, added, now);
        Books booked = books.bookGrant(terms, made, grant, appliedMillis, now);
        long takenByOthers =
                known.fleet().left(now.millis()) - added - latest.fleet().left(now.millis());
        Pace paced = pace.othersTook(takenByOthers, passedMillis(made, now), terms);
        Pace here = latest.left(now) < known.left(now) - added ? paced.calledElsewhere(terms, now) : paced;
        return new Account(subjects, terms, stage, latest, booked, next, here, null, owed, statedNanos);
    }

    /** How long after the answer before; after the start of the window if there was none. */
    private long passedMillis(Outstanding made, Moment now) {
        boolean isFirstOfWindow = !known.isAnswered() && terms.startMillis() > 0;
        return isFirstOfWindow ? now.millis() - terms.startMillis() : (statedNanos - made.answeredNanos()) / 1_000_000;
    }

    /** When the last statement was made that the store has answered. */
    private long answeredNanos() {
        return outstanding == null ? statedNanos : outstanding.answeredNanos();
    }

    /** The statement in flight, if any, will not be applied as far as known: its uses are reported again. */
    public Account givenUp(Moment now) {
        return afterFailure(books.failed(terms, outstanding), now);
    }

    /**
     * The store may have applied the statement in flight, but its grant can no longer be used: the lease is over, or
     * the store has forgotten it. Its uses count as reported.
     *
     * @param usedAtOnce how much the store has recorded as used at once, by calls that were in fact decided without it;
     *     this is returned
     */
    public Account appliedInVain(Outstanding made, long usedAtOnce, long appliedMillis, Moment now) {
        long added = books.added(made.statement(), new Grant(0, usedAtOnce, 0));
        return with(known.recorded(added, now))
                .afterFailure(books.appliedInVain(terms, made, usedAtOnce, appliedMillis, now), now);
    }

    private Account afterFailure(Books next, Moment now) {
        return new Account(subjects, terms, stage, known, next, waiting.failed(now), pace, null, owed, answeredNanos())
                .owes(Why.FAILED, now);
    }

    /** The store has lost this statement, sent at that time; all that was reported if it is {@code null}. */
    public Account lost(@Nullable Statement applied, long sentMillis, Moment now) {
        return with(books.lost(terms, applied, sentMillis)).owes(Why.LOST, now);
    }

    /** Another account of the same counter reports what this statement says. */
    public Account reportedByAnother(Outstanding made, Moment now) {
        Books booked = books.bookGrant(terms, made, Grant.VOID, now.millis(), now);
        return new Account(subjects, terms, stage, known, booked, waiting, pace, null, owed, answeredNanos());
    }

    // ---- News of other instances, and waiting calls

    /** Another instance needs what is held here. */
    public Account recalled(Moment now) {
        boolean mayHold = books.isReturnExpected() || isStatementOut();
        return mayHold ? with(waiting.recalled(now)) : this;
    }

    /** An earlier frame returns permits, so that more is left in this one. The next statement tells other instances. */
    public Account earlierFrameReturns(Moment now) {
        return with(waiting.recalled(now));
    }

    /** Something was returned to a used-up limit. The answer to a statement in flight may not know of it. */
    public Account freed(Moment now) {
        return with(known.freed(isStatementOut())).with(waiting.asksNow(now));
    }

    public Account waits(Moment now) {
        return with(waiting.waits(now));
    }

    /** After an answer, calls have continued. For some the store is asked again; it may recall what they need. */
    public Account served(boolean asksAgain, boolean recalls, Moment now) {
        Waits next = asksAgain && recalls ? waiting : waiting.waitsNoMore();
        return with(asksAgain ? next.waits(now) : next);
    }

    /**
     * Unresponsive instances hold what calls need. Calls are refused for a moment, but the store is asked once more.
     */
    public Account refusedForOthers(Moment now) {
        return with(known.othersAreUnresponsive(terms, now))
                .with(waiting.waitsNoMore())
                .owes(Why.CALLS_WAIT, now);
    }

    /**
     * Waiting calls got no answer in time, and {@code onFailure} decided them. Permits that it allowed them are
     * withdrawn.
     */
    public Account decidedAlone(OnFailure policy, Moment now) {
        return with(policy == OnFailure.DENY ? known : known.withStore()).with(waiting.waitsNoMore());
    }

    // ---- What may be used without a grant

    /** Changes how many permits may be used without a grant. */
    public Account allowed(long more) {
        return more == 0 ? this : with(books.allowed(more));
    }

    /** The store is unavailable, or just was. What was used here, and the store has not recorded, counts as used. */
    public Account withoutStore(Outage outage, OwnUse own, long unrecorded, Moment now) {
        long answerMillis = (now.nanos() - answeredNanos()) / 1_000_000;
        var others = new Knowledge.Others(pace.ofOthers(), answerMillis, pace.calledAgoMillis(now));
        return with(known.withoutStore(key(), terms, outage, own, unrecorded, others, now));
    }

    /** The same, and the limit was changed: what was used before the change stays used. */
    public Account continuing(Account before, Outage outage, OwnUse own, long unrecorded, Moment now) {
        return terms.isConcurrency()
                ? this
                : with(known.continuing(key(), terms, before.known, outage, own, unrecorded, now));
    }

    public Account withStore() {
        return with(known.withStore());
    }

    // ---- Life

    public Account entering(Stage next) {
        return new Account(subjects, terms, next, known, books, waiting, pace, outstanding, owed, statedNanos);
    }

    /** Takes over what the store knows of a closed account of the same counter. */
    public Account takingOver(Account before) {
        return with(books.takingOver(before.books));
    }

    /** Whether all is reported and nothing is held, so that the account need not be checked before a call comes. */
    public boolean isQuiet(Totals totals, Moment now) {
        return books.isAllReported(terms, totals)
                && !isStatementOut()
                && owed == null
                && !waiting.isWaiting()
                && pace.isQuiet(terms, now);
    }

    /** Whether the pool is closed, and everything that matters is reported. */
    public boolean isDone(Totals totals, Moment now) {
        return totals.isClosed()
                && !totals.isUndecided()
                && !isStatementOut()
                && (books.isReportUseless(key(), terms, totals, now) || known.isOverWithoutStore(totals.used(), now));
    }

    /** Whether a closed account has something to report after all, because a call returned permits late. */
    public boolean isWorthReopening(Totals totals, Moment now) {
        return stage == Stage.CLOSED
                && books.hasFinalReport(terms, totals)
                && !books.isReportUseless(key(), terms, totals, now);
    }

    // ---- Conclusions

    /** Whether a statement is in flight. */
    public boolean isStatementOut() {
        return outstanding != null;
    }

    /** Whether news of other instances matter to this account. */
    public boolean needsNews() {
        boolean mayBeUsedUp = known.isUsedUp() || known.isAnswered();
        return stage != Stage.CLOSED && (books.isReturnExpected() || waiting.isWaiting() || mayBeUsedUp);
    }

    public SharedSnapshot snapshot(Moment now) {
        boolean isIdle = stage == Stage.IDLE; // then each call requests a check
        long lowWater = known.isStoreUnavailable() || (!isIdle && !known.mayHaveLeft(now))
                ? 0
                : isIdle ? Long.MAX_VALUE : pace.lowWater(terms, books.ungranted(), now);
        return known.snapshot(terms, books.ungranted(), lowWater, now);
    }

    /** What operators see of the account; {@code needed} is what waiting calls need. */
    public LimiterDiagnostics.Account described(Totals totals, Mode mode, long needed, Moment now) {
        Due due = due();
        long waitingNanos = totals.isWaitedFor() ? Math.max(0, now.nanos() - waiting.sinceNanos()) : 0;
        return new LimiterDiagnostics.Account(
                key(),
                LimiterDiagnostics.Account.Stage.valueOf(stage.name()),
                LimiterDiagnostics.Account.Decides.valueOf(mode.name()),
                new LimiterDiagnostics.Account.Here(
                        totals.used(), books.unreported(totals), books.heldNow(totals), books.ungrantedLeft(totals)),
                new LimiterDiagnostics.Account.Fleet(
                        known.left(now), known.usedUp().elsewhere(), known.isUsedUp(), null),
                new LimiterDiagnostics.Account.Waits(
                        totals.isWaitedFor() ? needed : 0, waitingNanos / 1_000_000, waiting.isRecalled()),
                new LimiterDiagnostics.Account.Statement(
                        outstanding == null ? null : reason(outstanding.why()),
                        due == null ? null : reason(due.why()),
                        due == null ? 0 : (due.nanos() - now.nanos()) / 1_000_000));
    }

    /** The public reason of the same name; {@code DiagnosticsTest} checks that there is one for each. */
    private static LimiterDiagnostics.Account.Reason reason(Why why) {
        return LimiterDiagnostics.Account.Reason.valueOf(why.name());
    }

    private Account with(Knowledge next) {
        return new Account(subjects, terms, stage, next, books, waiting, pace, outstanding, owed, statedNanos);
    }

    private Account with(Books next) {
        return new Account(subjects, terms, stage, known, next, waiting, pace, outstanding, owed, statedNanos);
    }

    private Account with(Waits next) {
        return new Account(subjects, terms, stage, known, books, next, pace, outstanding, owed, statedNanos);
    }

    private Account with(@Nullable Due next) {
        return new Account(subjects, terms, stage, known, books, waiting, pace, outstanding, next, statedNanos);
    }
}
