package dev.sluice.limiter.account;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.limiter.account.Due.Why;
import dev.sluice.limiter.shared.SharedSnapshot;
import dev.sluice.limiter.shared.UseTimes.Calls;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that one instance knows of one shared counter, as an immutable value: the whole protocol of counting together for one
 * counter, without a clock, a thread or a queue. Each thing that can happen is one method, which takes the time and the
 * pool's {@link Totals} and returns the next account; the ledger carries out what follows from it.
 *
 * <pre>
 *   life    IDLE ── a call ──▶ ACTIVE ── all is reported, nobody calls ──▶ IDLE
 *           ACTIVE ── the pool is closed, all is reported ──▶ CLOSED ── a call returns something late ──▶ IDLE
 *   claim   none ── {@link #claimed} ──▶ outstanding ── {@link #answered} ──▶ none
 *                                          outstanding ── {@link #givenUp} ──▶ none, reported anew
 *           applied, and {@link #lost} by the store ──▶ reported anew
 * </pre>
 *
 * <p>What is known of the fleet is in {@link Knowledge}, who waits in {@link Recall}; each draws its own states.
 *
 * @param terms what never changes
 * @param outstanding the claim under way; {@code null} if there is none
 * @param owed the claim to be sent next, apart from those for calls that wait; {@code null} if there is none
 * @param claimedNanos when the last claim was made
 */
public record Account(
        Terms terms,
        Stage stage,
        Knowledge known,
        Books books,
        Recall recall,
        Pace pace,
        Uses uses,
        @Nullable Outstanding outstanding,
        @Nullable Due owed,
        long claimedNanos) {

    /** Use is reported at least every so many intervals, and leases are renewed. */
    private static final int INTERVALS_BETWEEN_REPORTS = 2;

    /**
     * Charges are reported soon once they are this fraction of what is left, so that many instances hardly exceed the
     * limit.
     */
    private static final int UNREPORTED_CHARGES_DIVISOR = 40;

    /** The slack is at most this fraction of what is left, so that even twenty instances together hardly exceed it. */
    private static final int SLACK_DIVISOR = 40;

    /** Where an account is in its life. */
    public enum Stage {
        /** Something is used, held or wanted: it is looked at at each tick. */
        ACTIVE,
        /** All is reported, and nothing is held: it waits for a call. */
        IDLE,
        /** No further claims are sent, unless it is reopened. */
        CLOSED
    }

    /**
     * The account of a new pool.
     *
     * @param first what calls know before the store has answered
     * @param rate the calls of the window before
     */
    public static Account opened(Terms terms, SharedSnapshot first, CallRate rate, Moment now) {
        return new Account(
                terms,
                Stage.IDLE,
                Knowledge.initial(first),
                new Books(first.ungranted(), 0, 0, 0),
                Recall.none(now),
                Pace.opened(rate, now),
                Uses.NONE,
                null,
                null,
                now.nanos());
    }

    // ---- When is a claim to be sent, and why?

    /** When a claim is to be sent, and why; {@code null} if not before something happens. */
    public @Nullable Due due() {
        if (stage != Stage.ACTIVE || isAsking()) {
            return null;
        }
        if (recall.isRecalled() || recall.isWaiting()) {
            return new Due(recall.claimNanos(), recall.isWaiting() ? Why.CALLS_WAIT : Why.RECALLED);
        }
        return owed;
    }

    /** A claim is to be sent. A reason that is more urgent stays, and so does the place among those that wait. */
    public Account owes(Why why, Moment now) {
        Due before = owed;
        if (before == null) {
            return with(new Due(now.nanos(), why));
        }
        return before.why().isUrgent ? this : with(new Due(before.nanos(), why));
    }

    /**
     * Calls were made since the account was last looked at, and one of them requested a check.
     *
     * @param isLow whether fewer permits are in hand than calls were told to leave
     * @param isOverdrawn whether charges use up what was left, or need what other instances hold
     */
    public Account called(Totals totals, boolean isLow, boolean isOverdrawn, Moment now) {
        if (totals.isClosed()) {
            return owes(Why.CLOSING, now);
        }
        if (totals.isWaitedFor()) {
            return with(recall.waits(now));
        }
        if (owesRefund(totals)) {
            return owes(Why.REFUND, now);
        }
        if (isOverdrawn) {
            return owes(Why.OVERDRAWN, now);
        }
        if (isLow) {
            return owes(Why.LOW, now);
        }
        return hasManyCharges(totals, now) ? owes(Why.CHARGE, now) : this;
    }

    /**
     * Whether other instances should hear of charges soon. If nothing is left but the limit is not used up, they hold
     * permits that may have to be recalled.
     */
    private boolean hasManyCharges(Totals totals, Moment now) {
        long left = Math.max(0, known.usage().left(now.millis()));
        return totals.overdrawn() * UNREPORTED_CHARGES_DIVISOR > left && totals.overdrawn() > 0 && !known.isUsedUp();
    }

    /**
     * A quarter of an interval has passed.
     *
     * @param hadFreeCalls whether calls passed that are charged afterwards
     * @param intervalEnds whether it was the last one of an interval, when shares are filled up
     */
    public Account ticked(Totals totals, boolean hadFreeCalls, boolean intervalEnds, Moment now) {
        if (totals.isClosed()) {
            return owes(Why.CLOSING, now);
        }
        if (known.isTimeToAskAgain(now)) {
            return with(known.asksAgain(terms, now)).owes(Why.USED_UP, now);
        }
        Account next = updated(totals, hadFreeCalls, now);
        boolean isLongAgo = isClaimedBefore(INTERVALS_BETWEEN_REPORTS * terms.everyMillis(), now);
        long held = books.held(totals);
        if (next.pace.isQuiet(terms, now)) {
            boolean renewsLease = books.inUse() > 0 && isLongAgo;
            return hasUnreported(totals) || held > 0 || renewsLease ? next.owes(Why.RETURN, now) : next;
        }
        if (!intervalEnds) {
            return next;
        }
        long share = next.pace.share(terms, totals, now);
        boolean wasCalled = books.unreported(totals) != 0;
        boolean isTooSmall = wasCalled && held < share - share / 4 && known.mayHaveLeft(now);
        return isTooSmall || isTooLarge(held, share) || isLongAgo ? next.owes(Why.INTERVAL, now) : next;
    }

    private static boolean isTooLarge(long held, long share) {
        return held > 2 * share;
    }

    /** An exchange is made anyway: a share that will run low soon is filled up with it. */
    public Account exchanging(Totals totals, Moment now) {
        boolean isIdle = stage != Stage.ACTIVE || isAsking() || owed != null;
        return !isIdle
                        && pace.isLowSoon(
                                terms, totals, books.ungranted(), known.usage().left(now.millis()), now)
                ? owes(Why.LOW, now)
                : this;
    }

    private boolean isClaimedBefore(long millis, Moment now) {
        return now.isAfter(claimedNanos, millis);
    }

    // ---- A claim

    /** With the calls that were made since. */
    public Account updated(Totals totals, boolean hadFreeCalls, Moment now) {
        Pace latest = pace.updated(totals, hadFreeCalls, now);
        return latest == pace ? this : with(latest);
    }

    /** With the times of these calls, which are to be reported. */
    public Account timed(List<Calls> made, Moment now) {
        return with(uses.plus(made, now.millis()));
    }

    /**
     * How many permits should be returned before the next claim.
     *
     * @param isRegular whether nothing is urgent: then a share that is too large may be returned
     */
    public long surplus(Totals totals, boolean isRegular, Moment now) {
        long held = books.held(totals);
        if (recall.isRecalled() || owesRefund(totals)) {
            return held;
        }
        if (!isRegular) {
            return 0;
        }
        if (pace.isQuiet(terms, now)) {
            return held;
        }
        long share = pace.share(terms, totals, now);
        return isTooLarge(held, share) ? held - share : 0;
    }

    /** Permits are being returned to the store: until it has them, the limit does not count as used up. */
    public Account returning() {
        return with(known.freed(known.isOutdated()));
    }

    /** Whether waiting calls know what other instances had free after they began to wait, if the limit has places. */
    public boolean isRecalledForPlaces() {
        return terms.isConcurrency() && recall.recalledMillis() > 0;
    }

    /**
     * Makes the claim to send now: it is {@link #outstanding} in the next account, or {@code null} if there is nothing to
     * report or to ask.
     *
     * @param needed what waiting calls need
     */
    public Account claimed(Totals totals, Need needed, Moment now) {
        Account next = needed.all() == 0 && !totals.isClosed() ? with(recall.waitsNoMore()) : this;
        long wanted = totals.isClosed() ? 0 : next.wanted(totals, now);
        boolean isUseless = totals.isClosed()
                ? isReportUseless(totals, now)
                : !hasUnreported(totals)
                        && needed.all() + wanted == 0
                        && known.isAnswered()
                        && !recall.isRecalled()
                        && !isClaimedBefore(terms.everyMillis(), now);
        return isUseless ? next.with((Due) null) : next.claimed(totals, needed, wanted, now);
    }

    private long wanted(Totals totals, Moment now) {
        return pace.isQuiet(terms, now) || recall.isRecent(terms.everyMillis(), now) || !known.mayHaveLeft(now)
                ? 0
                : Math.max(0, pace.share(terms, totals, now) - books.held(totals));
    }

    private Account claimed(Totals totals, Need needed, long wanted, Moment now) {
        Due due = due();
        Uses.Report report = uses.report(unreported(totals), now.millis());
        Rule rule = terms.limit().rule(totals.occupied(), recall.recalledMillis(), now.millis());
        Claim claim = new Claim(
                terms.key(),
                report.uses(now.millis()),
                books.held(totals),
                needed,
                wanted,
                terms.leaseMillis(),
                rule);
        Outstanding made = new Outstanding(
                claim,
                due == null ? Why.RETURN : due.why(),
                books.unreported(totals),
                report,
                totals.overdrawn(),
                books.ungrantedLeft(totals),
                recall.recalls());
        return new Account(
                terms, stage, known, books, recall, pace, uses.sent(report, isTimed()), made, null, now.nanos());
    }

    /**
     * The store applied the claim under way.
     *
     * @param taken how much of what was granted waiting calls have taken already
     */
    public Account answered(Outstanding made, Grant grant, long taken, long appliedMillis, Moment now) {
        Claim claim = made.claim();
        long granted = grant.granted();
        long usedAtOnce = claim.needed().usedOf(granted);
        long inUse = claim.rule() instanceof Rule.Places places ? places.inUse() + usedAtOnce : 0;
        return new Account(
                terms,
                stage,
                known.answered(terms, claim, grant, now),
                new Books(
                        made.ungrantedLeft(),
                        books.reported() + made.use() + usedAtOnce,
                        claim.held() + granted - usedAtOnce,
                        inUse),
                recall.answered(grant.needsRecall(claim), granted, taken, made.recalls(), now),
                pace,
                uses.applied(
                        made.uses(), usedAtOnce, appliedMillis, terms.limit().useTimesKeptMillis(), now.millis()),
                null,
                owed,
                claimedNanos);
    }

    /**
     * The claim under way, if any, will not be applied as far as known: it is reported anew. The store may have granted
     * something, so what is held has to be reported too.
     */
    public Account givenUp(Moment now) {
        Outstanding made = outstanding;
        Account next = new Account(
                terms,
                stage,
                known,
                books.withHeld(Math.max(books.held(), 1)),
                recall,
                pace,
                made == null ? uses : uses.failed(made.uses(), isTimed()),
                null,
                owed,
                claimedNanos);
        return next.owes(Why.FAILED, now);
    }

    /**
     * The store has lost what was reported.
     *
     * @param applied the lost claim; {@code null} for all
     * @param sentMillis when that was sent
     */
    public Account lost(@Nullable Claim applied, long sentMillis, Moment now) {
        Account next;
        if (terms.isConcurrency()) {
            next = with(books.withInUse(0));
        } else if (isTimed()) {
            next = with(books.withHeld(0)).with(uses.lost(applied, sentMillis));
        } else {
            long known = applied == null ? 0 : books.reported() - applied.used();
            next = with(books.withHeld(0).withReported(known));
        }
        return next.owes(Why.LOST, now);
    }

    private boolean isTimed() {
        return terms.limit().useTimesKeptMillis() > 0;
    }

    // ---- News of other instances, and calls that wait

    /** Another instance needs what is held here. */
    public Account recalled(Moment now) {
        return with(recall.recalled(now));
    }

    /** Something was returned to a used-up limit. The answer to a claim under way may be older. */
    public Account freed(Moment now) {
        return with(known.freed(isAsking())).with(recall.asksNow(now));
    }

    /**
     * The store told another instance that all is used and nothing is held; {@code null} if that need not hold here: if
     * permits come back with time, or may just be granted.
     */
    public @Nullable Account usedUpForOthers(Moment now) {
        Knowledge usedUp = isAsking() ? null : known.usedUpForOthers(terms, now);
        return usedUp == null ? null : with(usedUp).with(recall.waitsNoMore());
    }

    /** Calls wait. */
    public Account waits(Moment now) {
        return with(recall.waits(now));
    }

    /** No call waits any more. */
    public Account waitsNoMore() {
        return with(recall.waitsNoMore());
    }

    /**
     * Waiting calls are refused, since silent instances hold what they need, and so are others for a moment, unless the
     * store, which is asked once more, knows better.
     */
    public Account refusedForOthers(Moment now) {
        return with(known.othersAreSilent(terms, now)).with(recall.givenUp(now)).owes(Why.CALLS_WAIT, now);
    }

    /** Waiting calls got no answer, and were decided by {@code onFailure}. */
    public Account refusedWithoutAnswer(Moment now) {
        return with(recall.givenUp(now));
    }

    // ---- What may be used without a grant

    /** Permits that were not granted were put into the pool, or taken out if the number is negative. */
    public Account allowed(long ungranted) {
        return ungranted == 0 ? this : with(books.withUngranted(books.ungranted() + ungranted));
    }

    /** How much slack is allowed now: less if the limit is nearly used up. */
    public long slack(Moment now) {
        long left = known.usage().left(now.millis());
        return Math.max(0, Math.min(terms.slack(), known.isAnswered() ? left / SLACK_DIVISOR : left));
    }

    /** How calls are decided while the store is away. */
    public static SharedSnapshot.State stateWithoutStore(OnFailure policy) {
        return policy == OnFailure.DENY ? SharedSnapshot.State.DENYING : SharedSnapshot.State.WITHOUT_STORE;
    }

    /** What may be used while the store is away, if this much is left as far as known. */
    public static long allowedWithoutStore(OnFailure policy, long left) {
        return switch (policy) {
            case LOCAL -> left;
            case ALLOW -> Limit.MAX_THRESHOLD;
            case DENY -> 0;
        };
    }

    /** The store is away: what was used here since counts as used. */
    public Account withoutStore(OnFailure policy, Totals totals, Moment now) {
        return with(known.withoutStore(stateWithoutStore(policy), books.uncounted(totals), now));
    }

    /**
     * How many permits may be used without a grant while the store is away, or late.
     *
     * @param needed how much calls need; {@link Long#MAX_VALUE} for as much as the policy allows
     */
    public long allowedWithoutStore(OnFailure policy, Totals totals, long needed, Moment now) {
        long used = books.uncounted(totals);
        long allowed = allowedWithoutStore(policy, known.leftWithoutStore(now));
        return needed < allowed - used ? used + needed : allowed;
    }

    /** The store answers again. */
    public Account withStore() {
        return with(known.withStore());
    }

    // ---- Life

    public Account entering(Stage next) {
        return new Account(terms, next, known, books, recall, pace, uses, outstanding, owed, claimedNanos);
    }

    /** Takes over what the store knows of a closed account of the same counter. */
    public Account takingOver(Account before) {
        long held = Math.max(1, before.books.held()); // not 0, so that the next claim is sent and corrects it
        return with(books.withHeld(held).withInUse(before.books.inUse()));
    }

    /** Whether all is reported and nothing is held, so that no look is needed until a call comes. */
    public boolean isQuiet(Totals totals, Moment now) {
        return isAllReported(totals)
                && !isAsking()
                && owed == null
                && !recall.isWaiting()
                && pace.isQuiet(terms, now);
    }

    /** Whether the pool is closed and everything that matters is reported. */
    public boolean isDone(Totals totals, Moment now) {
        return totals.isClosed()
                && !totals.isUndecided()
                && !isAsking()
                && (isReportUseless(totals, now) || known.isOverWithoutStore(totals.used(), now));
    }

    /** Whether a closed account has something that the store should know: a call returned it late. */
    public boolean isWorthReopening(Totals totals, Moment now) {
        return stage == Stage.CLOSED && hasFinalClaim(totals) && !isReportUseless(totals, now);
    }

    /** Whether a final claim has something to report or to return. */
    public boolean hasFinalClaim(Totals totals) {
        return hasUnreported(totals) || books.held(totals) > 0;
    }

    // ---- What is known

    /** Whether a claim is under way. */
    public boolean isAsking() {
        return outstanding != null;
    }

    /** Whether the store has answered for it yet. */
    public boolean isAnswered() {
        return known.isAnswered();
    }

    /** Whether the limit is known to be used up. */
    public boolean isUsedUp() {
        return known.isUsedUp();
    }

    /** Whether news arrived while the claim was under way, so that its answer may be outdated. */
    public boolean isAnswerOutdated() {
        return known.isOutdated();
    }

    /** Whether calls wait and the store has not answered for them yet. */
    public boolean isUnansweredSince(long nanos) {
        return isWaitingSince(nanos) && recall.here() == Recall.Here.UNASKED;
    }

    /** Whether calls have waited since then, or longer. */
    public boolean isWaitingSince(long nanos) {
        return recall.isWaiting() && recall.sinceNanos() - nanos <= 0;
    }

    /** Whether, according to the store, something is or may soon be held or in use here. */
    public boolean mayHold() {
        return books.isAnythingCounted() || isAsking();
    }

    /** Whether news of other instances matter. */
    public boolean needsNews() {
        boolean mayBeUsedUp = isAnswered() && stage == Stage.ACTIVE;
        return stage != Stage.CLOSED
                && (books.isAnythingCounted() || known.isUsedUp() || recall.isWaiting() || mayBeUsedUp);
    }

    /** What was used here and not reported yet. */
    public long debt(Totals totals) {
        return books.unreported(totals);
    }

    /** Whether the store counts calls that were refused in the end, so that their permits have to be returned. */
    public boolean owesRefund(Totals totals) {
        return !totals.isWaitedFor() && unreported(totals) < 0;
    }

    /** How much the store holds for this instance, as far as known. */
    public long heldAtStore() {
        return books.held();
    }

    public long ungranted() {
        return books.ungranted();
    }

    /** The calls within the last interval. */
    public CallRate rate() {
        return pace.rate();
    }

    /** What was used for good and is unreported; 0 for places. */
    private long unreported(Totals totals) {
        return terms.isConcurrency() ? 0 : books.unreported(totals);
    }

    private boolean hasUnreported(Totals totals) {
        return unreported(totals) != 0
                || totals.occupied() != books.inUse()
                || books.held(totals) != books.held()
                || uses.hasToRepeat();
    }

    private boolean isAllReported(Totals totals) {
        return !hasUnreported(totals) && !books.isAnythingCounted();
    }

    /** Whether another report would be of no use. What is held has to be returned, or the store keeps it. */
    private boolean isReportUseless(Totals totals, Moment now) {
        return isAllReported(totals)
                || (books.held() == 0
                        && TimeToLive.USUAL.isTooLate(
                                terms.key(), terms.limit().rule(), now.millis()));
    }

    /** What calls may know now. */
    public SharedSnapshot snapshot(Totals totals, Moment now) {
        return known.snapshot(terms, books.ungranted(), lowWater(totals, now));
    }

    private long lowWater(Totals totals, Moment now) {
        if (known.isStoreAway()) {
            return 0;
        }
        if (stage == Stage.IDLE) {
            return totals.inHand(); // each call requests a check
        }
        return known.mayHaveLeft(now) ? pace.lowWater(terms, books.ungranted(), now) : 0;
    }

    // ---- The next account

    private Account with(Knowledge next) {
        return new Account(terms, stage, next, books, recall, pace, uses, outstanding, owed, claimedNanos);
    }

    private Account with(Books next) {
        return new Account(terms, stage, known, next, recall, pace, uses, outstanding, owed, claimedNanos);
    }

    private Account with(Recall next) {
        return new Account(terms, stage, known, books, next, pace, uses, outstanding, owed, claimedNanos);
    }

    private Account with(Pace next) {
        return new Account(terms, stage, known, books, recall, next, uses, outstanding, owed, claimedNanos);
    }

    private Account with(Uses next) {
        return new Account(terms, stage, known, books, recall, pace, next, outstanding, owed, claimedNanos);
    }

    private Account with(@Nullable Due next) {
        return new Account(terms, stage, known, books, recall, pace, uses, outstanding, next, claimedNanos);
    }
}
