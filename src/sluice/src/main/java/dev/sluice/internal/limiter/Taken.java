package dev.sluice.internal.limiter;

import dev.sluice.Ticket;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The permits that a call in flight took from one pool. This object also records refunded permits and charges that
 * exceeded the call's reservation. Its lock guards the mutable fields.
 */
final class Taken {

    /**
     * The divisor that determines which charges are merged. Charges to the same window are merged if they occur within
     * a sixteenth of the time after which they expire. Without merging, a stream that charges for each word would
     * accumulate a very large number of charges.
     */
    private static final int GRAINS = 16;

    /** An amount that exceeded the reservation and was charged at {@code atMillis} or slightly later. */
    private record Charge(Pool pool, long state, long atMillis, long amount) {}

    /** The status of a call that was not served. Such a call refunds as many permits as possible. */
    static final int NOT_SERVED = -1;

    final CompiledEndpoint compiledEndpoint;
    /** The values of the counter's subjects. */
    final Object values;

    final Pool pool;
    /** The family according to the limits in force when the call began. */
    private final CounterFamily family;
    /** The state of the pool immediately after the call took its permits. */
    final long state;

    final long cost;
    private final long atMillis;
    /**
     * The amount that the application has charged, if the call has a reservation. Charges use up the reservation first.
     */
    long charged;
    /** The amount that can be charged without further permits, because the call took permits for it when it began. */
    long covered;
    /** The number of refunded permits. */
    private long refunded;
    /** The unexpired charges that exceeded the reservation, oldest first. */
    private final List<Charge> beyond = new ArrayList<>(0);
    /** The sum of the expired charges that exceeded the reservation. */
    private long flowedBack;
    /** Whether the application has settled the cost of a call with a reservation, or is no longer able to settle it. */
    boolean isSettled;
    /** Whether the pool counts these permits among those that calls in flight could return. */
    private boolean mayComeBack;

    Taken(TierAcquisition part, long nowMillis) {
        this.compiledEndpoint = part.compiledEndpoint;
        this.values = part.values;
        this.family = part.family;
        this.pool = part.pool();
        this.state = part.state();
        this.atMillis = nowMillis;
        this.cost = part.cost;
        this.covered = part.cost;
        this.mayComeBack = part.isRefundable();
    }

    boolean isCharged() {
        return compiledEndpoint.endpoint.cost().charged();
    }

    boolean isReserved() {
        return compiledEndpoint.endpoint.cost().reserved() && !isConcurrency();
    }

    /** Whether the limit counts only failed logins. */
    boolean isLogin() {
        return compiledEndpoint.endpoint.countsFailedLogins() && !isConcurrency();
    }

    boolean isConcurrency() {
        return pool.family().compiledLimit.isConcurrency;
    }

    /** Whether the permits have already become available again over time. */
    private boolean hasRefilled(long nowMillis) {
        return isRefilled(pool, atMillis, nowMillis);
    }

    private static boolean isRefilled(Pool pool, long atMillis, long nowMillis) {
        return nowMillis - atMillis >= pool.family().compiledLimit.refundableForMillis;
    }

    boolean isRefunded(int status, boolean loginFailed) {
        boolean isUnknown = status == Ticket.UNANSWERED && !compiledEndpoint.endpoint.countsFailedLogins();
        boolean isCounted = isUnknown || compiledEndpoint.counts(status, loginFailed);
        return isConcurrency() || !isCounted || (isReserved() && status == NOT_SERVED);
    }

    /** Returns the number of permits that the call took and has not refunded. */
    private long kept() {
        return cost - refunded;
    }

    /** Returns the number of further permits that the reservation covers. */
    long covers() {
        return Math.max(0, covered - charged);
    }

    /** Returns the charged amount that exceeded the reservation. */
    long beyondReserved() {
        return Math.max(0, charged - covered);
    }

    /** Records a counted amount that exceeded the reservation. */
    void noteBeyond(Pool chargedPool, long amount, long nowMillis) {
        long after = chargedPool.state(nowMillis);
        @Nullable Charge last = beyond.isEmpty() ? null : beyond.get(beyond.size() - 1);
        boolean isSame = last != null
                && last.pool == chargedPool
                && chargedPool.windowNumber(last.state) == chargedPool.windowNumber(after)
                && nowMillis - last.atMillis < chargedPool.family().compiledLimit.refundableForMillis / GRAINS;
        if (last != null && isSame) {
            beyond.set(beyond.size() - 1, new Charge(chargedPool, after, last.atMillis, last.amount + amount));
        } else {
            while (!beyond.isEmpty() && isRefilled(beyond.get(0).pool, beyond.get(0).atMillis, nowMillis)) {
                flowedBack += beyond.remove(0).amount;
            }
            beyond.add(new Charge(chargedPool, after, nowMillis, amount));
        }
    }

    /**
     * Refunds all permits counted beyond the given amount. The latest charges are refunded first, then the reservation.
     */
    void refundBeyond(long actual, long nowMillis) {
        long counted = covered + flowedBack;
        for (Charge charge : beyond) {
            counted += charge.amount;
        }
        long remaining = refundCharges(counted - actual, nowMillis);
        refund(Math.min(remaining, covered), nowMillis);
    }

    /** Refunds all charges and permits that have not been refunded. */
    void refundAll(long nowMillis) {
        refundCharges(Long.MAX_VALUE, nowMillis);
        refund(kept(), nowMillis);
    }

    /**
     * Refunds up to {@code most} of the permits that were charged in excess of the reservation, starting with the
     * latest charge. Returns the amount that remains to be refunded from the reservation.
     */
    private long refundCharges(long most, long nowMillis) {
        long remaining = most;
        while (remaining > 0 && !beyond.isEmpty()) {
            Charge charge = beyond.remove(beyond.size() - 1);
            long part = Math.min(remaining, charge.amount);
            if (!isRefilled(charge.pool, charge.atMillis, nowMillis)) {
                charge.pool.refund(part, charge.state, charge.atMillis);
            }
            if (part < charge.amount) {
                beyond.add(new Charge(charge.pool, charge.state, charge.atMillis, charge.amount - part));
            }
            remaining -= part;
        }
        return remaining - flowedBack;
    }

    /** Refunds the given number of permits, unless they have already become available again over time. */
    void refund(long amount, long nowMillis) {
        if (amount > 0 && !hasRefilled(nowMillis)) {
            pool.refund(amount, state, atMillis);
            refunded += amount;
        }
    }

    /**
     * Refunds the reserved amount that was not charged. If the work continues, later charges are counted in addition.
     */
    void refundUncharged(long nowMillis) {
        covered = Math.min(charged, cost);
        refund(cost - covered, nowMillis);
    }

    /**
     * Creates a second acquisition with the same cost from the same counter, for a further login attempt of the call.
     */
    TierAcquisition again() {
        return new TierAcquisition(compiledEndpoint, family, values, cost);
    }

    /** Records that the amount to refund is now known. The pool expects no further refunds from the call. */
    void decided() {
        if (mayComeBack) {
            mayComeBack = false;
            pool.addRefundable(-cost, state);
        }
    }

    /** Lets waiting calls continue after a refund. */
    void serveLine(Sharing sharing) {
        if (pool.isAnyInLine()) {
            sharing.requestCheck(pool);
        }
    }
}
