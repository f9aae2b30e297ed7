package dev.sluice.internal.limiter.account;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.FIRST_QUESTION_INTERVALS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LONGEST_QUESTION_INTERVALS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.MOST_TAKEN_BY_OTHERS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.QUESTION_GROWTH;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.TOO_LITTLE_MILLIS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.UNRESPONSIVE_HOLDERS_DIVISOR;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Gift;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.limiter.rule.FleetUsage;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.rule.OwnUse;
import dev.sluice.internal.limiter.rule.Part;
import dev.sluice.internal.limiter.rule.UsageWithGift;
import dev.sluice.internal.limiter.shared.SharedSnapshot;
import dev.sluice.internal.limiter.shared.SharedSnapshot.Mode;
import dev.sluice.internal.limiter.shared.SharedSnapshot.Outlook;
import org.jspecify.annotations.Nullable;

/**
 * What this instance knows about one shared limit: the store's latest answer, later news, and how long they are valid.
 * Immutable.
 *
 * <pre>
 *   NEW ── first answer ──▶ SHARED ── nothing is left, nobody holds any ──▶ used up until t
 *                           SHARED ◀── t has come, or news FREED ───────────┘
 *   any ── the store is unavailable ──▶ WITHOUT_STORE or DENYING ── it answers ──▶ SHARED, or NEW if it never had
 *                                     └─ it answers; others may have to report ──▶ STORE_BACK ── later ──▲
 * </pre>
 *
 * @param fleet the fleet's usage at the last answer
 * @param isAnswered whether the store has ever answered
 * @param isCalm whether the limit was calm at the last answer or, before the first answer, in the previous window; see
 *     {@link dev.sluice.internal.limiter.rule.Slack}
 * @param outageMode how calls are decided while the store is unavailable or has just returned; {@code null} otherwise
 * @param alone the permits that this instance may use without the store; {@code null} if the store has not been
 *     unavailable since its latest answer
 */
public record Knowledge(
        FleetUsage fleet,
        boolean isAnswered,
        boolean isCalm,
        UsedUp usedUp,
        @Nullable Mode outageMode,
        @Nullable Alone alone) {

    /**
     * How long the limit stays used up, and when to ask the store again in case other instances have returned permits.
     * Most counters share {@link #NOT}, because their limits are not used up while others hold permits.
     *
     * @param elsewhere the unspent permits that other instances held at the store's latest answer
     * @param untilMillis until when no further permits can become available; 0 if the store has to be asked
     * @param sinceMillis since when the limit has been considered used up while calls of other instances may return
     *     permits; 0 if it is not considered used up, or if no call may return any
     * @param isOutdated whether permits are known to have been returned since the statement in flight was made
     * @param retryAtMillis when the leases of unresponsive instances end; {@link Long#MAX_VALUE} if no lease is
     *     expected to end
     * @param pause the pause before the next question, in intervals
     * @param askNanos when to ask again
     */
    public record UsedUp(
            long elsewhere,
            long untilMillis,
            long sinceMillis,
            boolean isOutdated,
            long retryAtMillis,
            int pause,
            long askNanos) {

        static final UsedUp NOT = new UsedUp(0, 0, 0, false, Long.MAX_VALUE, FIRST_QUESTION_INTERVALS, 0);

        UsedUp freed(boolean outdatesAnswer) {
            return new UsedUp(elsewhere, 0, 0, outdatesAnswer, retryAtMillis, pause, askNanos);
        }

        /** Returns the state after an answer. No permits remain until {@code millis}, which is 0 if some remain. */
        UsedUp until(
                long millis,
                long heldElsewhere,
                boolean mayComeBack,
                boolean outdated,
                long retryMillis,
                Terms terms,
                Moment now) {
            if (millis == 0 && heldElsewhere == 0 && !outdated && retryMillis == Long.MAX_VALUE) {
                return NOT;
            }
            int next = millis > 0 ? pause : FIRST_QUESTION_INTERVALS;
            long askAgain = now.nanos() + next * terms.everyMillis() * 1_000_000;
            long since = millis == 0 || !mayComeBack ? 0 : untilMillis == 0 ? now.millis() : sinceMillis;
            return new UsedUp(heldElsewhere, millis, since, outdated, retryMillis, next, askAgain);
        }

        /** Returns the state after the store was asked, whether or not it answers. */
        UsedUp asked(Terms terms, Moment now) {
            int next = Math.min(pause * QUESTION_GROWTH, LONGEST_QUESTION_INTERVALS);
            long askAgain = now.nanos() + next * terms.everyMillis() * 1_000_000;
            return new UsedUp(elsewhere, untilMillis, sinceMillis, isOutdated, retryAtMillis, next, askAgain);
        }
    }

    /**
     * The permits that this instance may use on its own while the store is unavailable. They stay valid after the store
     * returns, until the other instances have reported.
     *
     * @param includedUse the use here that {@code usage} includes although the store has not recorded it
     * @param isContinued whether {@code usage} includes permits that were used before a change of the limit, or that
     *     the store has recorded since it returned
     */
    public record Alone(Part part, FleetUsage usage, long includedUse, boolean isContinued) {

        /** Whether this remains valid for that part; if not, it is computed again. */
        boolean stays(Part next) {
            return part.equals(next) || !isAsNew();
        }

        /** Whether none of these permits has been used yet, so that their number can be computed again. */
        boolean isAsNew() {
            return includedUse == 0 && !isContinued;
        }

        /** Returns these permits after this total use, which the store has not recorded. */
        Alone after(long unrecorded, Moment now) {
            return unrecorded > includedUse
                    ? new Alone(part, usage.after(unrecorded - includedUse, now.millis()), unrecorded, isContinued)
                    : this;
        }

        Alone recorded(long added, Moment now) {
            return new Alone(part, usage.after(added - includedUse, now.millis()), 0, true);
        }
    }

    /**
     * Creates the knowledge of a new account from its first snapshot. It includes an answer if one arrived before the
     * counter became dormant.
     */
    static Knowledge opened(FleetUsage fleet, boolean isAnswered, SharedSnapshot first) {
        Mode outageMode = first.mode() == (isAnswered ? Mode.SHARED : Mode.NEW) ? null : first.mode();
        boolean isCalm = first.outlook().isCalm();
        return new Knowledge(fleet, isAnswered, isCalm, UsedUp.NOT, outageMode, null);
    }

    private Knowledge with(@Nullable Mode nextMode, @Nullable Alone nextAlone) {
        return new Knowledge(fleet, isAnswered, isCalm, usedUp, nextMode, nextAlone);
    }

    private Knowledge with(UsedUp next) {
        return new Knowledge(fleet, isAnswered, isCalm, next, outageMode, alone);
    }

    /**
     * Returns the usage that decides calls here. It is normally the usage of the fleet. During an outage and just after
     * it, it is the usage of this instance's part.
     */
    public FleetUsage usage() {
        return outageMode != null && alone != null ? alone.usage() : fleet;
    }

    boolean isStoreUnavailable() {
        return outageMode != null && !keepsToPart();
    }

    /** Whether the store is unavailable and calls here may use the permits that the policy allows. */
    boolean mayUseItsPart() {
        return isStoreUnavailable() && outageMode != Mode.DENYING;
    }

    /**
     * Whether the store has just become available again. Until the others have reported, this instance asks for no more
     * permits than remain in its part.
     */
    public boolean keepsToPart() {
        return outageMode == Mode.STORE_BACK;
    }

    /**
     * Returns how many permits this instance may request.
     *
     * @param ungranted the ungranted permits that it has in hand or has used since an answer
     */
    long mayAsk(long ungranted, Moment now) {
        return keepsToPart() ? Math.max(0, left(now) - Math.max(0, ungranted - includedUse())) : Long.MAX_VALUE;
    }

    /** Returns what operators have given, for a store that may have lost it. */
    Gift gift() {
        return Gift.known(UsageWithGift.givenOf(fleet));
    }

    public boolean isUsedUp() {
        return usedUp.untilMillis > 0;
    }

    long left(Moment now) {
        return usage().left(now.millis());
    }

    boolean mayHaveLeft(Moment now) {
        return !isAnswered || left(now) > 0;
    }

    /** Whether enough time has passed to ask the store again about a used-up limit. */
    boolean isTimeToAskAgain(Moment now) {
        return !isStoreUnavailable()
                && isAnswered
                && now.millis() < usedUp.untilMillis
                && now.nanos() - usedUp.askNanos >= 0;
    }

    /** Whether half of that pause has passed. If so, the question can be sent with another exchange. */
    boolean isSoonTimeToAskAgain(Terms terms, Moment now) {
        return isTimeToAskAgain(new Moment(now.nanos() + usedUp.pause * terms.everyMillis() * 500_000, now.millis()));
    }

    Knowledge asksAgain(Terms terms, Moment now) {
        return with(usedUp.asked(terms, now));
    }

    /**
     * Returns the knowledge after an answer from the store.
     *
     * @param added how many more permits the store has recorded as used or held here
     */
    Knowledge learn(Terms terms, Statement statement, Grant grant, long added, Moment now) {
        FleetUsage latest = terms.limit().usageAfter(grant, now.millis());
        long left = latest.left(now.millis());
        boolean saysWhatOthersHold = statement.needed().all() + statement.wanted() + statement.held() > 0;
        boolean nothingIsLeft = left <= 0 && (saysWhatOthersHold || isUsedUp());
        long until = 0;
        if (grant.elsewhere() == 0 && (grant.isShortOf(statement) || nothingIsLeft) && !usedUp.isOutdated) {
            until = latest.knownUntilMillis(now.millis());
            if (left > 0) { // too few for the waiting calls, and no news will announce returned permits
                until = Math.min(until, now.millis() + TOO_LITTLE_MILLIS);
            }
        }
        UsedUp next = usedUp.until(until, grant.elsewhere(), grant.mayComeBack(), false, Long.MAX_VALUE, terms, now);
        boolean calm = terms.slack().isCalm(latest, now.millis());
        return keepsToPart()
                ? new Knowledge(latest, true, calm, next, outageMode, alone).recorded(added, now)
                : new Knowledge(latest, true, calm, next, null, null);
    }

    /** Returns the knowledge after the store has recorded more permits as used or held here. */
    Knowledge recorded(long added, Moment now) {
        return keepsToPart() && alone != null ? with(outageMode, alone.recorded(added, now)) : this;
    }

    /** Returns the knowledge after permits were returned or are about to be. A reply in flight may not include them. */
    Knowledge freed(boolean outdatesAnswer) {
        return with(usedUp.freed(outdatesAnswer));
    }

    /**
     * Returns the knowledge after holders failed to return permits. For a moment, calls are then refused without
     * waiting.
     */
    Knowledge othersAreUnresponsive(Terms terms, Moment now) {
        long until = now.millis() + terms.everyMillis() / UNRESPONSIVE_HOLDERS_DIVISOR;
        long retryAt = now.millis() + terms.leaseMillis();
        return with(usedUp.until(until, 0, true, usedUp.isOutdated, retryAt, terms, now));
    }

    // ---- What may be used without a grant

    /**
     * Returns how many permits may be used without a grant while the store answers. Before its first answer, slack only
     * shrinks. A counter that continues another one has no slack, because the other counter may have used it.
     */
    public long slack(Terms terms, long ungranted, int instances, Moment now) {
        return isAnswered
                ? terms.slack().after(usage(), isCalm, instances, now.millis())
                : Math.min(ungranted, terms.slack().atFirst(usage(), isCalm, instances, now.millis()));
    }

    /**
     * Returns the knowledge while the store is unavailable or has just become available again. This instance's part is
     * computed once. It is computed again only if it changes before any of its permits are used. For slots, the part
     * depends on calls that end, so it is always computed again.
     *
     * @param others what this instance knows about other instances since the latest answer
     */
    Knowledge withoutStore(
            CounterKey key, Terms terms, Outage outage, OwnUse own, long unrecorded, Others others, Moment now) {
        Part part = outage.part(key, isAnswered, now.millis());
        Alone begun = alone != null && !terms.isConcurrency() && alone.stays(part)
                ? alone
                : new Alone(
                        part,
                        fleetAtBeginning(terms, part, outage, others, now).alone(part, own, now.millis()),
                        0,
                        false);
        return with(Mode.during(outage), begun.after(unrecorded, now));
    }

    /**
     * The facts from which this instance estimates how many permits others have taken since the latest answer.
     *
     * @param pace how many permits they took per millisecond before that answer
     * @param answerMillis how long ago the latest answered statement was made
     * @param callMillis how long ago a call was last noticed here; {@link Long#MAX_VALUE} if there was none
     */
    record Others(float pace, long answerMillis, long callMillis) {}

    /** Estimates the fleet's usage when the store became unavailable. */
    private FleetUsage fleetAtBeginning(Terms terms, Part part, Outage outage, Others others, Moment now) {
        long taken = terms.isConcurrency() ? 0 : takenByOthers(part, outage, others, now);
        return taken > 0 ? fleet.after(taken, now.millis()) : fleet;
    }

    /**
     * Estimates how many permits other instances took between the store's last answer and the beginning of the outage.
     * The estimate is their pace before that answer, multiplied by the age of the answer. The ages of the answers
     * differ between instances. Without the estimate, the instances together would therefore divide more permits than
     * remained. The permits that this instance took itself need no estimate. The answer includes them, or they are
     * unrecorded and counted exactly.
     *
     * <p>But the estimate must not deprive callers of their part. So it assumes that other instances were called only
     * until the last call here. A limit without calls has no pace, however old the answer is. There is also an upper
     * bound: the store grants ahead at most half of the remaining permits, divided by the number of holders. Slots have
     * no pace, because calls return them.
     */
    private long takenByOthers(Part part, Outage outage, Others others, Moment now) {
        long pastMillis = Math.max(now.millis() - outage.sinceMillis(), others.callMillis);
        long goneOnMillis = Math.max(0, others.answerMillis - pastMillis);
        double most = MOST_TAKEN_BY_OTHERS * fleet.left(now.millis()) * (part.instances() - 1) / part.instances();
        return (long) Math.min(others.pace * goneOnMillis, most);
    }

    /** Returns the knowledge of an account that continues the same limit with other figures. */
    Knowledge continuing(
            CounterKey key, Terms terms, Knowledge before, Outage outage, OwnUse own, long unrecorded, Moment now) {
        if (before.alone == null) {
            return this;
        }
        Part part = outage.part(key, isAnswered, now.millis());
        FleetUsage usage = fleet.alone(part, own, now.millis())
                .continuing(before.alone.usage(), unrecorded - before.alone.includedUse(), now.millis());
        return with(outageMode, new Alone(part, usage, 0, true));
    }

    /**
     * Returns how many permits may be used without a grant in total. More are added when calls need them, if the policy
     * allows it.
     */
    public long allowedWithoutStore(Outage outage, long unrecorded, long needed, Moment now) {
        long allowed = outage.allowed(includedUse() + Math.max(0, left(now)));
        return needed < allowed - unrecorded ? unrecorded + needed : allowed;
    }

    private long includedUse() {
        return outageMode != null && alone != null ? alone.includedUse() : 0;
    }

    Knowledge withStore() {
        return with(null, alone);
    }

    /** Whether the store is unavailable and all use here has become irrelevant. */
    boolean isOverWithoutStore(long used, Moment now) {
        return isStoreUnavailable() && used <= includedUse() && usage().resetMillis(now.millis()) == 0;
    }

    SharedSnapshot snapshot(Terms terms, long ungranted, long lowWater, Moment now) {
        Outlook outlook = new Outlook(
                isCalm,
                terms.mayComeBackUnspent() && outageMode == null ? usedUp.elsewhere : 0,
                usedUp.untilMillis,
                usedUp.sinceMillis,
                othersMayHaveLeft(now) ? 0 : usedUp.retryAtMillis);
        return new SharedSnapshot(
                outageMode != null ? outageMode : isAnswered ? Mode.SHARED : Mode.NEW,
                usage(),
                Math.max(0, ungranted - includedUse()),
                lowWater,
                outlook.shared());
    }

    /**
     * Whether a refused call may pass once the store is available again. It may if the instances have divided the
     * remaining permits, because other instances may not have used up their parts.
     */
    private boolean othersMayHaveLeft(Moment now) {
        return outageMode != null && alone != null && alone.part().instances() > 1 && fleet.left(now.millis()) > 0;
    }
}
