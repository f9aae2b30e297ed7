package dev.sluice.limiter.balance;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.limiter.rule.FleetUsage;
import dev.sluice.limiter.rule.SharedLimit;
import dev.sluice.limiter.shared.SharedSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * What this instance knows of one shared limit: the store's last answer, later news, and how long these are valid. Not
 * safe for several threads; calls read what {@link #snapshot} returns.
 */
public final class KnownUsage {

    private final SharedLimit limit;
    private final long everyMillis;
    private final PollBackoff backoff;

    private FleetUsage usage;
    private boolean answered;
    /** What others held unspent at the store's last answer. */
    private long elsewhere;
    /** Until when no more is left than {@link #usage} says; 0 if the store has to be asked. */
    private long usedUpUntilMillis;
    /** Whether something was returned since the store was asked, as far as known. */
    private boolean isAnswerOutdated;
    /** When the leases of silent instances end. */
    private long retryAtMillis = Long.MAX_VALUE;

    /** How calls are decided while the store is away; {@code null} while it answers. */
    private SharedSnapshot.@Nullable State absence;
    /** What was used here while the store was away and is included in {@link #usage}. */
    private long includedUse;

    public KnownUsage(SharedLimit limit, SharedSnapshot initial, long everyMillis) {
        this.limit = limit;
        this.everyMillis = everyMillis;
        this.backoff = new PollBackoff(everyMillis * 1_000_000);
        this.usage = initial.usage();
        this.absence = initial.state() == SharedSnapshot.State.NEW ? null : initial.state();
    }

    public FleetUsage usage() {
        return usage;
    }

    /** Whether the store has answered yet. */
    public boolean isAnswered() {
        return answered;
    }

    /** Whether news arrived while the claim was under way, so that its answer may be outdated. */
    public boolean isAnswerOutdated() {
        return isAnswerOutdated;
    }

    /** Whether this limit is decided without the store. */
    public boolean isStoreAway() {
        return absence != null;
    }

    /** Whether the limit counts as used up. */
    public boolean isUsedUp() {
        return usedUpUntilMillis > 0;
    }

    /** Whether asking for more can succeed. */
    public boolean mayHaveLeft(Moment now) {
        return !answered || usage.left(now.millis()) > 0;
    }

    /** Whether refused calls are a reason to ask again for a used-up limit. */
    public boolean asksAgain(Moment now) {
        return now.millis() < usedUpUntilMillis && backoff.isTime(now.nanos());
    }

    /** Processes the answer to a claim. */
    public void apply(Claim claim, Grant grant, Moment now) {
        usage = limit.usageAfter(grant);
        answered = true;
        absence = null;
        includedUse = 0;
        elsewhere = grant.elsewhere();
        retryAtMillis = Long.MAX_VALUE;
        boolean nothingIsLeft = usage.left(now.millis()) <= 0 && (asksForPermits(claim) || usedUpUntilMillis > 0);
        boolean usedUp = elsewhere == 0 && (grant.isShortOf(claim) || nothingIsLeft);
        usedUpUntilMillis = usedUp && !isAnswerOutdated ? knownUntilMillis(now) : 0;
        isAnswerOutdated = false;
        backoff.answered(usedUpUntilMillis > 0, now.nanos());
    }

    /** Whether the store's answer says what others hold. */
    private static boolean asksForPermits(Claim claim) {
        return claim.needed().all() + claim.wanted() + claim.held() > 0;
    }

    /** If something is left, but too little for waiting calls, there is no news when more comes back. */
    private long knownUntilMillis(Moment now) {
        long known = usage.knownUntilMillis(now.millis());
        return usage.left(now.millis()) > 0 ? Math.min(known, now.millis() + everyMillis / 4) : known;
    }

    /** Permits are being returned to the store. */
    public void permitsReturning() {
        usedUpUntilMillis = 0;
    }

    /** Something was returned to a used-up limit. An answer that is under way may be older. */
    public void freed(boolean isAsking) {
        isAnswerOutdated = isAsking;
        usedUpUntilMillis = 0;
    }

    /** Another instance was told that all is used and nothing is held; returns whether that stays true. */
    public boolean usedUp(Moment now) {
        FleetUsage usedUp = limit.usageIfUsedUp();
        if (usedUp == null) {
            return false;
        }
        usage = usedUp;
        elsewhere = 0;
        usedUpUntilMillis = Long.MAX_VALUE;
        backoff.answered(true, now.nanos());
        return true;
    }

    /** Holders do not return permits: for a quarter of an interval calls are refused at once. */
    public void othersAreSilent(long leaseMillis, Moment now) {
        elsewhere = 0;
        usedUpUntilMillis = now.millis() + everyMillis / 4;
        retryAtMillis = now.millis() + leaseMillis;
    }

    /**
     * The store is away: returns how much may be used here in all since its last answer.
     *
     * @param state how calls are decided
     * @param used what was used here since
     */
    public long leftInAbsence(SharedSnapshot.State state, long used, Moment now) {
        absence = state;
        FleetUsage later = used > includedUse ? usage.after(used - includedUse, now.millis()) : null;
        if (later != null) {
            usage = later;
            includedUse = used;
        }
        return includedUse + Math.max(0, usage.left(now.millis()));
    }

    public void endAbsence() {
        absence = null;
    }

    /** Whether the store is away and nothing used here matters any more. */
    public boolean isOverInAbsence(long used, Moment now) {
        return absence != null && used <= includedUse && usage.resetMillis(now.millis()) == 0;
    }

    /**
     * Creates the snapshot for calls.
     *
     * @param ungranted how many of the permits in hand were never granted
     * @param countsElsewhere whether what others hold may come back unspent
     */
    public SharedSnapshot snapshot(long ungranted, boolean countsElsewhere, long lowWater) {
        SharedSnapshot.State state =
                absence != null ? absence : answered ? SharedSnapshot.State.SHARED : SharedSnapshot.State.NEW;
        long unspent = countsElsewhere ? elsewhere : 0;
        long ungrantedOutsideUsage = Math.max(0, ungranted - includedUse);
        return new SharedSnapshot(
                state, usage, ungrantedOutsideUsage, unspent, usedUpUntilMillis, lowWater, retryAtMillis);
    }
}
