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
 * What this instance knows about one shared limit. This includes the store's latest answer, later news, and how long
 * both remain valid. Immutable.
 *
 * <pre>
 *   NEW ── first answer ──▶ SHARED ── no permits remain, and no instance holds any ──▶ used up until t
 *                           SHARED ◀── t is reached, or FREED news arrives ────────────┘
 *   any ── the store is unavailable ──▶ WITHOUT_STORE or DENYING
 *   WITHOUT_STORE or DENYING ── the store answers ──▶ SHARED, or NEW if it has never answered before
 *   WITHOUT_STORE or DENYING ── the store answers, but others might still have to report ──▶ STORE_BACK
 *   STORE_BACK ── others have had time to report ──▶ SHARED or NEW
 * </pre>
 *
 * @param fleet the fleet's usage at the last answer
 * @param isAnswered whether the store has ever answered
 * @param isCalm whether the limit was calm at the last answer or, before the first answer, in the previous window; see
 *     {@link dev.sluice.internal.limiter.rule.Slack}
 * @param outageMode the mode in which calls are decided during an outage and shortly afterwards; {@code null} at all
 *     other times
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
     * How long the limit remains used up, and when to ask the store again in case other instances have returned
     * permits. Most counters share the value {@link #NOT}, because their limits are not used up and other instances
     * hold none of their permits.
     *
     * @param elsewhere the number of unspent permits that other instances held when the store last answered
     * @param untilMillis the time before which no further permits can become available; 0 if the store has to be asked
     * @param sinceMillis the time since which the limit has been considered used up although calls on other instances
     *     might return permits; 0 if it is not considered used up or if no call can return any permits
     * @param isOutdated whether permits are known to have been returned since the statement in flight was made
     * @param retryAtMillis the time when the leases of unresponsive instances end; {@link Long#MAX_VALUE} if no lease
     *     is expected to end
     * @param pause the pause before the store is asked again, in intervals
     * @param askNanos the earliest time to ask the store again
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

        /**
         * Returns the state after an answer. No permits become available before {@code millis}. If permits remain,
         * {@code millis} is 0.
         */
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
     * The permits that this instance may use on its own while the store is unavailable. They remain valid after the
     * store has become available again, until the other instances have reported.
     *
     * @param includedUse the amount of this instance's unrecorded use that {@code usage} already includes
     * @param isContinued whether {@code usage} includes permits that were used before the limit was changed or that the
     *     store has recorded since it became available again
     */
    public record Alone(Part part, FleetUsage usage, long includedUse, boolean isContinued) {

        /**
         * Whether these permits remain valid if the instance's part is now {@code next}. Otherwise, they have to be
         * recomputed.
         */
        boolean stays(Part next) {
            return part.equals(next) || !isAsNew();
        }

        /** Whether none of these permits has been used yet. If so, their number can be recomputed. */
        boolean isAsNew() {
            return includedUse == 0 && !isContinued;
        }

        /** Returns these permits after the unrecorded use has risen to the given total. */
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
     * Creates the knowledge of a new account from its first snapshot. {@code isAnswered} is true if the store had
     * answered before the counter became dormant.
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
     * Returns the usage on which this instance bases its decisions. Normally, it is the fleet's usage. During an outage
     * and shortly afterwards, it is the usage of this instance's part.
     */
    public FleetUsage usage() {
        return outageMode != null && alone != null ? alone.usage() : fleet;
    }

    boolean isStoreUnavailable() {
        return outageMode != null && !keepsToPart();
    }

    /** Whether the store is unavailable and calls on this instance may use the permits that the policy allows. */
    boolean mayUseItsPart() {
        return isStoreUnavailable() && outageMode != Mode.DENYING;
    }

    /**
     * Whether the store has just become available again. Until the other instances have reported, this instance
     * requests no more permits than remain in its part.
     */
    public boolean keepsToPart() {
        return outageMode == Mode.STORE_BACK;
    }

    /**
     * Returns how many permits this instance may request.
     *
     * @param ungranted the number of ungranted permits that this instance has in hand or has used since the store's
     *     latest answer
     */
    long mayAsk(long ungranted, Moment now) {
        return keepsToPart() ? Math.max(0, left(now) - Math.max(0, ungranted - includedUse())) : Long.MAX_VALUE;
    }

    /** Returns the number of calls that operators have given, in case the store has lost that number. */
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

    /**
     * Whether half of the pause before the next question has passed. If so, the question can be sent as part of an
     * exchange that is made anyway.
     */
    boolean isSoonTimeToAskAgain(Terms terms, Moment now) {
        return isTimeToAskAgain(new Moment(now.nanos() + usedUp.pause * terms.everyMillis() * 500_000, now.millis()));
    }

    Knowledge asksAgain(Terms terms, Moment now) {
        return with(usedUp.asked(terms, now));
    }

    /**
     * Returns the updated knowledge after an answer from the store.
     *
     * @param added the number of additional permits that the store has recorded as used or held by this instance
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

    /**
     * Returns the updated knowledge after the store has recorded additional permits as used or held by this instance.
     */
    Knowledge recorded(long added, Moment now) {
        return keepsToPart() && alone != null ? with(outageMode, alone.recorded(added, now)) : this;
    }

    /**
     * Returns the updated knowledge after permits were returned or shortly before they are returned. A reply in flight
     * might not include these permits.
     */
    Knowledge freed(boolean outdatesAnswer) {
        return with(usedUp.freed(outdatesAnswer));
    }

    /**
     * Returns the updated knowledge after other instances have failed to return the permits that they hold. For a short
     * time afterwards, calls are refused without waiting.
     */
    Knowledge othersAreUnresponsive(Terms terms, Moment now) {
        long until = now.millis() + terms.everyMillis() / UNRESPONSIVE_HOLDERS_DIVISOR;
        long retryAt = now.millis() + terms.leaseMillis();
        return with(usedUp.until(until, 0, true, usedUp.isOutdated, retryAt, terms, now));
    }

    // ---- Permits that calls may use without a grant

    /**
     * Returns how many permits calls may use without a grant while the store is available. Before the store's first
     * answer, slack can only shrink. A counter that continues a previous counter has no slack, because the previous
     * counter might have used it.
     */
    public long slack(Terms terms, long ungranted, int instances, Moment now) {
        return isAnswered
                ? terms.slack().after(usage(), isCalm, instances, now.millis())
                : Math.min(ungranted, terms.slack().atFirst(usage(), isCalm, instances, now.millis()));
    }

    /**
     * Returns the knowledge that applies during an outage and shortly afterwards. This instance's part is computed
     * once. It is recomputed only if it changes before any of its permits are used. For slots, the part depends on
     * which calls have ended, so it is always recomputed.
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
     * The facts from which this instance estimates how many permits other instances have taken since the latest answer.
     *
     * @param pace the number of permits that the other instances took per millisecond before the latest answer
     * @param answerMillis the time that has passed since the latest answered statement was made
     * @param callMillis the time that has passed since a call was last noticed on this instance; {@link Long#MAX_VALUE}
     *     if there was none
     */
    record Others(float pace, long answerMillis, long callMillis) {}

    /** Estimates the fleet's usage at the time when the store became unavailable. */
    private FleetUsage fleetAtBeginning(Terms terms, Part part, Outage outage, Others others, Moment now) {
        long taken = terms.isConcurrency() ? 0 : takenByOthers(part, outage, others, now);
        return taken > 0 ? fleet.after(taken, now.millis()) : fleet;
    }

    /**
     * Estimates how many permits other instances took between the store's last answer and the beginning of the outage.
     * The estimate is their pace before that answer, multiplied by the age of the answer. The latest answers of the
     * instances differ in age. Without the estimate, the instances together would therefore divide more permits than
     * remained. The permits that this instance itself took need no estimate, because they are either included in the
     * answer or part of the unrecorded use, which this instance knows exactly.
     *
     * <p>However, a high estimate must not deprive callers of permits that are due to them. It therefore assumes that
     * calls to other instances ended when calls to this instance did. If no call has arrived at this instance since the
     * answer, the estimate is zero regardless of the answer's age. The estimate also has an upper bound, because the
     * store grants at most half of the remaining permits ahead, divided by the number of holders. For slots, the
     * estimate is always zero, because calls return their slots when they end.
     */
    private long takenByOthers(Part part, Outage outage, Others others, Moment now) {
        long pastMillis = Math.max(now.millis() - outage.sinceMillis(), others.callMillis);
        long goneOnMillis = Math.max(0, others.answerMillis - pastMillis);
        double most = MOST_TAKEN_BY_OTHERS * fleet.left(now.millis()) * (part.instances() - 1) / part.instances();
        return (long) Math.min(others.pace * goneOnMillis, most);
    }

    /** Returns the knowledge of an account that continues a previous account's counter after the limit was changed. */
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
     * Returns the total number of permits that calls may use without a grant. If the policy allows it, more permits are
     * added when calls need them.
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

    /** Whether the store is unavailable and all use on this instance has become irrelevant. */
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
     * Whether a call that is refused now might pass once the store is available again. This is possible if the
     * instances have divided the remaining permits, because other instances might not have used up their parts.
     */
    private boolean othersMayHaveLeft(Moment now) {
        return outageMode != null && alone != null && alone.part().instances() > 1 && fleet.left(now.millis()) > 0;
    }
}
