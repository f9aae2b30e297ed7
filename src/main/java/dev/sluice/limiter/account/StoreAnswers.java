package dev.sluice.limiter.account;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.limiter.balance.Balance;
import dev.sluice.limiter.balance.Knowledge;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limiter.rule.SharedBucket;
import dev.sluice.limiter.shared.QueueSchedule;
import dev.sluice.limiter.shared.SharedPool;
import org.jspecify.annotations.Nullable;

/** What the store's answers mean to one account, and what other instances let it know. For one thread. */
public final class StoreAnswers {

    private final AccountState state;
    private final SharedPool pool;
    private final Balance balance;
    private final Knowledge known;
    private final StoreRecord record;
    private final Recall recall;

    StoreAnswers(AccountState state) {
        this.state = state;
        this.pool = state.pool;
        this.balance = state.balance;
        this.known = state.known;
        this.record = state.record;
        this.recall = state.recall;
    }

    /** Whether the answer to the claim under way may be older than what is known. */
    public boolean isNextOld() {
        return known.isAnswerOld();
    }

    /** The store has applied the claim at that time; how many calls of it were admitted beyond the limit. */
    public long apply(Claim claim, Grant grant, long appliedMillis, Moment now) {
        Balance.State told = record.told();
        if (told == null) {
            return 0;
        }
        long overLimit = OverLimit.of(claim, grant, record.held());
        long usedAtOnce = claim.needed().usedOf(grant.granted());
        balance.told(told, record.toldUse(), usedAtOnce);
        record.applied(claim, grant, usedAtOnce);
        state.report.applied(usedAtOnce, appliedMillis, now.millis());
        known.hear(claim, grant, now);
        schedule(grant, now); // before calls find the permits
        long taken = pool.admitWaiting(grant.granted(), now.millis());
        balance.grant(grant.granted(), taken);
        var unused = state.share.learnUse(now);
        learnFrames(grant);
        recall.heard(grant.needsRecall(claim), grant.granted(), taken, now);
        state.lending.lendSlack(now);
        state.publish(now);
        pool.waiting.wakeAdmitted();
        return overLimit;
    }

    private void learnFrames(Grant grant) {
        long length = pool.counter.family.compiledLimit.lengthMillis;
        pool.history.frames.set(pool.start, grant.total());
        for (int i = 0; i < grant.details().size(); i++) {
            pool.history.frames.set(
                    pool.start - (i + 1) * length, grant.details().get(i));
        }
    }

    private void schedule(Grant grant, Moment now) {
        QueueSchedule schedule = pool.schedule;
        if (schedule != null && known.usage() instanceof SharedBucket.Usage bucket) {
            schedule.add(grant.granted(), bucket, now.millis());
        }
    }

    /** The claim under way will never be applied; nothing is forgotten of one whose answer was read in part. */
    public void forgetClaim() {
        if (record.isAsking()) {
            state.report.failed();
        }
        record.forgetClaim();
    }

    /** The store has lost what it was told in all batches, or in one of them. */
    public void lose(@Nullable Claim applied, long sentMillis) {
        if (state.isConcurrency) {
            record.loseInUse();
            return;
        }
        record.loseHeld();
        balance.forgotten(state.report.lost(applied, sentMillis));
    }

    /** Something came back to a limit that was used up. An answer that is under way may be older than that. */
    public void freed(Moment now) {
        known.freed(record.isAsking());
        state.publish(now);
    }

    /**
     * Another instance was told that all is used and nobody holds any; whether that is so here too: not where something
     * comes back with time, or may just be granted.
     */
    public boolean usedUp(Moment now) {
        boolean isSo = !record.isAsking() && known.usedUp(now);
        if (isSo) {
            state.publish(now);
        }
        return isSo;
    }

    /** Calls wait for permits of instances that are silent: for a quarter of an interval they are refused at once. */
    public void giveUpRecall(Moment now) {
        known.othersAreSilent(state.leaseMillis(), now);
        recall.giveUp(now);
        state.publish(now);
    }
}
