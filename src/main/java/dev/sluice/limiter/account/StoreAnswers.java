package dev.sluice.limiter.account;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.limiter.balance.Balance;
import dev.sluice.limiter.balance.KnownUsage;
import dev.sluice.limiter.balance.Moment;
import dev.sluice.limiter.rule.SharedBucket;
import dev.sluice.limiter.shared.QueueSchedule;
import dev.sluice.limiter.shared.SharedPool;
import org.jspecify.annotations.Nullable;

/** Processes the store's answers, and news of other instances, for one account. Not safe for several threads. */
public final class StoreAnswers {

    private final AccountState state;
    private final SharedPool pool;
    private final Balance balance;
    private final KnownUsage known;
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

    /** Whether news arrived while the claim was under way, so that its answer may be outdated. */
    public boolean isNextOutdated() {
        return known.isAnswerOutdated();
    }

    /** The store applied the claim; returns how many of its calls were admitted over the limit. */
    public long apply(Claim claim, Grant grant, long appliedMillis, Moment now) {
        Balance.State reported = record.reported();
        if (reported == null) {
            return 0;
        }
        long overLimit = OverLimit.of(claim, grant, record.held());
        long usedAtOnce = claim.needed().usedOf(grant.granted());
        balance.reported(reported, record.reportedUse(), usedAtOnce);
        record.applied(claim, grant, usedAtOnce);
        state.report.applied(usedAtOnce, appliedMillis, now.millis());
        known.apply(claim, grant, now);
        schedule(grant, now); // before calls can find the permits
        long taken = pool.admitWaiting(grant.granted(), now.millis());
        balance.grant(grant.granted(), taken);
        var unused = state.share.updateUse(now);
        learnFrames(grant);
        recall.answered(grant.needsRecall(claim), grant.granted(), taken, now);
        state.ungranted.allowSlack(now);
        state.publish(now);
        pool.waiting.wakeAdmitted(pool.snapshot);
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

    /** The claim under way will not be applied. Does nothing for a claim whose answer was already processed. */
    public void forgetClaim() {
        if (record.isAsking()) {
            state.report.failed();
        }
        record.forgetClaim();
    }

    /** The store lost what was reported in all batches, or in one. */
    public void lost(@Nullable Claim applied, long sentMillis) {
        if (state.isConcurrency) {
            record.lostInUse();
            return;
        }
        record.lostHeld();
        balance.lost(state.report.lost(applied, sentMillis));
    }

    /** Something was returned to a used-up limit. An answer that is under way may be older. */
    public void freed(Moment now) {
        known.freed(record.isAsking());
        state.publish(now);
    }

    /**
     * The store told another instance that all is used and nothing is held; returns whether that holds here too: not if
     * permits come back with time, or may just be granted.
     */
    public boolean usedUp(Moment now) {
        boolean isSo = !record.isAsking() && known.usedUp(now);
        if (isSo) {
            state.publish(now);
        }
        return isSo;
    }

    /** Calls wait for permits of silent instances: for a quarter of an interval calls are refused at once. */
    public void giveUpRecall(Moment now) {
        known.othersAreSilent(state.leaseMillis(), now);
        recall.giveUp(now);
        state.publish(now);
    }
}
