package dev.sluice.internal.limiter.ledger;

import dev.sluice.exchange.Batch.Need;
import dev.sluice.internal.limiter.account.Account;
import dev.sluice.internal.limiter.account.Account.Stage;
import dev.sluice.internal.limiter.account.Effects;
import dev.sluice.internal.limiter.account.Effects.Line;
import dev.sluice.internal.limiter.account.Event;
import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.account.Outstanding;
import dev.sluice.internal.limiter.account.Waits;
import dev.sluice.internal.limiter.counter.CallLine;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.rule.OwnUse;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.internal.text.EnumWord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The dispatcher of all events that affect entries. It passes each event to the entry's account and carries out the
 * effects on the pool and on waiting calls, in the order of {@link Effects}. It also moves the entry to its new
 * position in the queue. Nothing else changes an account. Not thread-safe.
 */
final class Dispatcher {

    private final DueQueue queue;
    private final Logger log;

    /** Creates a dispatcher. It logs a line at DEBUG when an event moves an account to a different stage. */
    Dispatcher(DueQueue queue, Logger log) {
        this.queue = queue;
        this.log = log;
    }

    void on(Entry entry, Event event, Moment now) {
        Stage before = entry.account().stage();
        Account.Step step = event.on(entry.account(), entry.totals(now), now);
        Effects effects = step.effects();
        entry.becomes(step.account());
        carryOut(entry, step, now);
        queue.update(entry, now); // before pending calls try to take permits, because an attempt might throw
        if (entry.account().stage() != before && log.isDebugEnabled()) {
            logStage(entry, before, event);
        }
        if (entry.isClosed() && before != Stage.CLOSED) {
            entry.pool.windows().history.ownFrames.set(entry.pool.start(), entry.pool.used());
            entry.pool.line().moveOn();
        } else if (!entry.isActive() && before == Stage.ACTIVE) {
            on(entry, new Event.LookAgain(), now);
        }
        if (effects.asksAgain() || effects.line() != Line.STAYS) {
            letLineGoOn(entry, effects, now);
            on(entry, new Event.Serve(), now);
        }
    }

    private void logStage(Entry entry, Stage before, Event event) {
        try {
            log.debug(
                    "{} -> {} by {}; {}",
                    EnumWord.of(before),
                    EnumWord.of(entry.account().stage()),
                    event.getClass().getSimpleName(),
                    entry.key().text());
        } catch (RuntimeException | Error e) {
            return; // the logger itself failed, so there is nowhere to report the failure
        }
    }

    private static void carryOut(Entry entry, Account.Step step, Moment now) {
        SharedPool pool = entry.pool;
        Effects effects = step.effects();
        if (effects.reported() != null) {
            pool.overdrawnIsReported(effects.reported().overdrawn());
        }
        if (effects.granted() != null) {
            pool.put(effects.granted(), now.millis());
        }
        if (effects.ungranted() > 0) {
            pool.put(effects.ungranted());
        } else if (effects.ungranted() < 0) {
            entry.becomes(step.afterWithdrawing(pool.withdraw(-effects.ungranted())));
        }
        if (effects.isTold()) {
            Account account = entry.account();
            pool.publish(
                    account.snapshot(now),
                    account.books().recorded(),
                    account.books().held());
        }
        if (effects.returned() > 0) {
            pool.giveBack(effects.returned());
        }
    }

    private static void letLineGoOn(Entry entry, Effects effects, Moment now) {
        SharedPool pool = entry.pool;
        CallLine line = pool.line();
        if (effects.asksAgain()) {
            line.askAgain();
        }
        if (effects.line() != Line.STAYS && (now.millis() >= pool.end() || pool.permits.isClosed())) {
            line.moveOn();
            return;
        }
        switch (effects.line()) {
            case STAYS -> {}
            case TAKES -> line.serve();
            case LOOKS -> line.serve(now.millis());
            case AWAITS_OUTCOMES -> line.letAwaitOutcomes(now.millis());
            case IS_DECIDED -> line.serveOrRefuse(now.millis());
            case IS_DECIDED_AS_SHORT ->
                line.serveOrRefuse(need -> entry.account().known().usage().left(now.millis()) >= need, now.millis());
        }
    }

    // ---- Events that need more than the pool's totals

    /** Handles a check that a call has requested, unless an outage applies to the pool. */
    void check(Entry entry, Moment now) {
        SharedPool pool = entry.pool;
        on(entry, new Event.Wake(), now);
        noteReturn(entry, now);
        boolean isLow = pool.isLow(pool.permits.left());
        on(entry, new Event.Call(isLow, pool.isUsedUpByCharges(now.millis())), now);
    }

    /**
     * Handles permits that were returned to the pool, if there are any. The limit is then not considered used up until
     * the store has answered.
     */
    void noteReturn(Entry entry, Moment now) {
        if (entry.pool.isReturning()) {
            on(entry, new Event.HearFreed(), now);
            entry.pool.returnIsNoted();
        }
    }

    void tick(Entry entry, boolean intervalEnds, Moment now) {
        entry.pool.closeIfOver(now.millis());
        on(entry, new Event.Tick(intervalEnds, entry.pool.forgetFreeCalls()), now);
    }

    /**
     * Makes the statement to send now, if there is something to report. The permits that it returns leave the pool
     * immediately.
     */
    @Nullable Outstanding state(Entry entry, Moment now) {
        SharedPool pool = entry.pool;
        pool.closeIfOver(now.millis());
        on(entry, new Event.Prepare(pool.line().isEmpty(), pool.forgetFreeCalls()), now);
        Need needed = pool.permits.isClosed()
                ? Need.NONE
                : pool.line().ask(pool.permits.left(), entry.account().haveOthersReportedSlots());
        on(entry, new Event.State(needed, pool.drainTimes(), pool.forgetFreeCalls()), now);
        return entry.account().outstanding();
    }

    /** Applies an outage that is still in progress or has just ended. If {@code outage} is null, the store decides. */
    void decideBy(@Nullable Outage outage, Entry entry, boolean isCalled, Moment now) {
        on(
                entry,
                outage == null
                        ? new Event.DecideWithStore()
                        : new Event.DecideAlone(
                                outage, ownUse(entry, now), Long.MAX_VALUE, isCalled, entry.pool.forgetFreeCalls()),
                now);
    }

    /**
     * Lets an entry continue the previous, closed entry of the same counter. During an outage, permits that calls used
     * at the previous entry remain used.
     */
    void continueFrom(Entry before, Entry entry, Outage outage, Moment now) {
        decideBy(outage, before, false, now);
        long unrecorded = before.account().books().unrecorded(before.totals(now));
        on(entry, new Event.Continue(before.account(), outage, ownUse(before, now), unrecorded), now);
    }

    /** Ends the waits that began at or before the given times. */
    void endWaits(Entry entry, long unansweredNanos, long othersHoldNanos, Outage outage, Moment now) {
        CallLine line = entry.pool.line();
        Waits waiting = entry.account().waiting();
        long sinceNanos = waiting.tooLongSinceNanos(unansweredNanos, othersHoldNanos);
        if (waiting.isWaitingSince(sinceNanos) && line.isAnyForStore()) {
            on(
                    entry,
                    new Event.EndWaits(
                            unansweredNanos,
                            othersHoldNanos,
                            outage,
                            ownUse(entry, now),
                            line.needed(),
                            entry.pool.forgetFreeCalls()),
                    now);
        }
        line.refuseThoseUntil(sinceNanos); // calls that joined the line while other calls were continuing
    }

    /**
     * Returns this instance's own use. The unrecorded use is also stored in the counter's history, where later frames
     * read it.
     */
    private static OwnUse ownUse(Entry entry, Moment now) {
        SharedPool pool = entry.pool;
        Account account = entry.account();
        pool.windows().history.unrecorded.set(pool.start(), account.books().unrecorded(entry.totals(now)));
        return new OwnUse(
                pool.windows().history.unrecorded.before(pool.start()),
                account.books().uses().known(now.millis()),
                entry.slotsOfReplaced());
    }
}
