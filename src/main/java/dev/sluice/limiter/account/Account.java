package dev.sluice.limiter.account;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.exchange.Expiry;
import dev.sluice.limiter.rule.SharedBucket;
import dev.sluice.limiter.rule.SharedLimit;
import dev.sluice.limiter.shared.FleetView;
import dev.sluice.limiter.shared.QueueSchedule;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Sync;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What this instance has to tell and ask of the store for one shared pool, and what the answers mean. The background's
 * alone; {@link Balance} has the sums, {@link ShareInHand} the share that is wanted, {@link Lending} what may be used
 * without a grant, {@link Recall} the state of calls that wait.
 */
public final class Account implements SharedPool.Attachment {

    /** Leases last so many intervals; what is held is told anew long before. */
    private static final int INTERVALS_OF_A_LEASE = 5;

    private static final int INTERVALS_BETWEEN_REPORTS = 2;

    /** A call that has found its window just before the end is counted there, if it is not later than this. */
    private static final long LATE_CALLS_MILLIS = 100;

    /** Charges are told soon once they are this part of what is left, so that many instances hardly pass the limit. */
    private static final int PART_UNTOLD = 40;

    /** Where an account is in its life. */
    public enum Phase {
        /** Something is used, held or wanted: it is looked at each tick. */
        ACTIVE,
        /** All is told, and nothing is held: it waits for a call. */
        IDLE,
        /** Nothing is asked for it any more. */
        CLOSED
    }

    public final SharedPool pool;
    public final CounterKey key;
    public final String keyText;
    public final long everyMillis;
    public final Recall recall;

    private Phase phase = Phase.IDLE;
    private final SharedLimit limit;
    /** Whether what calls take comes back when they end. */
    private final boolean isConcurrency;

    private final boolean isStrict;

    private final Balance balance;
    private final UseReport report;
    private final ShareInHand share;
    private final Lending lending;
    private final Knowledge known;
    private final StoreRecord record;
    private final OccupiedPlaces<Account> places;

    public Account(SharedPool pool, Moment now) {
        this.pool = pool;
        this.key = pool.counter.keyAt(pool.start);
        this.keyText = key.text();
        this.limit = pool.limit;
        this.isConcurrency = pool.counter.family.compiledLimit.isConcurrency();
        Sync sync = pool.counter.family.tier.sync();
        this.isStrict = sync.strict();
        this.everyMillis = sync.every().toMillis();
        FleetView born = pool.view;
        this.balance = new Balance(pool, born.lent());
        this.report = new UseReport(pool);
        this.places = new OccupiedPlaces<>(this, this::used);
        this.recall = new Recall(now);
        this.known = new Knowledge(limit, born, everyMillis);
        this.share = new ShareInHand(pool, balance, known, now);
        this.lending = new Lending(balance, known, sync.slackOf(pool.counter.most()));
        this.record = new StoreRecord(now);
    }

    public boolean isHeard() {
        return known.isHeard();
    }

    /** Whether the answer to the claim under way may be older than what is known. */
    public boolean isAnswerOld() {
        return known.isAnswerOld();
    }

    public boolean isAsking() {
        return record.isAsking();
    }

    /** Reports the places of another from now on, which has to report nothing any more; whether calls take places. */
    public boolean takeOverPlaces(Account other) {
        if (!isConcurrency) {
            return false;
        }
        places.takeOver(other.places);
        record.takeOver(other.record);
        return true;
    }

    /** Who reports the places of this account, if it is closed and calls are still under way. */
    @Nullable public Account successor() {
        return places.successor();
    }

    /** The places that calls have; 0 where calls take none. */
    private long inUse(Balance.State state) {
        return isConcurrency ? places.number(state.used()) : 0;
    }

    /** What was used for good and the store was not told; 0 of places. */
    private long unreported(Balance.State state) {
        return isConcurrency ? 0 : balance.unreported(state);
    }

    /** How much was used here in all. */
    public long used() {
        return balance.state().used();
    }

    /** Claims that tell once more what was used here of the frames before this one. */
    public Stream<Claim> framesBefore() {
        int frames = pool.counter.family.compiledLimit.frames;
        long length = pool.counter.family.compiledLimit.lengthMillis;
        return IntStream.rangeClosed(1, frames)
                .mapToLong(frame -> pool.start - frame * length)
                .filter(start -> pool.history.ownFrames.at(start) > 0)
                .mapToObj(start -> new Claim(
                        pool.counter.keyAt(start),
                        List.of(new Use(0, pool.history.ownFrames.at(start))),
                        0,
                        Need.NONE,
                        0,
                        leaseMillis(),
                        limit.rule(0, 0)));
    }

    public long leaseMillis() {
        return INTERVALS_OF_A_LEASE * everyMillis;
    }

    /** Whether the store believes that something is held or in use here, or may soon. */
    public boolean mayHold() {
        return record.isAny() || record.isAsking();
    }

    /** Whether others may recall something from here, or news of others matter here. */
    public boolean isInterested() {
        boolean mayBeUsedUp = known.isHeard() && phase == Phase.ACTIVE;
        return phase != Phase.CLOSED && (record.isAny() || known.isUsedUp() || recall.isWaiting() || mayBeUsedUp);
    }

    // ---- Its life

    public boolean isActive() {
        return phase == Phase.ACTIVE;
    }

    public boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    /** An idle account is looked at each tick from now on; whether it was idle. */
    public boolean activate(Moment now) {
        boolean wasIdle = phase == Phase.IDLE;
        if (wasIdle) {
            enter(Phase.ACTIVE, now);
        }
        return wasIdle;
    }

    /** From now on each call is noted, if everything is told; a call may have come before it knew. */
    public void rest(Moment now) {
        if (isIdle(now)) {
            enter(Phase.IDLE, now);
            if (!isIdle(now)) {
                enter(Phase.ACTIVE, now);
            }
        }
    }

    private void enter(Phase next, Moment now) {
        phase = next;
        publish(now); // from which reading on a call is noted depends on it
    }

    /** Nothing is asked for it any more. */
    public void close() {
        phase = Phase.CLOSED;
    }

    /** Opens a closed account again if a call has returned something that the store should know of; whether it did. */
    public boolean reopen(Moment now) {
        boolean isOfUse = phase == Phase.CLOSED && hasLastNews() && !isUseless(balance.state(), now);
        if (isOfUse) {
            phase = Phase.IDLE;
        }
        return isOfUse;
    }

    // ---- What to ask

    /**
     * Learns what calls have done, at one of the ticks of an interval; whether there is something to ask the store now.
     *
     * @param intervalEnds whether it is the last of them, at which shares are filled up
     */
    public boolean tick(boolean intervalEnds, Moment now) {
        if (closePoolIfOver(now)) {
            return true;
        }
        Balance.State state = share.learnUse(now);
        boolean isLongAgo = record.isAskedBefore(INTERVALS_BETWEEN_REPORTS * everyMillis, now);
        if (share.isQuiet(now)) {
            boolean renewsLease = record.inUse() > 0 && isLongAgo;
            return isNews(state) || state.held() > 0 || renewsLease;
        }
        if (!intervalEnds) {
            return false;
        }
        long wanted = share.size(state, now);
        boolean wasCalled = balance.unreported(state) != 0;
        boolean isTooSmall = wasCalled && ShareInHand.isTooSmall(state, wanted) && known.mayHaveLeft(now);
        return isTooSmall || ShareInHand.isTooLarge(state, wanted) || isLongAgo;
    }

    /** Whether it has been told everything and holds nothing, so that it need not be looked at until a call comes. */
    public boolean isIdle(Moment now) {
        return isAllTold(balance.state()) && !record.isAsking() && !recall.isWaiting() && share.isQuiet(now);
    }

    /** Whether the share in hand will run low soon, so that it is filled up if an exchange is made anyway. */
    public boolean isLowSoon(Moment now) {
        return share.isLowSoon(now);
    }

    /** Whether a share runs low, or lent permits are half used: something to ask soon. */
    public boolean isLow() {
        return pool.isLow(pool.permits.left());
    }

    /**
     * Whether the store counts calls that were refused after all, so that what they were granted has to be returned.
     */
    public boolean owesRefund() {
        return pool.waiting.isEmpty() && unreported(balance.state()) < 0;
    }

    /** Whether charges that the store was not told of use up what was left, so that other instances must know now. */
    public boolean isUsedUpByCharges(Moment now) {
        return pool.isUsedUpByCharges(now.millis());
    }

    /** Whether the store was not told of so many charges that other instances should know of them soon. */
    public boolean hasManyCharges(Moment now) {
        long left = known.usage().left(now.millis());
        return left > 0 && pool.overdrawn.get() * PART_UNTOLD > left;
    }

    /** Whether calls that were refused make it worth asking again for a limit that is used up. */
    public boolean asksAgain(Moment now) {
        return pool.view.phase() == FleetView.Phase.SHARED && known.asksAgain(now);
    }

    /**
     * What to tell and ask now, {@code null} if nothing. Permits to be returned are taken out of the pool at once.
     *
     * @param regular whether nothing presses: a share that is too large may be returned
     */
    @Nullable public Claim claim(boolean regular, Moment now) {
        if (closePoolIfOver(now)) {
            return lastClaim(now);
        }
        long size = returnUnused(regular && pool.waiting.isEmpty(), now);
        Need needed = pool.waiting.ask(pool.permits.left());
        if (needed.all() == 0) {
            recall.waitsNoMore(); // what calls waited for has come back here
        }
        Balance.State state = share.learnUse(now);
        long wanted = share.isQuiet(now) || recall.isRecent(everyMillis, now) || !known.mayHaveLeft(now)
                ? 0
                : Math.max(0, size - state.held());
        boolean nothing = !isNews(state)
                && needed.all() + wanted == 0
                && known.isHeard()
                && !recall.isDemanded()
                && !record.isAskedBefore(everyMillis, now);
        return nothing ? null : claim(state, needed, wanted, now);
    }

    private boolean isNews(Balance.State state) {
        return unreported(state) != 0
                || inUse(state) != record.inUse()
                || state.held() != record.held()
                || report.isAnyAgain();
    }

    /** Whether nothing is held or in use, and the store knows that and all else. */
    private boolean isAllTold(Balance.State state) {
        return !isNews(state) && !record.isAny();
    }

    private Claim claim(Balance.State state, Need needed, long wanted, Moment now) {
        record.ask(state, balance.unreported(state), now);
        recall.claimed();
        List<Use> uses = report.next(unreported(state), now.millis());
        Rule rule = limit.rule(inUse(state), recall.sinceMillis());
        return new Claim(key, uses, state.held(), needed, wanted, leaseMillis(), rule);
    }

    /** Takes out of the pool what is better returned; the share to have in hand. */
    private long returnUnused(boolean regular, Moment now) {
        Balance.State state = share.learnUse(now);
        long size = share.size(state, now);
        if (recall.isDemanded() || owesRefund()) {
            takeOut(state.held(), now);
        } else if (regular && share.isQuiet(now)) {
            takeOut(state.held(), now);
        } else if (regular && ShareInHand.isTooLarge(state, size)) {
            takeOut(state.held() - size, now);
        }
        return size;
    }

    /**
     * Takes permits out of the pool that are returned now. Until the store has them, it is not said that none are left.
     */
    private void takeOut(long permits, Moment now) {
        if (permits > 0 && known.isUsedUp()) {
            known.somethingComesBack();
            publish(now); // before calls find none
        }
        dropTurns(balance.takeOut(permits));
    }

    /** Permits that are returned are somebody else's, and so are the moments at which their calls might have gone on. */
    private void dropTurns(long permits) {
        QueueSchedule schedule = pool.schedule;
        if (schedule != null) {
            schedule.dropLast(permits);
        }
    }

    // ---- The end of a pool

    /**
     * Closes the pool if its time is over; whether nothing is to be taken from it any more, for that reason or because
     * its counter was retired.
     */
    public boolean closePoolIfOver(Moment now) {
        if (now.millis() >= pool.end + LATE_CALLS_MILLIS) {
            pool.permits.close();
        }
        return pool.permits.isClosed();
    }

    /** Whether calls hold permits and have not decided yet to keep them. */
    public boolean hasUndecidedCalls() {
        return pool.permits.hasUndecidedCalls();
    }

    /**
     * What to tell of a pool that is over: what was used is told, the rest returned. {@code null} if that is of no use
     * to anybody.
     */
    private @Nullable Claim lastClaim(Moment now) {
        dropTurns(balance.takeOut(Long.MAX_VALUE));
        Balance.State state = balance.state();
        return isUseless(state, now) ? null : claim(state, Need.NONE, 0, now);
    }

    /** Whether another report tells nobody anything. What is held has to be returned, or the store remembers it. */
    private boolean isUseless(Balance.State state, Moment now) {
        return isAllTold(state) || (record.held() == 0 && Expiry.USUAL.isTooLate(key, limit.rule(0, 0), now.millis()));
    }

    /** Whether a last claim tells the store what it does not know, or returns what is held. */
    public boolean hasLastNews() {
        Balance.State state = balance.state();
        return isNews(state) || state.held() > 0;
    }

    /** Whether the pool is over and the store knows all that matters. */
    public boolean isDone(Moment now) {
        if (!pool.permits.isClosed() || hasUndecidedCalls() || record.isAsking()) {
            return false;
        }
        Balance.State state = balance.state();
        return isUseless(state, now) || known.isOverAlone(state.used(), now);
    }

    /** What was used here and the store does not know of. */
    public long debt() {
        return balance.unreported(balance.state());
    }

    // ---- What the answers mean

    /** The claim under way will never be applied; nothing is forgotten of one whose answer was read in part. */
    public void forgetClaim() {
        if (record.isAsking()) {
            report.failed();
        }
        record.forgetClaim();
    }

    /** The store has applied the claim at that time; how many calls of it were admitted beyond the limit. */
    public long apply(Claim claim, Grant grant, long appliedMillis, Moment now) {
        Balance.State state = record.told();
        if (state == null) {
            return 0;
        }
        long overLimit = OverLimit.of(claim, grant, record.held());
        long usedAtOnce = claim.needed().usedOf(grant.granted());
        balance.told(state, record.toldUse(), usedAtOnce);
        record.applied(claim, grant, usedAtOnce);
        report.applied(usedAtOnce, appliedMillis, now.millis());
        known.hear(claim, grant, now);
        schedule(grant, now); // before calls find the permits
        long taken = pool.admitWaiting(grant.granted(), now.millis());
        balance.grant(grant.granted(), taken);
        var unused = share.learnUse(now);
        learnFrames(grant);
        recall.heard(Recall.isNeeded(claim, grant), grant.granted(), taken, now);
        lending.lendSlack(now);
        publish(now);
        pool.waiting.wakeAdmitted();
        return overLimit;
    }

    private void learnFrames(Grant grant) {
        long length = pool.counter.family.compiledLimit.lengthMillis;
        pool.history.frames.learn(pool.start, grant.total());
        for (int i = 0; i < grant.details().size(); i++) {
            pool.history.frames.learn(
                    pool.start - (i + 1) * length, grant.details().get(i));
        }
    }

    private void schedule(Grant grant, Moment now) {
        QueueSchedule schedule = pool.schedule;
        if (schedule != null && known.usage() instanceof SharedBucket.Usage bucket) {
            schedule.add(grant.granted(), bucket, now.millis());
        }
    }

    /** Calls wait for permits of instances that are silent: for a quarter of an interval they are refused at once. */
    public void giveUpRecall(Moment now) {
        known.othersAreSilent(leaseMillis(), now);
        recall.giveUp(now);
        publish(now);
    }

    /**
     * Calls have waited for the timeout, and the store has not answered: the policy decides on them. They are lent what
     * they need as far as it allows; nobody else is.
     */
    public void decideAlone(OnFailure policy, Moment now) {
        if (policy != OnFailure.DENY) {
            lending.lendAlone(policy, unreportedBeyondShare(balance.state()), pool.waiting.needed(), now);
            known.endAlone();
        }
        recall.giveUp(now);
        publish(now);
    }

    /** Something came back to a limit that was used up. An answer that is under way may be older than that. */
    public void freed(Moment now) {
        known.freed(record.isAsking());
        publish(now);
    }

    /**
     * Another instance was told that all is used and nobody holds any; whether that is so here too: not where something
     * comes back with time, or may just be granted.
     */
    public boolean usedUp(Moment now) {
        boolean isSo = !record.isAsking() && known.usedUp(now);
        if (isSo) {
            publish(now);
        }
        return isSo;
    }

    /** The store has lost what it was told in all batches, or in one of them. */
    public void lose(@Nullable Claim applied, long sentMillis) {
        if (isConcurrency) {
            record.loseInUse();
            return;
        }
        record.loseHeld();
        balance.forgotten(report.lost(applied, sentMillis));
    }

    // ---- Without the store

    /** The store is away: until it is heard again, so much may be used as the policy says. */
    public void goAlone(OnFailure policy, Moment now) {
        Balance.State state = balance.state();
        pool.history.frames.learnAtLeast(pool.start, state.used());
        lending.lendAlone(policy, unreportedBeyondShare(state), Long.MAX_VALUE, now);
        publish(now);
    }

    /** What was used here and the store does not count. */
    private long unreportedBeyondShare(Balance.State state) {
        return Math.max(0, balance.unreported(state) - record.held());
    }

    /** The store is back: what was lent in its absence is withdrawn as far as it is unused. */
    public void endAlone(Moment now) {
        known.endAlone();
        lending.lendSlack(now);
        publish(now);
    }

    /** Tells calls what is known now. */
    public void publish(Moment now) {
        // what others were granted for waiting calls, or lease for calls under way, is used
        boolean countsElsewhere = !isStrict && !isConcurrency;
        pool.view = known.view(balance.lent(), countsElsewhere, lowWater(now));
    }

    private long lowWater(Moment now) {
        if (known.isAlone()) {
            return 0;
        }
        if (phase == Phase.IDLE) {
            return pool.permits.number();
        }
        return share.lowWater(now);
    }
}
