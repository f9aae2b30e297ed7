package dev.sluice.internal.limiter.account;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.limiter.account.Effects.Line;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.rule.OwnUse;
import dev.sluice.internal.limiter.shared.SharedSnapshot;
import dev.sluice.internal.limiter.shared.SharedSnapshot.Mode;
import dev.sluice.internal.limiter.shared.UseTimes.Calls;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What one instance knows about one shared counter, as an immutable value. This class implements the complete protocol
 * by which instances share a counter, without using a clock, a thread or a queue. Only an {@code Event} changes an
 * account. Each event produces a {@link Step}. A step consists of the next account and the effects on the pool and on
 * waiting calls.
 *
 * <pre>
 *   stage       IDLE ── a call, news, a loss, or the end of an outage ──▶ ACTIVE
 *               ACTIVE ── everything is reported, and no calls arrive ──▶ IDLE
 *               either ── the pool is closed, and everything is reported or written off ──▶ CLOSED
 *               CLOSED ── a call belatedly returns permits ──▶ IDLE
 *   statement   none ── State ──▶ outstanding ── Receive ──▶ none
 *                              outstanding ── GiveUp ──▶ none; the account reports its uses again
 *                              outstanding ── ReceiveTooLate ──▶ none; waiting calls request their permits again
 *           received, then lost by the store: the account reports its uses again
 * </pre>
 *
 * <p>{@link Knowledge} and {@link Waits} have their own state diagrams.
 *
 * @param subjects the subjects that identify the caller
 * @param outstanding the statement in flight; {@code null} if there is none
 * @param owed the next statement to send, excluding statements for waiting calls; {@code null} if there is none
 * @param answeredNanos the time at which the latest answered statement was made. Before the first answer, it is the
 *     time at which the account was opened
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
        long answeredNanos) {

    /** The stages in the life of an account. The class comment shows all possible transitions. */
    public enum Stage {
        /** Calls use or need permits, or this instance holds some, so the account is checked at each tick. */
        ACTIVE,
        /** Everything is reported and no permits are held, so no statement is due before the next call. */
        IDLE,
        /** The account sends no more statements unless it is reopened. */
        CLOSED;

        private Stage to(Stage next) {
            if (this == CLOSED && next == ACTIVE) {
                throw new IllegalStateException("a closed account has to be reopened first");
            }
            return next;
        }
    }

    /** The result of an event. The caller still has to carry out its effects. */
    public record Step(Account account, Effects effects) {

        private static Step to(Account next) {
            return new Step(next, Effects.NONE);
        }

        private Step with(Account next) {
            return new Step(next, effects);
        }

        private Step with(UnaryOperator<Effects> more) {
            return new Step(account, more.apply(effects));
        }

        private Step lets(Line line) {
            return with(so -> so.lets(line));
        }

        private Step tells() {
            return with(Effects::tells);
        }

        /** Returns the account after the pool has withdrawn the given number of ungranted permits. */
        public Account afterWithdrawing(long permits) {
            return account.allowed(-permits);
        }
    }

    /** Returns the counter's key in the store. Keys are large, so they are created on demand. */
    public CounterKey key() {
        return terms.key(subjects);
    }

    // ---- When is the next statement due, and why?

    /** Returns when the next statement is due and why; {@code null} if none is due before the next event. */
    public @Nullable Due due() {
        return stage != Stage.ACTIVE || isStatementOut() ? null : Due.of(waiting, owed);
    }

    /**
     * Returns the account with a statement that is due for the given reason. If a statement is already due, the account
     * keeps its position in the queue. It also keeps the earlier reason if that reason is urgent.
     */
    Account owes(@Nullable Why why, Moment now) {
        if (why == null || (owed != null && (owed.why() == why || owed.why().isUrgent))) {
            return this;
        }
        return with(new Due(owed == null ? now.nanos() : owed.nanos(), why));
    }

    private Due.Facts facts(Totals totals, Moment now) {
        return new Due.Facts(terms, known, books, pace, totals, now);
    }

    /** Returns when the latest statement was made, whether it is in flight or answered. */
    private long statedNanos() {
        return outstanding == null ? answeredNanos : outstanding.madeNanos();
    }

    // ---- Calls

    Step wake(Totals totals) {
        Step step = to(in(Stage.ACTIVE));
        return known.isUsedUp() && totals.isWaitedFor() ? step.lets(Line.AWAITS_OUTCOMES) : step;
    }

    Step call(Totals totals, boolean isLow, boolean isOverdrawn, Moment now) {
        Account next = totals.isWaitedFor() && !totals.isClosed()
                ? with(waiting.waits(now))
                : owes(facts(totals, now).afterCall(isLow, isOverdrawn), now);
        return to(next).lets(Line.LOOKS);
    }

    /** Asks the store again if calls are still waiting, because the store can recall the permits that they need. */
    Step serve(Totals totals, Moment now) {
        boolean isForHere = totals.isWaitedFor() && !totals.isClosed();
        Account next = with(isForHere ? waiting.waits(now) : waiting.waitsNoMore());
        return to(books.owesRefund(terms, totals) ? next.owes(Why.REFUND, now) : next);
    }

    /**
     * Ends waits that have lasted too long. If the store has not answered, the {@code onFailure} policy determines how
     * these calls are decided. Permits that the policy allows but that the calls do not take are withdrawn later. If
     * the store has answered, the calls are refused, because unresponsive instances hold the permits that they need.
     * The account then asks the store once more.
     */
    Step endWaits(
            long unansweredNanos,
            long othersHoldNanos,
            Outage outage,
            OwnUse own,
            long needed,
            boolean hadFreeCalls,
            Totals totals,
            Moment now) {
        boolean isUnanswered = waiting.here() == Waits.Here.UNANSWERED;
        long sinceNanos = waiting.tooLongSinceNanos(unansweredNanos, othersHoldNanos);
        if (!totals.isWaitedFor() || !waiting.isWaitingSince(sinceNanos)) {
            return Step.to(this);
        }
        Account noted = updated(totals, hadFreeCalls, now);
        if (!isUnanswered) {
            Account refused =
                    noted.with(known.othersAreUnresponsive(terms, now)).with(waiting.waitsNoMore());
            return to(refused.owes(Why.CALLS_WAIT, now)).tells().lets(Line.IS_DECIDED);
        }
        Account unanswered = noted.with(waiting.waitsNoMore());
        if (outage.policy() == OnFailure.DENY) {
            return to(unanswered).tells().lets(Line.IS_DECIDED);
        }
        Step alone = unanswered.alone(outage, own, needed, false, totals, now);
        return alone.with(alone.account().with(alone.account().known.withStore()))
                .lets(Line.IS_DECIDED);
    }

    // ---- Time

    Step tick(Totals totals, boolean hadFreeCalls, boolean intervalEnds, Moment now) {
        boolean asksAgain = known.isTimeToAskAgain(now);
        Account next = totals.isClosed() ? this : updated(totals, hadFreeCalls, now);
        next = next.owes(next.facts(totals, now).atTick(statedNanos(), intervalEnds), now);
        next = asksAgain ? next.with(known.asksAgain(terms, now)) : next;
        if (next.isLeaseEnding(now)) {
            return next.returnsHeld(totals, now);
        }
        return next.stage == Stage.ACTIVE && next.isQuiet(totals, now) ? next.rests(totals) : to(next);
    }

    /** Makes the account idle and publishes a snapshot, because each call has to request a check from now on. */
    private Step rests(Totals totals) {
        Step idle = Step.to(in(Stage.IDLE)).tells();
        return endsSlack(totals) ? idle.account().allows(idle, 0, totals) : idle;
    }

    private boolean endsSlack(Totals totals) {
        return terms.slack().endsWhenQuiet(known.isCalm(), totals.instances());
    }

    Step lookAgain(Totals totals, Moment now) {
        return to(isQuiet(totals, now) ? this : in(Stage.ACTIVE));
    }

    Step thaw(Totals totals, Moment now) {
        return terms.onlyAddsUp() ? Step.to(this) : returnsHeld(totals, now);
    }

    /**
     * Whether the lease of the permits that this instance holds is about to end because the store has not answered for
     * nearly the length of a lease. Permits of windows and frames stay valid, because the store counts them as used
     * once the lease ends. While the store is unavailable, the policy can allow the instance to use its part. The held
     * permits belong to that part.
     */
    private boolean isLeaseEnding(Moment now) {
        return !terms.onlyAddsUp()
                && !known.mayUseItsPart()
                && now.isAfter(answeredNanos, terms.leaseIsTrustedMillis());
    }

    private Step returnsHeld(Totals totals, Moment now) {
        long held = books.heldNow(totals);
        return held > 0 ? owes(Why.RETURN, now).takesOut(held) : to(this);
    }

    /**
     * Takes out permits that have to be returned to the store. The limit is not considered used up until the store has
     * received them. A statement in flight still reports them as held by this instance, so its reply will be outdated.
     * Calls that await outcomes ask the store again, because some of the permits might just have been returned by other
     * calls.
     */
    private Step takesOut(long permits) {
        Step step = known.isUsedUp() || isStatementOut()
                ? to(with(known.freed(isStatementOut() || known.usedUp().isOutdated())))
                        .tells()
                : to(this);
        return step.with(so -> so.returns(permits).letsAskAgain());
    }

    // ---- A statement and its answer

    Step joinBatch(Totals totals, Moment now) {
        if (stage != Stage.ACTIVE || isStatementOut() || owed != null) {
            return Step.to(this);
        }
        Why why = facts(totals, now).withOthers();
        return Step.to((why == Why.USED_UP ? with(known.asksAgain(terms, now)) : this).owes(why, now));
    }

    /** Records the calls made since the last update. */
    private Account updated(Totals totals, boolean hadFreeCalls, Moment now) {
        Pace latest = pace.updated(terms, totals, hadFreeCalls, now);
        return latest.equals(pace)
                ? this
                : new Account(subjects, terms, stage, known, books, waiting, latest, outstanding, owed, answeredNanos);
    }

    Step prepare(Totals totals, boolean isLineEmpty, boolean hadFreeCalls, Moment now) {
        Due due = due();
        boolean isRegular = (due == null || !due.why().isUrgent) && isLineEmpty;
        Account next = totals.isWaitedFor() ? with(waiting.waits(now)) : this;
        if (totals.isClosed()) {
            return to(next).with(so -> so.returns(Long.MAX_VALUE));
        }
        Account updated = next.updated(totals, hadFreeCalls, now);
        long surplus = updated.surplus(totals, isRegular, now);
        return (surplus > 0 ? updated.takesOut(surplus) : Step.to(updated)).lets(Line.TAKES);
    }

    /**
     * Returns how many permits the next statement has to return. If nothing is urgent, these are the permits that
     * exceed the share.
     */
    private long surplus(Totals totals, boolean isRegular, Moment now) {
        long held = books.heldNow(totals);
        if (waiting.isRecalled()) {
            return held; // all of them, because the store knows which instances need them
        }
        if (books.owesRefund(terms, totals)) {
            return held;
        }
        return isRegular ? pace.surplus(terms, totals, held, books.ungranted() == 0, now) : 0;
    }

    /** Whether other instances have reported their free slots since calls on this instance began to wait. */
    public boolean haveOthersReportedSlots() {
        return terms.isConcurrency() && waiting.othersHoldSinceMillis() > 0;
    }

    Step state(Totals totals, Need lacking, List<Calls> times, boolean hadFreeCalls, Moment now) {
        Account timed = terms.isTimed() ? with(books.with(books.uses().plus(times, now.millis()))) : this;
        Account latest = totals.isClosed() ? timed : timed.updated(totals, hadFreeCalls, now);
        return Step.to(latest.stated(totals, lacking, now));
    }

    /**
     * Makes the statement to send now. If there is something to report, the next account stores the statement in {@link
     * #outstanding}.
     */
    private Account stated(Totals totals, Need lacking, Moment now) {
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
                        && (owed == null || owed.why() != Why.GIVEN)
                        && !now.isAfter(answeredNanos, terms.everyMillis());
        if (isUseless) {
            return next.with((Due) null);
        }
        Due due = next.due();
        Why why = due == null ? Why.RETURN : due.why();
        Outstanding made = books.statement(key(), terms, totals, next.waiting, why, needed, wanted, known.gift(), now);
        return new Account(
                subjects, terms, stage, known, books.sent(terms, made), next.waiting, pace, made, null, answeredNanos);
    }

    private long wanted(Totals totals, Need needed, Moment now) {
        boolean mayKeepOne = needed.all() <= 1 && books.ungranted() == 0; // with slack, no call waits
        return waiting.isRecent(terms.everyMillis(), now) || known.isStoreUnavailable() || !known.mayHaveLeft(now)
                ? 0
                : Math.max(0, pace.share(terms, totals, mayKeepOne, now) - books.heldNow(totals));
    }

    /** Returns the statement in flight. There must be one. */
    private Outstanding made() {
        return Objects.requireNonNull(outstanding, "no statement is in flight");
    }

    /**
     * Applies the store's reply. Waiting calls take the permits granted to them before any other call can take them.
     * They continue once the snapshot includes these permits. If the grant is too small and no other instance holds
     * permits, only the permits in hand remain.
     */
    Step receive(Totals totals, Grant grant, long appliedMillis, boolean hadFreeCalls, Moment now) {
        Outstanding made = made();
        boolean othersHold = grant.needsRecall(made.statement());
        boolean wasOutdated = known.usedUp().isOutdated();
        long usedAtOnce = made.statement().needed().usedOf(grant.granted()); // waiting calls are about to take these
        Account booked = booked(made, grant, appliedMillis, now);
        Account next = booked.updated(totals.plusUsed(usedAtOnce), hadFreeCalls, now);
        Totals after = totals.plusInHand(grant.granted());
        Step step =
                next.allows(to(next).with(so -> so.reports(made).grants(grant).tells()), next.slack(after, now), after);
        Line decided = !othersHold && !wasOutdated && grant.isShortOf(made.statement())
                ? Line.IS_DECIDED_AS_SHORT
                : next.known.isUsedUp() || next.known.keepsToPart()
                        ? Line.IS_DECIDED // later calls need not ask the store
                        : Line.TAKES;
        return (othersHold ? step.with(Effects::letsAskAgain) : step).lets(decided);
    }

    /** Returns the account after the store has applied the statement in flight. */
    private Account booked(Outstanding made, Grant grant, long appliedMillis, Moment now) {
        boolean othersHold = grant.needsRecall(made.statement());
        Waits asked = waiting.noteReply(othersHold, grant.granted(), made.recalls(), now);
        Waits next = known.usedUp().isOutdated() ? asked.asksNow(now) : asked;
        long added = books.added(made.statement(), grant);
        Knowledge latest = known.learn(terms, made.statement(), grant, added, now);
        Books booked = books.bookGrant(terms, made, grant, appliedMillis, now);
        long takenByOthers =
                known.fleet().left(now.millis()) - added - latest.fleet().left(now.millis());
        Pace paced = pace.othersTook(takenByOthers, passedMillis(made, now), terms);
        Pace here = latest.left(now) < known.left(now) - added ? paced.calledElsewhere(terms, now) : paced;
        Waits waits = othersHold ? next : next.waitsNoMore(); // calls that are still waiting start over
        return new Account(subjects, terms, stage, latest, booked, waits, here, null, owed, made.madeNanos());
    }

    /** Returns the time since the previous answer or, if there was none, since the start of the window. */
    private long passedMillis(Outstanding made, Moment now) {
        boolean isFirstOfWindow = !known.isAnswered() && terms.startMillis() > 0;
        return isFirstOfWindow ? now.millis() - terms.startMillis() : (made.madeNanos() - answeredNanos) / 1_000_000;
    }

    Step receiveTooLate(long usedAtOnce, long appliedMillis, Moment now) {
        Outstanding made = made();
        long added = books.added(made.statement(), new Grant(0, usedAtOnce, 0));
        Books booked = books.appliedInVain(terms, made, usedAtOnce, appliedMillis, now);
        return to(with(known.recorded(added, now)).afterFailure(booked, now))
                .with(so -> so.reports(made).tells());
    }

    Step giveUp(Moment now) {
        return to(afterFailure(books.failed(terms, outstanding), now));
    }

    private Account afterFailure(Books next, Moment now) {
        return new Account(subjects, terms, stage, known, next, waiting.failed(now), pace, null, owed, answeredNanos)
                .owes(Why.FAILED, now);
    }

    Step lose(@Nullable Statement applied, long sentMillis, Moment now) {
        return to(with(books.lost(terms, applied, sentMillis)).owes(Why.LOST, now));
    }

    // ---- News from other instances

    Step hearRecall(Moment now) {
        boolean mayHold = books.isReturnExpected() || isStatementOut();
        return to(mayHold ? with(waiting.recalled(now)) : this);
    }

    Step hearOfEarlierFrame(Moment now) {
        return to(with(waiting.recalled(now)).in(Stage.ACTIVE));
    }

    Step hearFreed(Moment now) {
        return to(with(known.freed(isStatementOut())).with(waiting.asksNow(now)))
                .with(so -> so.tells().letsAskAgain());
    }

    Step hearGiven(Moment now) {
        return owes(Why.GIVEN, now).hearFreed(now);
    }

    // ---- Permits that calls may use without a grant

    /** Increases the number of permits that calls may use without a grant. A negative number decreases it. */
    Account allowed(long more) {
        return more == 0 ? this : with(books.allowed(more));
    }

    /**
     * Sets the number of permits that calls may use without a grant, and withdraws unspent permits beyond that number.
     */
    private Step allows(Step step, long ungranted, Totals totals) {
        long more = ungranted - books.ungranted();
        return more >= 0
                ? step.with(step.account().allowed(more)).with(so -> so.adds(more))
                : step.with(so -> so.adds(-Math.min(-more, books.ungrantedLeft(totals))));
    }

    private long slack(Totals totals, Moment now) {
        return known.slack(terms, books.ungranted(), totals.instances(), now);
    }

    Step decideAlone(
            Outage outage, OwnUse own, long needed, boolean isCalled, boolean hadFreeCalls, Totals totals, Moment now) {
        Step step = alone(outage, own, needed, hadFreeCalls, totals, now);
        return (isCalled ? step.with(step.account().in(Stage.ACTIVE)) : step).lets(Line.IS_DECIDED);
    }

    /**
     * Determines how many permits calls may use without the store. Permits used on this instance are treated as used
     * even if the store has not recorded them. The calls since the last tick are recorded first, because this instance
     * assumes that calls to other instances ended when its own calls did.
     */
    private Step alone(Outage outage, OwnUse own, long needed, boolean hadFreeCalls, Totals totals, Moment now) {
        Account next = updated(totals, hadFreeCalls, now);
        long unrecorded = books.unrecorded(totals);
        long answerMillis = (now.nanos() - answeredNanos) / 1_000_000;
        var others = new Knowledge.Others(next.pace.ofOthers(), answerMillis, next.pace.calledAgoMillis(now));
        next = next.with(known.withoutStore(key(), terms, outage, own, unrecorded, others, now));
        long allowed = next.known.allowedWithoutStore(outage, unrecorded, needed, now);
        return next.allows(to(next).tells(), allowed, totals);
    }

    Step decideWithStore(Totals totals, Moment now) {
        Account next = with(known.withStore());
        boolean isOver = stage != Stage.ACTIVE && next.endsSlack(totals);
        return next.allows(to(next).tells(), isOver ? 0 : next.slack(totals, now), totals);
    }

    /**
     * Makes the account report after an outage. An idle account also reports if it has something to report, because
     * its calls requested no checks during the outage.
     */
    Step reportToStore(Totals totals, Moment now) {
        return to(stage == Stage.ACTIVE || !isQuiet(totals, now) ? owes(Why.STORE_BACK, now) : this);
    }

    Step continueFrom(Account before, Outage outage, OwnUse own, long unrecorded, Moment now) {
        return to(
                terms.isConcurrency()
                        ? this
                        : with(known.continuing(key(), terms, before.known, outage, own, unrecorded, now)));
    }

    // ---- Life cycle

    private Account in(Stage next) {
        return next == stage
                ? this
                : new Account(
                        subjects, terms, stage.to(next), known, books, waiting, pace, outstanding, owed, answeredNanos);
    }

    /**
     * Returns the step to the next account. If that account is idle but owes a statement or has waiting calls, it
     * becomes active. An account that becomes active publishes a snapshot, because the snapshot determines how often
     * calls request checks.
     */
    private Step to(Account next) {
        boolean wakes = next.stage == Stage.IDLE && (next.owed != null || next.waiting.isWaiting());
        Account awake = wakes ? next.in(Stage.ACTIVE) : next;
        Step step = Step.to(awake);
        return awake.stage == Stage.ACTIVE && stage != Stage.ACTIVE ? step.tells() : step;
    }

    Step closePool(Moment now) {
        return to(owes(Why.CLOSING, now));
    }

    Step close() {
        return Step.to(in(Stage.CLOSED));
    }

    Step reopen(Totals totals, Moment now) {
        return isWorthReopening(totals, now) ? to(in(Stage.IDLE).owes(Why.REFUND, now)) : Step.to(this);
    }

    Step handOver(Moment now) {
        Books booked = books.bookGrant(terms, made(), Grant.VOID, now.millis(), now);
        return Step.to(new Account(subjects, terms, stage, known, booked, waiting, pace, null, owed, answeredNanos));
    }

    /**
     * Takes over the statement of a closed account. Waiting calls then ask the store again, because permits were
     * returned to the limit.
     */
    Step inherit(Statement late, Moment now) {
        return with(books.lost(terms, late, now.millis())).owes(Why.REFUND, now).hearFreed(now);
    }

    Step takeOver(Account before) {
        return to(with(books.takingOver(before.books)));
    }

    /**
     * Whether everything is reported and no permits are held. If so, the account needs no check before the next call.
     */
    public boolean isQuiet(Totals totals, Moment now) {
        return books.isAllReported(terms, totals)
                && !isStatementOut()
                && owed == null
                && !waiting.isWaiting()
                && pace.isQuiet(terms, now);
    }

    /** Whether the pool is closed and everything relevant is reported. */
    public boolean isDone(Totals totals, Moment now) {
        return totals.isClosed()
                && !totals.isUndecided()
                && !isStatementOut()
                && (books.isReportUseless(key(), terms, totals, now) || known.isOverWithoutStore(totals.used(), now));
    }

    /** Whether a closed account has something to report after all, because a call has belatedly returned permits. */
    public boolean isWorthReopening(Totals totals, Moment now) {
        return stage == Stage.CLOSED
                && books.hasFinalReport(terms, totals)
                && !books.isReportUseless(key(), terms, totals, now);
    }

    // ---- Derived facts

    /**
     * Returns the pace, including the calls since the last update. The account of the next window starts with this
     * pace.
     */
    public Pace pace(Totals totals, boolean hadFreeCalls, Moment now) {
        return pace.updated(terms, totals, hadFreeCalls, now);
    }

    /** Whether a statement is in flight. */
    public boolean isStatementOut() {
        return outstanding != null;
    }

    /** Whether this account needs news from other instances. */
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

    /** Describes the account for operators; {@code needed} is the number of permits that waiting calls need. */
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

    /**
     * Returns the public reason with the same name. {@code DiagnosticsTest} checks that each {@code Why} has a public
     * reason.
     */
    private static LimiterDiagnostics.Account.Reason reason(Why why) {
        return LimiterDiagnostics.Account.Reason.valueOf(why.name());
    }

    private Account with(Knowledge next) {
        return new Account(subjects, terms, stage, next, books, waiting, pace, outstanding, owed, answeredNanos);
    }

    private Account with(Books next) {
        return new Account(subjects, terms, stage, known, next, waiting, pace, outstanding, owed, answeredNanos);
    }

    private Account with(Waits next) {
        return new Account(subjects, terms, stage, known, books, next, pace, outstanding, owed, answeredNanos);
    }

    private Account with(@Nullable Due next) {
        return new Account(subjects, terms, stage, known, books, waiting, pace, outstanding, next, answeredNanos);
    }
}
