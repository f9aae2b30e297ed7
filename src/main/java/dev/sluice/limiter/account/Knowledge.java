package dev.sluice.limiter.account;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.limiter.rule.FleetUsage;
import dev.sluice.limiter.shared.SharedSnapshot;
import dev.sluice.limiter.shared.SharedSnapshot.State;
import org.jspecify.annotations.Nullable;

/**
 * What this instance knows of one shared limit: the store's last answer, later news, and how long these are valid.
 *
 * <pre>
 *   NEW ── first answer ──▶ SHARED ── nothing is left, nobody holds any ──▶ used up until t
 *                           SHARED ◀── t has come, or news FREED ───────────┘
 *   any ── the store is away ──▶ WITHOUT_STORE or DENYING ── it answers ──▶ SHARED, or NEW if it never had
 * </pre>
 *
 * @param usage the fleet's usage
 * @param isAnswered whether the store has answered yet
 * @param elsewhere what others held unspent at the store's last answer
 * @param usedUpUntilMillis until when no more is left than {@code usage} says; 0 if the store has to be asked
 * @param isOutdated whether something came back since the claim under way was made, as far as known
 * @param retryAtMillis when the leases of silent instances end; {@link Long#MAX_VALUE} if none is expected to
 * @param absence how calls are decided while the store is away; {@code null} while it answers
 * @param includedUse what was used here while the store was away and is included in {@code usage}
 * @param polls when a used-up limit is asked for again
 */
record Knowledge(
        FleetUsage usage,
        boolean isAnswered,
        long elsewhere,
        long usedUpUntilMillis,
        boolean isOutdated,
        long retryAtMillis,
        @Nullable State absence,
        long includedUse,
        Polls polls) {

    /**
     * When a used-up limit is asked for again, since other instances may have returned something.
     *
     * @param intervals the pause in intervals
     * @param nextNanos the end of the pause
     */
    record Polls(int intervals, long nextNanos) {

        /** The first pause in intervals, the factor for each next one, and the longest. */
        private static final int FIRST_INTERVALS = 2;

        private static final int TIMES = 4;
        private static final int MOST_INTERVALS = 16;

        static final Polls NONE = new Polls(FIRST_INTERVALS, 0);

        /** After an answer: the limit is used up, or not. */
        Polls answered(boolean isUsedUp, Terms terms, Moment now) {
            int pause = isUsedUp ? intervals : FIRST_INTERVALS;
            return new Polls(pause, now.nanos() + pause * terms.everyMillis() * 1_000_000);
        }

        boolean isTime(Moment now) {
            return now.nanos() - nextNanos >= 0;
        }

        /** After the store was asked, whether or not an answer comes. */
        Polls asked(Terms terms, Moment now) {
            int pause = Math.min(intervals * TIMES, MOST_INTERVALS);
            return new Polls(pause, now.nanos() + pause * terms.everyMillis() * 1_000_000);
        }
    }

    /** Before any answer. */
    static Knowledge initial(SharedSnapshot first) {
        State absence = first.state() == State.NEW ? null : first.state();
        return new Knowledge(first.usage(), false, 0, 0, false, Long.MAX_VALUE, absence, 0, Polls.NONE);
    }

    boolean isStoreAway() {
        return absence != null;
    }

    boolean isUsedUp() {
        return usedUpUntilMillis > 0;
    }

    /** Whether asking for more can succeed. */
    boolean mayHaveLeft(Moment now) {
        return !isAnswered || usage.left(now.millis()) > 0;
    }

    /** Whether refused calls are a reason to ask again for a used-up limit. */
    boolean isTimeToAskAgain(Moment now) {
        return !isStoreAway() && isAnswered && now.millis() < usedUpUntilMillis && polls.isTime(now);
    }

    Knowledge asksAgain(Terms terms, Moment now) {
        return new Knowledge(
                usage,
                isAnswered,
                elsewhere,
                usedUpUntilMillis,
                isOutdated,
                retryAtMillis,
                absence,
                includedUse,
                polls.asked(terms, now));
    }

    /** The store answered a claim. */
    Knowledge answered(Terms terms, Claim claim, Grant grant, Moment now) {
        FleetUsage latest = terms.limit().usageAfter(grant);
        long left = latest.left(now.millis());
        boolean saysWhatOthersHold = claim.needed().all() + claim.wanted() + claim.held() > 0;
        boolean nothingIsLeft = left <= 0 && (saysWhatOthersHold || isUsedUp());
        boolean usedUp = grant.elsewhere() == 0 && (grant.isShortOf(claim) || nothingIsLeft) && !isOutdated;
        long until = 0;
        if (usedUp) {
            until = latest.knownUntilMillis(now.millis());
            if (left > 0) { // too little for the calls that wait; there is no news when more comes back
                until = Math.min(until, now.millis() + terms.everyMillis() / 4);
            }
        }
        return new Knowledge(
                latest,
                true,
                grant.elsewhere(),
                until,
                false,
                Long.MAX_VALUE,
                null,
                0,
                polls.answered(until > 0, terms, now));
    }

    /**
     * Something came back to the limit, or is on its way.
     *
     * @param outdatesAnswer whether the answer to a claim under way may be older
     */
    Knowledge freed(boolean outdatesAnswer) {
        return new Knowledge(
                usage, isAnswered, elsewhere, 0, outdatesAnswer, retryAtMillis, absence, includedUse, polls);
    }

    /**
     * Another instance was told that all is used and nothing is held; {@code null} if that need not stay true, since
     * permits come back with time.
     */
    @Nullable Knowledge usedUpForOthers(Terms terms, Moment now) {
        FleetUsage all = terms.limit().usageIfUsedUp();
        return all == null
                ? null
                : new Knowledge(
                        all,
                        isAnswered,
                        0,
                        Long.MAX_VALUE,
                        isOutdated,
                        retryAtMillis,
                        absence,
                        includedUse,
                        polls.answered(true, terms, now));
    }

    /** Holders do not return permits: for a quarter of an interval calls are refused at once. */
    Knowledge othersAreSilent(Terms terms, Moment now) {
        return new Knowledge(
                usage,
                isAnswered,
                0,
                now.millis() + terms.everyMillis() / 4,
                isOutdated,
                now.millis() + terms.leaseMillis(),
                absence,
                includedUse,
                polls);
    }

    /**
     * The store is away.
     *
     * @param state how calls are decided
     * @param uncounted what was used here and the store does not count
     */
    Knowledge withoutStore(State state, long uncounted, Moment now) {
        FleetUsage later = uncounted > includedUse ? usage.after(uncounted - includedUse, now.millis()) : null;
        return new Knowledge(
                later == null ? usage : later,
                isAnswered,
                elsewhere,
                usedUpUntilMillis,
                isOutdated,
                retryAtMillis,
                state,
                later == null ? includedUse : uncounted,
                polls);
    }

    /** How much may be used here in all since the store's last answer, while it is away. */
    long leftWithoutStore(Moment now) {
        return includedUse + Math.max(0, usage.left(now.millis()));
    }

    Knowledge withStore() {
        return new Knowledge(
                usage,
                isAnswered,
                elsewhere,
                usedUpUntilMillis,
                isOutdated,
                retryAtMillis,
                null,
                includedUse,
                polls);
    }

    /** Whether the store is away and nothing used here matters any more. */
    boolean isOverWithoutStore(long used, Moment now) {
        return isStoreAway() && used <= includedUse && usage.resetMillis(now.millis()) == 0;
    }

    /**
     * What calls may know.
     *
     * @param ungranted how many of the permits in hand were not granted
     */
    SharedSnapshot snapshot(Terms terms, long ungranted, long lowWater) {
        return new SharedSnapshot(
                absence != null ? absence : isAnswered ? State.SHARED : State.NEW,
                usage,
                Math.max(0, ungranted - includedUse),
                terms.mayComeBackUnspent() ? elsewhere : 0,
                usedUpUntilMillis,
                lowWater,
                retryAtMillis);
    }
}
