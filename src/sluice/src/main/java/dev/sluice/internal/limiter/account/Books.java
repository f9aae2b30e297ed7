package dev.sluice.internal.limiter.account;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Gift;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.limiter.account.Outstanding.Why;
import org.jspecify.annotations.Nullable;

/**
 * What the store has recorded for one account up to the latest applied statement, and therefore what the account still
 * has to report. Immutable.
 *
 * @param ungranted the number of permits that were added without a grant and have been neither withdrawn nor reported
 *     as used. They are slack, or permits that {@code onFailure} allows while the store is unavailable. Calls use
 *     granted permits first
 * @param reported the total use reported so far
 * @param held the number of unspent permits that the store is believed to have recorded as held by this instance
 * @param isHeldUnknown whether the store might in fact have recorded a different number of held permits. This is the
 *     case if the store has lost data or if it is unknown whether the store has applied a statement. If so, the next
 *     statement reports how many permits are held
 * @param returnable the maximum number of permits that the store expects calls in flight on this instance to return.
 *     For slots, it is the number that the store has recorded as taken by this instance. For other permits, it is only
 *     a flag: 1 if calls might return any permits, otherwise 0
 */
public record Books(long ungranted, long reported, long held, boolean isHeldUnknown, int returnable, Uses uses) {

    /**
     * Creates the books of a new account; {@code reported} is the use that was reported before the counter became
     * dormant.
     */
    static Books opened(long ungranted, long reported) {
        return new Books(ungranted, reported, 0, false, 0, Uses.NONE);
    }

    // ---- What has to be reported

    /** Returns the number of granted permits that no call has used. */
    public long heldNow(Totals totals) {
        return Math.max(0, totals.inHand() - ungranted);
    }

    /** Returns the number of ungranted permits that no call has used. */
    public long ungrantedLeft(Totals totals) {
        return Math.min(totals.inHand(), ungranted);
    }

    public long unreported(Totals totals) {
        return totals.used() - reported;
    }

    /** Returns the unreported use; 0 for slots, because calls return their slots when they end. */
    long unreportedExceptSlots(Terms terms, Totals totals) {
        return terms.isConcurrency() ? 0 : unreported(totals);
    }

    /** Returns how many permits the store has recorded as used or held by this instance. */
    public long recorded() {
        return reported + held;
    }

    /**
     * Returns the number of permits that were used on this instance but that the store has recorded neither as used nor
     * as held.
     */
    public long unrecorded(Totals totals) {
        return Math.max(0, unreported(totals) - held);
    }

    /** Whether the store expects this instance to return held permits, slots in use, or permits of calls in flight. */
    boolean isReturnExpected() {
        return held > 0 || isHeldUnknown || returnable > 0;
    }

    boolean isAnythingUnreported(Terms terms, Totals totals) {
        return unreportedExceptSlots(terms, totals) != 0
                || (terms.isConcurrency() && totals.occupied() != returnable)
                || heldNow(totals) != held
                || isHeldUnknown
                || isAnnouncedInVain(terms, totals);
    }

    /** Whether the store still expects calls in flight to return permits, although no call can return any. */
    boolean isAnnouncedInVain(Terms terms, Totals totals) {
        return returnable > 0 && !terms.isConcurrency() && !totals.mayReturn();
    }

    /** Whether everything is reported and the store expects this instance to return no more permits. */
    boolean isAllReported(Terms terms, Totals totals) {
        return !isAnythingUnreported(terms, totals) && !isReturnExpected();
    }

    /**
     * Whether a further report would be useless. Held permits always have to be returned, because the store would
     * otherwise continue to reserve them.
     */
    boolean isReportUseless(CounterKey key, Terms terms, Totals totals, Moment now) {
        return isAllReported(terms, totals)
                || (held == 0
                        && !isHeldUnknown
                        && TimeToLive.USUAL.isTooLate(key, terms.limit().rule(), now.millis()));
    }

    /** Whether there is anything to report or return in a final statement. */
    public boolean hasFinalReport(Terms terms, Totals totals) {
        return isAnythingUnreported(terms, totals) || heldNow(totals) > 0;
    }

    /**
     * Whether the store has recorded calls that were eventually refused. If so, the permits of these calls have to be
     * returned.
     */
    public boolean owesRefund(Terms terms, Totals totals) {
        return !totals.isWaitedFor() && unreportedExceptSlots(terms, totals) < 0;
    }

    // ---- Reports, and what the store does with them

    Outstanding statement(
            CounterKey key,
            Terms terms,
            Totals totals,
            Waits waiting,
            Why why,
            Need needed,
            long wanted,
            Gift known,
            Moment now) {
        Uses.ReportedUse report = uses.report(unreportedExceptSlots(terms, totals), now.millis());
        Statement statement = new Statement(
                key,
                report.uses(now.millis()),
                heldNow(totals),
                needed.repeated(waiting.repeats()),
                wanted,
                terms.leaseMillis(),
                terms.limit().rule(totals.occupied(), waiting.othersHoldSinceMillis(), now.millis()),
                totals.mayReturn() && !totals.isClosed(),
                known);
        return new Outstanding(
                statement,
                why,
                unreported(totals),
                report,
                totals.overdrawn(),
                ungranted - ungrantedLeft(totals),
                waiting.recalls(),
                now.nanos());
    }

    Books with(Uses next) {
        return new Books(ungranted, reported, held, isHeldUnknown, returnable, next);
    }

    Books allowed(long more) {
        return new Books(ungranted + more, reported, held, isHeldUnknown, returnable, uses);
    }

    Books takingOver(Books before) {
        return new Books(ungranted, reported, before.held, true, before.returnable, uses);
    }

    Books sent(Terms terms, Outstanding made) {
        return terms.isTimed() ? with(uses.sent(made.uses())) : this;
    }

    /**
     * Returns how many additional permits the store records as used or held by this instance when it applies the given
     * statement.
     */
    long added(Statement statement, Grant grant) {
        long used = statement.rule() instanceof Rule.Slots slots ? slots.inUse() - returnable : statement.used();
        return used + statement.held() + grant.granted() - held;
    }

    Books bookGrant(Terms terms, Outstanding made, Grant grant, long appliedMillis, Moment now) {
        Statement statement = made.statement();
        long usedAtOnce = statement.needed().usedOf(grant.granted());
        return new Books(
                ungranted - made.ungranted(),
                reported + made.use() + usedAtOnce,
                statement.held() + grant.granted() - usedAtOnce,
                false,
                statement.rule() instanceof Rule.Slots slots
                        ? (int) Math.min(slots.inUse() + usedAtOnce, Integer.MAX_VALUE)
                        : statement.mayReturn(grant.granted()) ? 1 : 0,
                terms.isTimed() ? uses.applied(made.uses(), usedAtOnce, appliedMillis, terms, now) : uses);
    }

    /**
     * Returns the updated books after the store has applied a statement whose grant is void. It is then unknown how
     * many permits the store has recorded as held by this instance.
     */
    Books appliedInVain(Terms terms, Outstanding made, long usedAtOnce, long appliedMillis, Moment now) {
        Books next = bookGrant(terms, made, new Grant(0, usedAtOnce, 0), appliedMillis, now);
        return new Books(next.ungranted, next.reported, next.held, true, next.returnable, next.uses);
    }

    /**
     * Returns the updated books after an exchange has failed. The store might nevertheless have applied the statement
     * and granted permits.
     */
    Books failed(Terms terms, @Nullable Outstanding made) {
        Uses again = made == null || !terms.isTimed() ? uses : uses.failed(made.uses());
        boolean isAnnounced =
                made != null && !terms.isConcurrency() && made.statement().mayReturn(Long.MAX_VALUE);
        return new Books(ungranted, reported, held, true, isAnnounced ? 1 : returnable, again);
    }

    Books lost(Terms terms, @Nullable Statement statement, long sentMillis) {
        if (terms.isConcurrency()) {
            return new Books(ungranted, reported, held, isHeldUnknown, 0, uses);
        }
        if (terms.isTimed()) {
            Uses next = uses.lost(statement, sentMillis);
            long again = next.timedUnreported() - uses.timedUnreported();
            return new Books(ungranted, reported - again, 0, false, returnable, next);
        }
        if (statement == null) {
            return new Books(ungranted, 0, 0, false, returnable, uses);
        }
        // the store might still have a record of permits that this instance held earlier
        return new Books(ungranted, reported - statement.used(), held, true, returnable, uses);
    }
}
