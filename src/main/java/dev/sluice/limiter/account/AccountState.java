package dev.sluice.limiter.account;

import dev.sluice.CounterKey;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.limiter.balance.Balance;
import dev.sluice.limiter.balance.KnownUsage;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limiter.balance.TargetShare;
import dev.sluice.limiter.balance.UngrantedPermits;
import dev.sluice.limiter.rule.SharedLimit;
import dev.sluice.limiter.shared.SharedPool;
import dev.sluice.limiter.shared.SharedSnapshot;
import dev.sluice.tier.Sync;

/**
 * The parts of one account, and what follows from them together: what is unreported, and what calls may know. Not safe
 * for several threads.
 */
final class AccountState {

    /** How many intervals a lease lasts; holdings are reported again long before. */
    private static final int INTERVALS_OF_A_LEASE = 5;

    /** How late a call that found its window just before its end is still counted in it. */
    private static final long LATE_CALLS_MILLIS = 100;

    final SharedPool pool;
    final CounterKey key;
    final long everyMillis;
    final SharedLimit limit;
    /** Whether calls free what they take when they end. */
    final boolean isConcurrency;

    final Recall recall;
    final Balance balance;
    final UseReport report;
    final TargetShare share;
    final UngrantedPermits ungranted;
    final KnownUsage known;
    final StoreRecord record;
    final OccupiedPlaces<?> places;

    /** Whether the account is idle, so that each call has to request a check. */
    boolean awaitsCall = true;

    private final boolean isStrict;

    AccountState(SharedPool pool, OccupiedPlaces<?> places, Moment now) {
        this.pool = pool;
        this.places = places;
        this.key = pool.counter.keyAt(pool.start);
        this.limit = pool.limit;
        this.isConcurrency = pool.counter.family.compiledLimit.isConcurrency;
        Sync sync = pool.counter.family.tier.sync();
        this.isStrict = sync.strict();
        this.everyMillis = sync.every().toMillis();
        SharedSnapshot initial = pool.snapshot;
        this.balance = new Balance(pool, initial.ungranted());
        this.report = new UseReport(pool);
        this.recall = new Recall(now);
        this.known = new KnownUsage(limit, initial, everyMillis);
        this.share = new TargetShare(pool, balance, known, now);
        this.ungranted = new UngrantedPermits(balance, known, sync.slackOf(pool.counter.most()));
        this.record = new StoreRecord(now);
    }

    long leaseMillis() {
        return INTERVALS_OF_A_LEASE * everyMillis;
    }

    /** The places that calls occupy; 0 if the limit has none. */
    long inUse(Balance.State state) {
        return isConcurrency ? places.number(state.used()) : 0;
    }

    /** What was used for good and is unreported; 0 for places. */
    long unreported(Balance.State state) {
        return isConcurrency ? 0 : balance.unreported(state);
    }

    /** Whether there is something to report. */
    boolean hasUnreported(Balance.State state) {
        return unreported(state) != 0
                || inUse(state) != record.inUse()
                || state.held() != record.held()
                || report.hasToRepeat();
    }

    /** Whether nothing is held or in use, and everything is reported. */
    boolean isAllReported(Balance.State state) {
        return !hasUnreported(state) && !record.isAnythingCounted();
    }

    /** Whether another report would be of no use. Holdings have to be returned, or the store keeps them. */
    boolean isReportUseless(Balance.State state, Moment now) {
        return isAllReported(state)
                || (record.held() == 0 && TimeToLive.USUAL.isTooLate(key, limit.rule(), now.millis()));
    }

    /** Whether the store counts calls that were refused in the end, so that their permits have to be returned. */
    boolean owesRefund() {
        return pool.waiting.isEmpty() && unreported(balance.state()) < 0;
    }

    /**
     * Closes the pool if its window is over; returns whether it is closed, for that reason or because its counter was
     * retired.
     */
    boolean closePoolIfOver(Moment now) {
        if (now.millis() >= pool.end + LATE_CALLS_MILLIS) {
            pool.permits.close();
        }
        return pool.permits.isClosed();
    }

    /** Publishes the current state to calls. */
    void publish(Moment now) {
        // what others were granted for waiting calls, or lease for calls under way, counts as used
        boolean countsElsewhere = !isStrict && !isConcurrency;
        pool.snapshot = known.snapshot(balance.ungranted(), countsElsewhere, lowWater(now));
    }

    private long lowWater(Moment now) {
        if (known.isStoreAway()) {
            return 0;
        }
        return awaitsCall ? pool.permits.number() : share.lowWater(now);
    }
}
