package dev.sluice.limiter.account;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.limiter.balance.Balance;
import dev.sluice.limiter.balance.KnownUsage;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limiter.balance.TargetShare;
import dev.sluice.limiter.shared.QueueSchedule;
import dev.sluice.limiter.shared.SharedPool;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the claims of one account. Not safe for several threads. */
public final class ClaimBuilder {

    private final AccountState state;
    private final SharedPool pool;
    private final Balance balance;
    private final TargetShare share;
    private final KnownUsage known;
    private final StoreRecord record;
    private final Recall recall;

    ClaimBuilder(AccountState state) {
        this.state = state;
        this.pool = state.pool;
        this.balance = state.balance;
        this.share = state.share;
        this.known = state.known;
        this.record = state.record;
        this.recall = state.recall;
    }

    /**
     * The claim to send now, {@code null} if there is nothing to report or ask. Permits to be returned are taken out of
     * the pool at once.
     *
     * @param regular whether nothing is urgent: then a share that is too large may be returned
     */
    @Nullable public Claim next(boolean regular, Moment now) {
        if (state.closePoolIfOver(now)) {
            return last(now);
        }
        long size = returnUnused(regular && pool.waiting.isEmpty(), now);
        pool.waiting.wakeCovered(pool.permits.left()); // a call returned something
        Need needed = pool.waiting.ask(pool.permits.left(), state.isConcurrency && recall.sinceMillis() > 0);
        if (needed.all() == 0) {
            recall.waitsNoMore(); // permits that calls waited for were returned here
        }
        Balance.State sums = share.updateUse(now);
        long wanted = share.isQuiet(now) || recall.isRecent(state.everyMillis, now) || !known.mayHaveLeft(now)
                ? 0
                : Math.max(0, size - sums.held());
        boolean nothing = !state.hasUnreported(sums)
                && needed.all() + wanted == 0
                && known.isAnswered()
                && !recall.isDemanded()
                && !record.isAskedBefore(state.everyMillis, now);
        return nothing ? null : claim(sums, needed, wanted, now);
    }

    /**
     * The last claim for a closed pool: reports what was used and returns the rest. {@code null} if it would be of no
     * use.
     */
    private @Nullable Claim last(Moment now) {
        dropTurns(balance.takeOut(Long.MAX_VALUE));
        Balance.State sums = balance.state();
        return state.isReportUseless(sums, now) ? null : claim(sums, Need.NONE, 0, now);
    }

    private Claim claim(Balance.State sums, Need needed, long wanted, Moment now) {
        record.ask(sums, balance.unreported(sums), now);
        recall.claimed();
        List<Use> uses = state.report.next(state.unreported(sums), now.millis());
        Rule rule = state.limit.rule(state.inUse(sums), recall.sinceMillis(), now.millis());
        return new Claim(state.key, uses, sums.held(), needed, wanted, state.leaseMillis(), rule);
    }

    /** Takes permits that should be returned out of the pool; returns the size of the share to keep. */
    private long returnUnused(boolean regular, Moment now) {
        Balance.State sums = share.updateUse(now);
        long size = share.size(sums, now);
        if (recall.isDemanded() || state.owesRefund()) {
            takeOut(sums.held(), now);
        } else if (regular && share.isQuiet(now)) {
            takeOut(sums.held(), now);
        } else if (regular && TargetShare.isTooLarge(sums, size)) {
            takeOut(sums.held() - size, now);
        }
        return size;
    }

    /** Takes permits out of the pool to return them. Until the store has them, the limit does not count as used up. */
    private void takeOut(long permits, Moment now) {
        if (permits > 0 && known.isUsedUp()) {
            known.permitsReturning();
            state.publish(now); // before calls find no permits
        }
        dropTurns(balance.takeOut(permits));
    }

    /** Returned permits lose their turns in the queue. */
    private void dropTurns(long permits) {
        QueueSchedule schedule = pool.schedule;
        if (schedule != null) {
            schedule.dropLast(permits);
        }
    }

    /** Claims that report again what was used here of the earlier frames. */
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
                        state.leaseMillis(),
                        state.limit.rule()));
    }
}
