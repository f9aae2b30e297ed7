package dev.sluice.limiter.account;

import dev.sluice.CounterKey;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.limiter.balance.Balance;
import dev.sluice.limiter.balance.Knowledge;
import dev.sluice.limiter.balance.Lending;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limiter.balance.ShareInHand;
import dev.sluice.limiter.rule.SharedLimit;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limiter.shared.SharedSnapshot;
import dev.sluice.tier.Sync;

/**
 * The parts of one account, and what they say together: what the store was not told of, and what calls may know. For one
 * thread.
 */
final class AccountState {

    /** Leases last so many intervals; what is held is told anew long before. */
    private static final int INTERVALS_OF_A_LEASE = 5;

    /** A call that has found its window just before the end is counted there, if it is not later than this. */
    private static final long LATE_CALLS_MILLIS = 100;

    final SharedPool pool;
    final CounterKey key;
    final long everyMillis;
    final SharedLimit limit;
    /** Whether what calls take comes back when they end. */
    final boolean isConcurrency;

    final Recall recall;
    final Balance balance;
    final UseReport report;
    final ShareInHand share;
    final Lending lending;
    final Knowledge known;
    final StoreRecord record;
    final OccupiedPlaces<?> places;

    /** Whether nobody looks at the account until a call comes, so that each call has to be noted. */
    boolean awaitsCall = true;

    private final boolean isStrict;

    AccountState(SharedPool pool, OccupiedPlaces<?> places, Moment now) {
        this.pool = pool;
        this.places = places;
        this.key = pool.counter.keyAt(pool.start);
        this.limit = pool.limit;
        this.isConcurrency = pool.counter.family.compiledLimit.isConcurrency();
        Sync sync = pool.counter.family.tier.sync();
        this.isStrict = sync.strict();
        this.everyMillis = sync.every().toMillis();
        SharedSnapshot born = pool.view;
        this.balance = new Balance(pool, born.lent());
        this.report = new UseReport(pool);
        this.recall = new Recall(now);
        this.known = new Knowledge(limit, born, everyMillis);
        this.share = new ShareInHand(pool, balance, known, now);
        this.lending = new Lending(balance, known, sync.slackOf(pool.counter.most()));
        this.record = new StoreRecord(now);
    }

    long leaseMillis() {
        return INTERVALS_OF_A_LEASE * everyMillis;
    }

    /** The places that calls have; 0 where calls take none. */
    long inUse(Balance.State state) {
        return isConcurrency ? places.number(state.used()) : 0;
    }

    /** What was used for good and the store was not told; 0 of places. */
    long unreported(Balance.State state) {
        return isConcurrency ? 0 : balance.unreported(state);
    }

    /** Whether there is something that the store does not know. */
    boolean isNews(Balance.State state) {
        return unreported(state) != 0
                || inUse(state) != record.inUse()
                || state.held() != record.held()
                || report.isAnyAgain();
    }

    /** Whether nothing is held or in use, and the store knows that and all else. */
    boolean isAllTold(Balance.State state) {
        return !isNews(state) && !record.isAny();
    }

    /** Whether another report tells nobody anything. What is held has to be returned, or the store remembers it. */
    boolean isUseless(Balance.State state, Moment now) {
        return isAllTold(state) || (record.held() == 0 && TimeToLive.USUAL.isTooLate(key, limit.rule(), now.millis()));
    }

    /**
     * Whether the store counts calls that were refused after all, so that what they were granted has to be returned.
     */
    boolean owesRefund() {
        return pool.waiting.isEmpty() && unreported(balance.state()) < 0;
    }

    /**
     * Closes the pool if its time is over; whether nothing is to be taken from it any more, for that reason or because
     * its counter was retired.
     */
    boolean closePoolIfOver(Moment now) {
        if (now.millis() >= pool.end + LATE_CALLS_MILLIS) {
            pool.permits.close();
        }
        return pool.permits.isClosed();
    }

    /** Whether calls hold permits and have not decided yet to keep them. */
    boolean hasUndecidedCalls() {
        return pool.permits.hasUndecidedCalls();
    }

    /** Tells calls what is known now. */
    void publish(Moment now) {
        // what others were granted for waiting calls, or lease for calls under way, is used
        boolean countsElsewhere = !isStrict && !isConcurrency;
        pool.view = known.view(balance.lent(), countsElsewhere, lowWater(now));
    }

    private long lowWater(Moment now) {
        if (known.isAlone()) {
            return 0;
        }
        return awaitsCall ? pool.permits.number() : share.lowWater(now);
    }
}
