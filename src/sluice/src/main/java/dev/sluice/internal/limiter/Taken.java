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
 * What a call in flight took from one pool, and has refunded; and what was charged beyond its reservation. Its lock
 * guards the mutable fields.
 */
final class Taken {

    /**
     * Charges to one window count as made at once, if less time passes between them than this fraction of the time in
     * which they flow back: a stream may charge for each of its words.
     */
    private static final int GRAINS = 16;

    /** What was charged beyond the reservation, at that time or somewhat later. */
    private record Charge(Pool pool, long state, long atMillis, long amount) {}

    /** The status of a call that was not served: it refunds everything it can. */
    static final int NOT_SERVED = -1;

    final CompiledEndpoint compiledEndpoint;
    /** The values of the counter's subjects. */
    final Object values;

    final Pool pool;
    /** The family by the limits that the call began with. */
    private final CounterFamily family;
    /** The pool's state after taking. */
    final long state;

    final long cost;
    private final long atMillis;
    /** What the application has charged, if the call reserved a cost. The reservation covers it first. */
    long charged;
    /** How much of the charges needs no further permits, because the call took them when it began. */
    long covered;
    /** How much was refunded. */
    private long refunded;
    /** What counts of the charges beyond the reservation, oldest first. */
    private final List<Charge> beyond = new ArrayList<>(0);
    /** What was charged before these, and counts no more. */
    private long flowedBack;
    /** Whether the application has settled the cost of a reserving call, or may no longer do so. */
    boolean isSettled;
    /** Whether the pool counts it among what calls in flight may return. */
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

    /** Whether the limit counts failed logins only. */
    boolean isLogin() {
        return compiledEndpoint.endpoint.countsFailedLogins() && !isConcurrency();
    }

    boolean isConcurrency() {
        return pool.family().compiledLimit.isConcurrency;
    }

    /** Whether time has already given back what was taken. */
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

    /** What it took and has not refunded. */
    private long kept() {
        return cost - refunded;
    }

    /** What was charged beyond the reservation. */
    long beyondReserved() {
        return Math.max(0, charged - covered);
    }

    /** Notes what counts of a charge beyond the reservation. */
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

    /** Refunds what counts beyond this much: the latest charges first, then the reservation. */
    void refundBeyond(long actual, long nowMillis) {
        long counted = covered + flowedBack;
        for (Charge charge : beyond) {
            counted += charge.amount;
        }
        long remaining = refundCharges(counted - actual, nowMillis);
        refund(Math.min(remaining, covered), nowMillis);
    }

    /** Refunds everything. */
    void refundAll(long nowMillis) {
        refundCharges(Long.MAX_VALUE, nowMillis);
        refund(kept(), nowMillis);
    }

    /** Refunds up to {@code most} of the charges, the latest first; returns what the reservation may still refund. */
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

    /** Refunds this much, unless time has already given it back. */
    void refund(long amount, long nowMillis) {
        if (amount > 0 && !hasRefilled(nowMillis)) {
            pool.refund(amount, state, atMillis);
            refunded += amount;
        }
    }

    /** Refunds what was reserved but not charged. Work that goes on may still be charged; that counts then. */
    void refundUncharged(long nowMillis) {
        covered = Math.min(charged, cost);
        refund(cost - covered, nowMillis);
    }

    /** The same from the same counter, for another attempt of the call to log in. */
    TierAcquisition again() {
        return new TierAcquisition(compiledEndpoint, family, values, cost);
    }

    /** It is now known what the call refunds: the pool no longer expects more. */
    void decided() {
        if (mayComeBack) {
            mayComeBack = false;
            pool.addRefundable(-cost, state);
        }
    }

    /** Lets calls continue that waited for a refund. */
    void serveLine(Sharing sharing) {
        if (pool.isAnyInLine()) {
            sharing.requestCheck(pool);
        }
    }
}
