package dev.sluice.limiter.balance;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.limiter.rule.FleetUsage;
import dev.sluice.limiter.rule.SharedLimit;
import dev.sluice.limiter.shared.SharedSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * What this instance knows of one shared limit: what the store said last, what others have said since, and how long
 * that can be relied on. For one thread; calls read what {@link #view} makes of it.
 */
public final class Knowledge {

    private final SharedLimit limit;
    private final long everyMillis;
    private final PollBackoff backoff;

    private FleetUsage usage;
    private boolean heard;
    /** What others held unspent when the store was asked. */
    private long elsewhere;
    /** Until when no more is left than {@link #usage} says; 0 if the store has to be asked. */
    private long usedUpUntilMillis;
    /** Whether something has come back since the store was asked, as far as is known. */
    private boolean isAnswerOld;
    /** When the permits of instances that are silent are free again. */
    private long retryAtMillis = Long.MAX_VALUE;

    /** Who decides while the store is away; {@code null} while it is not. */
    private SharedSnapshot.@Nullable Phase alone;
    /** What was used here while the store was away, and {@link #usage} knows of. */
    private long reckoned;

    public Knowledge(SharedLimit limit, SharedSnapshot born, long everyMillis) {
        this.limit = limit;
        this.everyMillis = everyMillis;
        this.backoff = new PollBackoff(everyMillis * 1_000_000);
        this.usage = born.usage();
        this.alone = born.phase() == SharedSnapshot.Phase.NEW ? null : born.phase();
    }

    public FleetUsage usage() {
        return usage;
    }

    /** Whether the store has told anything yet. */
    public boolean isHeard() {
        return heard;
    }

    /** Whether the answer to the claim under way may be older than what is known. */
    public boolean isAnswerOld() {
        return isAnswerOld;
    }

    /** Whether the store is away, as far as this limit is concerned. */
    public boolean isAlone() {
        return alone != null;
    }

    /** Whether calls were told that all is used. */
    public boolean isUsedUp() {
        return usedUpUntilMillis > 0;
    }

    /** Whether asking for more may bring something. */
    public boolean mayHaveLeft(Moment now) {
        return !heard || usage.left(now.millis()) > 0;
    }

    /** Whether calls that were refused make it worth asking again for a limit that is used up. */
    public boolean asksAgain(Moment now) {
        return now.millis() < usedUpUntilMillis && backoff.isTime(now.nanos());
    }

    /** The store has answered a claim. */
    public void hear(Claim claim, Grant grant, Moment now) {
        usage = limit.usageAfter(grant);
        heard = true;
        alone = null;
        reckoned = 0;
        elsewhere = grant.elsewhere();
        retryAtMillis = Long.MAX_VALUE;
        boolean nothingIsLeft = usage.left(now.millis()) <= 0 && (asksForPermits(claim) || usedUpUntilMillis > 0);
        boolean usedUp = elsewhere == 0 && (grant.isShortOf(claim) || nothingIsLeft);
        usedUpUntilMillis = usedUp && !isAnswerOld ? knownUntilMillis(now) : 0;
        isAnswerOld = false;
        backoff.heard(usedUpUntilMillis > 0, now.nanos());
    }

    /** Whether the store has looked at what others hold. */
    private static boolean asksForPermits(Claim claim) {
        return claim.needed().all() + claim.wanted() + claim.held() > 0;
    }

    /** If something is left, though too little for the calls that wait, nobody tells when more comes back. */
    private long knownUntilMillis(Moment now) {
        long known = usage.knownUntilMillis(now.millis());
        return usage.left(now.millis()) > 0 ? Math.min(known, now.millis() + everyMillis / 4) : known;
    }

    /** Permits are on their way back to the store. */
    public void somethingComesBack() {
        usedUpUntilMillis = 0;
    }

    /** Something came back to a limit that was used up. An answer that is under way may be older than that. */
    public void freed(boolean isAsking) {
        isAnswerOld = isAsking;
        usedUpUntilMillis = 0;
    }

    /** Another instance was told that all is used and nobody holds any; whether it stays so. */
    public boolean usedUp(Moment now) {
        FleetUsage usedUp = limit.usageIfUsedUp();
        if (usedUp == null) {
            return false;
        }
        usage = usedUp;
        elsewhere = 0;
        usedUpUntilMillis = Long.MAX_VALUE;
        backoff.heard(true, now.nanos());
        return true;
    }

    /** Those who hold permits do not return them: for a quarter of an interval calls are refused at once. */
    public void othersAreSilent(long leaseMillis, Moment now) {
        elsewhere = 0;
        usedUpUntilMillis = now.millis() + everyMillis / 4;
        retryAtMillis = now.millis() + leaseMillis;
    }

    /**
     * The store is away; how much may have been used here in all since it was heard.
     *
     * @param phase who decides on calls
     * @param used what was used here since
     */
    public long leftAlone(SharedSnapshot.Phase phase, long used, Moment now) {
        alone = phase;
        FleetUsage later = used > reckoned ? usage.after(used - reckoned, now.millis()) : null;
        if (later != null) {
            usage = later;
            reckoned = used;
        }
        return reckoned + Math.max(0, usage.left(now.millis()));
    }

    public void endAlone() {
        alone = null;
    }

    /** Whether the store is away, and nothing of what was used here matters any more. */
    public boolean isOverAlone(long used, Moment now) {
        return alone != null && used <= reckoned && usage.resetMillis(now.millis()) == 0;
    }

    /**
     * What calls are told.
     *
     * @param lent how many of the permits in hand were never granted
     * @param countsElsewhere whether what others hold is unspent
     */
    public SharedSnapshot view(long lent, boolean countsElsewhere, long lowWater) {
        SharedSnapshot.Phase phase =
                alone != null ? alone : heard ? SharedSnapshot.Phase.SHARED : SharedSnapshot.Phase.NEW;
        long unspent = countsElsewhere ? elsewhere : 0;
        long lentBeyondUsage = Math.max(0, lent - reckoned);
        return new SharedSnapshot(phase, usage, lentBeyondUsage, unspent, usedUpUntilMillis, lowWater, retryAtMillis);
    }
}
