package dev.sluice.limiter;

import dev.sluice.Ticket;
import dev.sluice.limiter.counter.Pool;
import dev.sluice.limiter.endpoint.CompiledEndpoint;
import dev.sluice.tier.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An admitted call under way: what it took, and what of that is refunded when it ends. */
final class InFlightCall implements Ticket {

    /** The status of a call that was not served: all that it took is refunded where possible. */
    private static final int NOT_SERVED = -1;

    /** A charge goes to the counter that is there, by whatever limits. */
    private static final long ANY_LIMITS = 0;

    private final List<Taken> taken = new ArrayList<>(2);
    private final AtomicBoolean hasEnded = new AtomicBoolean();
    private final LimiterParts limiter;
    private final AtomicBoolean holdsWaitingSlot = new AtomicBoolean();
    private long delayMillis;
    private final AtomicBoolean loginsReturned = new AtomicBoolean();
    private volatile boolean loginFailed;

    private InFlightCall(LimiterParts limiter) {
        this.limiter = limiter;
        limiter.load().begun();
    }

    /**
     * What the call took from one pool.
     *
     * @param values the values of the counter's subjects
     * @param state the pool's state after taking
     * @param atMillis when it was taken
     */
    private record Taken(
            CompiledEndpoint compiledEndpoint, Object values, Pool pool, long cost, long state, long atMillis) {

        private boolean isCharged() {
            return compiledEndpoint.endpoint.cost().charged();
        }

        /** Whether the limit counts failed logins only. */
        private boolean isLogin() {
            return compiledEndpoint.endpoint.countsFailedLogins() && !isConcurrency();
        }

        private boolean isConcurrency() {
            return pool.family().compiledLimit.isConcurrency;
        }

        private boolean isRefundable() {
            return isRefunded(NOT_SERVED, false);
        }

        /** Whether the algorithm has already given back what was taken. */
        private boolean hasRefilled(long nowMillis) {
            return nowMillis - atMillis >= pool.family().compiledLimit.refundableForMillis;
        }

        private boolean isRefunded(int status, boolean loginFailed) {
            boolean isUnknown = status == UNANSWERED && !compiledEndpoint.endpoint.countsFailedLogins();
            boolean isCounted = isUnknown || compiledEndpoint.counts(status, loginFailed);
            return isConcurrency() || !isCounted;
        }
    }

    /**
     * Adds what the call took to its record, which is created if needed; {@code null} if nothing has to be done when
     * the call ends.
     */
    static @Nullable InFlightCall begin(
            @Nullable InFlightCall before, AtomicAcquisition acquisition, long nowMillis, LimiterParts limiter) {
        InFlightCall inFlight = before;
        for (TierAcquisition part : acquisition.parts()) {
            if (part.needsTicket()) {
                inFlight = inFlight == null ? new InFlightCall(limiter) : inFlight;
                inFlight.add(part, nowMillis);
            }
        }
        if (inFlight != null) {
            inFlight.delayMillis = Math.max(inFlight.delayMillis, acquisition.delayMillis());
            if (acquisition.holdsWaitingSlot()) {
                inFlight.holdsWaitingSlot.set(true);
            }
        }
        return inFlight;
    }

    private void add(TierAcquisition part, long nowMillis) {
        Pool pool = part.pool();
        Taken taking = new Taken(part.compiledEndpoint, part.values, pool, part.cost, part.state(), nowMillis);
        if (taking.isRefundable()) {
            pool.addRefundable(taking.cost, taking.state);
        }
        taken.add(taking);
    }

    @Override
    public long delayMillis() {
        return delayMillis;
    }

    @Override
    public boolean awaitTurn() throws InterruptedException {
        if (delayMillis == 0) {
            return true;
        }
        if (!holdsWaitingSlot.get()) {
            if (!limiter.waiting().beginTurn()) {
                limiter.waiting().warnOfTurns();
                return false;
            }
            holdsWaitingSlot.set(true);
        }
        try {
            Thread.sleep(delayMillis);
        } finally {
            endWait();
        }
        return true;
    }

    private void endWait() {
        if (holdsWaitingSlot.compareAndSet(true, false)) {
            limiter.waiting().endTurn();
        }
    }

    @Override
    public boolean charge(long amount) {
        if (amount < 0) {
            throw new IllegalArgumentException("an amount of " + amount + " cannot be charged: it is negative");
        }
        boolean charged = false;
        for (Taken taking : taken) {
            if (taking.isCharged()) {
                charged = true;
                if (!taking.isConcurrency()) {
                    charge(taking, Math.min(amount, Limit.MAX_THRESHOLD));
                }
            }
        }
        return charged;
    }

    /**
     * Charges the counter in use now, which may be another one than when the call began: an unused counter may have
     * been evicted.
     */
    private void charge(Taken taking, long amount) {
        long now = limiter.sharing().nowMillis();
        Pool current = taking.pool.at(now);
        while (current == null) {
            current = limiter.counters()
                    .get(taking.pool.family(), taking.values, ANY_LIMITS, now)
                    .at(now);
        }
        current.charge(amount, now);
        limiter.sharing().requestCheck(current);
    }

    @Override
    public void loginEnded(boolean failed) {
        if (!failed) {
            returnLogins();
            return;
        }
        boolean isKnown = loginFailed;
        loginFailed = true;
        if (!isKnown && loginsReturned.get() && !hasEnded.get()) { // a session that was logged in tries again
            taken.stream().filter(Taken::isLogin).forEach(taking -> charge(taking, taking.cost));
        }
    }

    private void returnLogins() {
        if (taken.stream().anyMatch(Taken::isLogin) && loginsReturned.compareAndSet(false, true)) {
            long now = limiter.sharing().nowMillis();
            taken.stream().filter(Taken::isLogin).forEach(taking -> end(taking, NOT_SERVED, now));
        }
    }

    /** Ends a call that is not served after all. */
    static void endUnserved(@Nullable Ticket ticket) {
        if (ticket != null) {
            ticket.ended(NOT_SERVED);
        }
    }

    @Override
    public void ended(int status) {
        if (!hasEnded.compareAndSet(false, true)) {
            return;
        }
        limiter.load().ended();
        endWait();
        long now = limiter.sharing().nowMillis();
        boolean returned = loginsReturned.getAndSet(true);
        for (Taken taking : taken) {
            if (!taking.isLogin() || !returned) {
                end(taking, status, now);
            }
        }
        if (status != NOT_SERVED) {
            reportLogins(loginFailed || returned);
        }
    }

    private void reportLogins(boolean isReported) {
        taken.stream()
                .filter(Taken::isLogin)
                .map(taking -> taking.compiledEndpoint.endpoint.id())
                .distinct()
                .forEach(id -> limiter.logins().ended(id, isReported));
    }

    private void end(Taken taking, int status, long now) {
        if (taking.isRefunded(status, loginFailed) && !taking.hasRefilled(now)) {
            taking.pool.refund(taking.cost, taking.state, taking.atMillis);
        }
        if (taking.isRefundable()) {
            taking.pool.addRefundable(-taking.cost, taking.state);
        }
    }
}
