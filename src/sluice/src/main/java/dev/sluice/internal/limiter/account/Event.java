package dev.sluice.internal.limiter.account;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.rule.OwnUse;
import dev.sluice.internal.limiter.shared.UseTimes.Calls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value that describes what happens to one shared counter. Nothing else changes an {@link Account}. An event has the
 * same name as the corresponding step of the models in {@code spec}. Events that the models leave out say so.
 * Immutable.
 */
public sealed interface Event {

    /**
     * Returns the account after this event, and the effects.
     *
     * @param totals the pool's figures before any effect is carried out
     */
    Account.Step on(Account account, Totals totals, Moment now);

    // ---- Calls

    /**
     * A call has requested a check. From now on, the account is checked at each tick, so calls request fewer checks.
     * Calls that wait at a used-up limit may now await the outcomes of other calls. The models leave that out.
     */
    record Wake() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.wake(totals);
        }
    }

    /**
     * The check that a call has requested. It did so because it waits ({@code Wait} in the models), because few permits
     * may be in hand, or because charges use up the remaining permits.
     *
     * @param isLow whether fewer permits are in hand than the low-water mark
     * @param isOverdrawn whether charges use up all remaining permits
     */
    record Call(boolean isLow, boolean isOverdrawn) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.call(totals, isLow, isOverdrawn, now);
        }
    }

    /** Waiting calls have continued, and some may still wait. */
    record Serve() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.serve(totals, now);
        }
    }

    /**
     * Calls may have waited too long.
     *
     * @param unansweredNanos calls that have waited for the store's answer since this time have waited too long
     * @param othersHoldNanos the same time for calls that need permits held by other instances
     * @param outage decides about the calls if the store has not answered
     */
    record EndWaits(
            long unansweredNanos, long othersHoldNanos, Outage outage, OwnUse own, long needed, boolean hadFreeCalls)
            implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.endWaits(unansweredNanos, othersHoldNanos, outage, own, needed, hadFreeCalls, totals, now);
        }
    }

    // ---- Time

    /** A quarter of an interval has passed, perhaps the last quarter. */
    record Tick(boolean intervalEnds, boolean hadFreeCalls) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.tick(totals, hadFreeCalls, intervalEnds, now);
        }
    }

    /**
     * The account has just become idle, and calls now see that in the snapshot. A call may have arrived just before.
     */
    record LookAgain() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.lookAgain(totals, now);
        }
    }

    /** The process was stopped for so long that the lease of its permits may have ended. */
    record Thaw() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.thaw(totals, now);
        }
    }

    // ---- Statements and answers

    /** An exchange is about to be made anyway, so it also carries statements that could have waited. */
    record JoinBatch() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.joinBatch(totals, now);
        }
    }

    /**
     * A statement is about to be made. The permits that it returns leave the pool first.
     *
     * @param isLineEmpty whether no call waits or awaits outcomes
     */
    record Prepare(boolean isLineEmpty, boolean hadFreeCalls) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.prepare(totals, isLineEmpty, hadFreeCalls, now);
        }
    }

    /**
     * Makes the statement. It is {@link Account#outstanding()} if there is something to report.
     *
     * @param needed the permits that waiting calls need
     * @param times the times of calls since the last statement, for rules that require times
     */
    record State(Need needed, List<Calls> times, boolean hadFreeCalls) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.state(totals, needed, times, hadFreeCalls, now);
        }
    }

    /** The store has applied the statement in flight. */
    record Receive(Grant grant, long appliedMillis, boolean hadFreeCalls) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.receive(totals, grant, appliedMillis, hadFreeCalls, now);
        }
    }

    /**
     * The store may have applied the statement in flight, but its grant can no longer be used, because the lease is
     * over or the store has forgotten the grant. Its uses are considered reported. The models omit this case, because
     * time has no length in them.
     *
     * @param usedAtOnce how many permits the store has recorded as used at once. Those calls were in fact decided
     *     without the grant, so the permits are returned
     */
    record ReceiveTooLate(long usedAtOnce, long appliedMillis) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.receiveTooLate(usedAtOnce, appliedMillis, now);
        }
    }

    /**
     * As far as this instance knows, the statement in flight, if any, will not be applied. Its uses are reported again.
     */
    record GiveUp() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.giveUp(now);
        }
    }

    /**
     * The store has lost a statement.
     *
     * @param statement the lost statement; {@code null} if everything that was reported is lost
     * @param sentMillis when the statement was sent
     */
    record Lose(@Nullable Statement statement, long sentMillis) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.lose(statement, sentMillis, now);
        }
    }

    // ---- News

    /** Another instance needs the permits that are held here. */
    record HearRecall() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.hearRecall(now);
        }
    }

    /**
     * Permits were returned to a used-up limit, here or on another instance. A reply in flight may not include them.
     */
    record HearFreed() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.hearFreed(now);
        }
    }

    /**
     * An operator has given calls. The next statement fetches the number, so that callers see it. To the models, this
     * is like news of freed permits.
     */
    record HearGiven() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.hearGiven(now);
        }
    }

    /**
     * An earlier frame returns permits, so more permits remain in this one. The next statement informs other instances.
     */
    record HearOfEarlierFrame() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.hearOfEarlierFrame(now);
        }
    }

    // ---- The store's state

    /**
     * The store is unavailable, or was until a moment ago. The event decides how many permits may be used without a
     * grant.
     *
     * @param needed how many permits waiting calls need; {@link Long#MAX_VALUE} to allow as many as the policy permits
     * @param isCalled whether a call has requested this
     */
    record DecideAlone(Outage outage, OwnUse own, long needed, boolean isCalled, boolean hadFreeCalls)
            implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.decideAlone(outage, own, needed, isCalled, hadFreeCalls, totals, now);
        }
    }

    /** The store is available, so unused ungranted permits are withdrawn, except for slack. */
    record DecideWithStore() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.decideWithStore(totals, now);
        }
    }

    /** The store answers again after an outage, so the account reports everything. */
    record ReportToStore() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.reportToStore(totals, now);
        }
    }

    // ---- Life

    /**
     * The counter was evicted, replaced or made dormant, but has something to report. The end of a window ({@code
     * NextPool} in the models) is not an event: each event reads it from {@link Totals#isClosed}.
     */
    record ClosePool() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.closePool(now);
        }
    }

    /** Everything is reported or written off, or another account reports it. */
    record Close() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.close();
        }
    }

    /** A call has returned permits late to the pool of a closed account. */
    record Reopen() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.reopen(totals, now);
        }
    }

    /** The account is closed. Another account of the same counter reports what its statement says. */
    record HandOver() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.handOver(now);
        }
    }

    /**
     * A call has returned permits late to a closed account of the same counter. This account reports them.
     *
     * @param late the statement that the closed account would have made
     */
    record Inherit(Statement late) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.inherit(late, now);
        }
    }

    /**
     * From now on, the account reports the slots of a closed account of the same counter.
     *
     * @param before the closed account
     */
    record TakeOver(Account before) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.takeOver(before);
        }
    }

    /**
     * The limit was changed during an outage. Permits that were used before the change stay used.
     *
     * @param before the closed account of the same counter
     * @param unrecorded the use of that account that the store has not recorded
     */
    record Continue(Account before, Outage outage, OwnUse own, long unrecorded) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.continueFrom(before, outage, own, unrecorded, now);
        }
    }
}
