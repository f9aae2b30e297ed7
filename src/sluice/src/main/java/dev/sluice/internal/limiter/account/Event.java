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
 * An event that affects one shared counter. Only events change an {@link Account}. An event has the same name as the
 * corresponding step of the models in {@code spec}. If the models omit an event, its comment states this. Immutable.
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
     * A call has requested a check. From now on, the account is checked at each tick, so calls need to request fewer
     * checks. Calls that are waiting at a used-up limit can now await the outcomes of other calls. The models omit this
     * event.
     */
    record Wake() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.wake(totals);
        }
    }

    /**
     * The check that a call has requested. The call requested it because it is waiting ({@code Wait} in the models),
     * because few permits might be in hand, or because charges use up the remaining permits.
     *
     * @param isLow whether the number of permits in hand is below the low-water mark
     * @param isOverdrawn whether charges use up all remaining permits
     */
    record Call(boolean isLow, boolean isOverdrawn) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.call(totals, isLow, isOverdrawn, now);
        }
    }

    /** Waiting calls have continued, but some might still be waiting. */
    record Serve() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.serve(totals, now);
        }
    }

    /**
     * Some calls might have waited too long.
     *
     * @param unansweredNanos the cut-off time for calls that are waiting for the store's answer. Calls that began to
     *     wait at or before that time have waited too long
     * @param othersHoldNanos the cut-off time for calls that need permits held by other instances
     * @param outage the outage whose policy applies to the calls if the store has not answered
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

    /** A quarter of an interval has ended; {@code intervalEnds} is true if it was the last one. */
    record Tick(boolean intervalEnds, boolean hadFreeCalls) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.tick(totals, hadFreeCalls, intervalEnds, now);
        }
    }

    /**
     * The account has just become idle, and calls can now see that in the snapshot. A call might have arrived
     * immediately before that.
     */
    record LookAgain() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.lookAgain(totals, now);
        }
    }

    /** The process was stopped for so long that the lease of its permits might have ended. */
    record Thaw() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.thaw(totals, now);
        }
    }

    // ---- Statements and answers

    /**
     * An exchange is about to be made anyway, so its batch can also contain statements that could have been sent
     * later.
     */
    record JoinBatch() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.joinBatch(totals, now);
        }
    }

    /**
     * A statement is about to be made. The permits that it returns leave the pool first.
     *
     * @param isLineEmpty whether no call is waiting for permits or awaiting outcomes
     */
    record Prepare(boolean isLineEmpty, boolean hadFreeCalls) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.prepare(totals, isLineEmpty, hadFreeCalls, now);
        }
    }

    /**
     * A statement is made. If there is something to report, {@link Account#outstanding()} then returns the statement.
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
     * The store might have applied the statement in flight, but its grant can no longer be used because the lease has
     * ended or the store has forgotten the grant. The uses in the statement are considered reported. The models omit
     * this event because they do not model durations.
     *
     * @param usedAtOnce the number of granted permits that the store has immediately recorded as used. The calls that
     *     needed these permits were decided without the grant, so the permits are returned
     */
    record ReceiveTooLate(long usedAtOnce, long appliedMillis) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.receiveTooLate(usedAtOnce, appliedMillis, now);
        }
    }

    /**
     * The store is not expected to apply the statement in flight, if there is one. Therefore, the account reports the
     * uses in that statement again.
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
     * @param sentMillis the time when the statement was sent
     */
    record Lose(@Nullable Statement statement, long sentMillis) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.lose(statement, sentMillis, now);
        }
    }

    // ---- News

    /** Another instance needs the permits that this instance holds. */
    record HearRecall() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.hearRecall(now);
        }
    }

    /**
     * Permits were returned to a used-up limit, on this or another instance. A reply in flight might not include these
     * permits.
     */
    record HearFreed() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.hearFreed(now);
        }
    }

    /**
     * An operator has given calls. The next statement fetches the number of given calls so that callers can see it. The
     * models treat this event like news of freed permits.
     */
    record HearGiven() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.hearGiven(now);
        }
    }

    /**
     * An earlier frame is returning permits, so more permits remain in the current frame. The next statement lets the
     * store inform other instances.
     */
    record HearOfEarlierFrame() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.hearOfEarlierFrame(now);
        }
    }

    // ---- The store's state

    /**
     * The store is unavailable or has just become available again. The event determines how many permits calls may use
     * without a grant.
     *
     * @param needed the number of permits that waiting calls need; {@link Long#MAX_VALUE} to allow the maximum number
     *     under the policy
     * @param isCalled whether a call requested the check that led to this event
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

    // ---- Life cycle

    /**
     * The counter was evicted, replaced or made dormant. Its account might still have something to report. The end of a
     * window ({@code NextPool} in the models) is not an event. Instead, each event checks {@link Totals#isClosed}.
     */
    record ClosePool() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.closePool(now);
        }
    }

    /** Everything is reported or written off, or a different account will report it. */
    record Close() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.close();
        }
    }

    /** A call has belatedly returned permits to the pool of a closed account. */
    record Reopen() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.reopen(totals, now);
        }
    }

    /** The account is closed, and the current account of the same counter reports the contents of its statement. */
    record HandOver() implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.handOver(now);
        }
    }

    /**
     * A call has belatedly returned permits to a closed account of the same counter. This account reports the returned
     * permits.
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
     * From now on, the account reports the slots that belong to a closed account of the same counter.
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
     * The limit was changed during an outage. Permits that were used before the change remain used.
     *
     * @param before the closed account of the same counter
     * @param unrecorded the amount of the closed account's use that the store has not recorded
     */
    record Continue(Account before, Outage outage, OwnUse own, long unrecorded) implements Event {
        @Override
        public Account.Step on(Account account, Totals totals, Moment now) {
            return account.continueFrom(before, outage, own, unrecorded, now);
        }
    }
}
