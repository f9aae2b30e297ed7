package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.Charge;
import dev.sluice.Cost.Settling;
import dev.sluice.LoginTicket;
import dev.sluice.Ticket;
import dev.sluice.internal.limiter.counter.CompiledLimit;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.tier.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An admitted call in flight. It records the permits that the call took, and refunds permits when the call ends.
 * Thread-safe.
 */
final class InFlightCall implements Logins.Owner, LoginTicket {

    /**
     * A placeholder for the sequence number of limits. Late charges go to the current counter, regardless of the limits
     * that created it.
     */
    private static final int ANY_LIMITS = 0;

    private final List<Taken> taken = new ArrayList<>(2);
    private final AtomicBoolean hasEnded = new AtomicBoolean();
    private final LimiterParts limiter;
    private final AtomicBoolean isCountedAsQueued = new AtomicBoolean();
    private volatile long delayMillis;
    /** The login attempts of the call; {@code null} if no limit counts failed attempts. */
    private volatile @Nullable Logins logins;

    private InFlightCall(LimiterParts limiter) {
        this.limiter = limiter;
        limiter.load().begun();
    }

    /**
     * Adds the call's permits to its ticket. Creates the ticket if necessary. Returns {@code null} if the call needs no
     * ticket because its end does not matter.
     */
    static @Nullable InFlightCall begin(
            @Nullable InFlightCall before,
            AtomicAcquisition acquisition,
            Call call,
            long nowMillis,
            LimiterParts limiter) {
        InFlightCall inFlight = before;
        boolean mayBeBusy = acquisition.delayMillis() > 0; // a call refused as busy returns all permits
        for (TierAcquisition part : acquisition.parts()) {
            if (mayBeBusy || part.needsTicket()) {
                inFlight = inFlight == null ? new InFlightCall(limiter) : inFlight;
                inFlight.add(new Taken(part, nowMillis), call);
            }
        }
        if (inFlight != null) {
            inFlight.delayMillis = Math.max(inFlight.delayMillis, acquisition.delayMillis());
            if (acquisition.isCountedAsQueued()) {
                inFlight.isCountedAsQueued.set(true);
            }
        }
        return inFlight;
    }

    /**
     * Adds to the call's ticket the limits that count login attempts by the attempted name. Creates the ticket if
     * necessary.
     */
    static InFlightCall awaitingLogins(
            @Nullable InFlightCall before, List<LimitPerLogin> limits, Call call, LimiterParts limiter) {
        InFlightCall inFlight = before == null ? new InFlightCall(limiter) : before;
        inFlight.logins(call).await(limits);
        return inFlight;
    }

    private void add(Taken taking, Call call) {
        taken.add(taking);
        if (taking.isLogin()) {
            logins(call).add(taking);
        }
    }

    private Logins logins(Call call) {
        Logins known = logins;
        Logins counting = known == null ? new Logins(this, limiter, call) : known;
        logins = counting;
        return counting;
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
        if (!isCountedAsQueued.get()) {
            if (!limiter.pending().beginQueued(true)) {
                limiter.pending().warnOfQueued();
                giveBack(false);
                return false;
            }
            isCountedAsQueued.set(true);
        }
        try {
            Thread.sleep(delayMillis);
        } catch (InterruptedException e) {
            giveBack(true);
            throw e;
        } finally {
            endQueued();
        }
        delayMillis = 0;
        return true;
    }

    /** Records that the turn of a queued call has come. */
    static void turnHasCome(@Nullable Ticket ticket) {
        if (ticket instanceof InFlightCall call && call.delayMillis > 0) {
            call.delayMillis = 0;
            call.endQueued();
        }
    }

    private void endQueued() {
        if (isCountedAsQueued.compareAndSet(true, false)) {
            limiter.pending().endQueued();
        }
    }

    @Override
    public Charge charge(long amount) {
        requireCost(amount, "charged");
        long bounded = Math.min(amount, Limit.MAX_THRESHOLD);
        Charge all = Charge.NOT_COUNTED;
        for (Taken taking : taken) {
            if (taking.isReserved()) {
                all = all.and(chargeReserved(taking, bounded));
            } else if (taking.isCharged()) {
                all = all.and(taking.isConcurrency() ? Charge.UNLIMITED : chargeWithoutReservation(taking, bounded));
            }
        }
        return all;
    }

    @Override
    public boolean settle(long actual) {
        requireCost(actual, "settled");
        boolean settled = false;
        for (Taken taking : taken) {
            settled |= taking.isReserved() && settle(taking, Math.min(actual, Limit.MAX_THRESHOLD));
        }
        return settled;
    }

    private static void requireCost(long amount, String verb) {
        if (amount < 0) {
            throw new IllegalArgumentException("amount " + amount + " is negative; it cannot be " + verb);
        }
    }

    private Charge chargeWithoutReservation(Taken taking, long amount) {
        Pool charged = charge(taking, amount);
        requestCheck(charged);
        return answer(taking, charged, 0);
    }

    /**
     * Charges a call with a reservation. The charge uses up the reservation first, but only in the window in which the
     * reservation was made.
     */
    private Charge chargeReserved(Taken taking, long amount) {
        @Nullable Pool charged;
        long covered = 0;
        synchronized (taking) {
            if (taking.isSettled) {
                return Charge.NOT_COUNTED;
            }
            if (isWindowOver(taking)) {
                charged = charge(taking, amount);
            } else {
                long before = taking.beyondReserved();
                taking.charged += amount;
                charged = chargeBeyond(taking, taking.beyondReserved() - before);
                covered = taking.covers();
            }
        }
        requestCheck(charged);
        return answer(
                taking,
                charged != null ? charged : current(taking, limiter.sharing().nowMillis()),
                covered);
    }

    /**
     * Creates the result of a charge.
     *
     * @param covered the number of further permits that the call's own reservation covers
     */
    private Charge answer(Taken taking, Pool pool, long covered) {
        if (!taking.compiledEndpoint.enforced()) {
            return Charge.UNLIMITED;
        }
        long now = limiter.sharing().nowMillis();
        long usable = pool.usableOnceDecided(now);
        long elsewhere = Math.min(usable, pool.heldElsewhere());
        return new Charge(
                true, covered + usable - elsewhere, elsewhere, taking.compiledEndpoint.endpoint, pool.family().tier);
    }

    /** Counts or refunds the difference between the permits taken so far and the actual cost. */
    private boolean settle(Taken taking, long actual) {
        @Nullable Pool charged = null;
        synchronized (taking) {
            if (taking.isSettled) {
                return false;
            }
            taking.isSettled = true;
            if (!isWindowOver(taking)) {
                charged = chargeBeyond(taking, actual - taking.covered - taking.beyondReserved());
                taking.refundBeyond(actual, limiter.sharing().nowMillis());
            }
            if (!taking.compiledEndpoint.endpoint.countsByAnswer()) {
                taking.decided();
            }
        }
        requestCheck(charged);
        taking.serveLine(limiter.sharing());
        return true;
    }

    /**
     * Whether the permits were taken in a fixed window that has ended. The count of such a window can no longer change.
     */
    private boolean isWindowOver(Taken taking) {
        CompiledLimit limit = taking.pool.family().compiledLimit;
        if (!limit.hasWindows || limit.frames > 0) {
            return false;
        }
        long now = limiter.sharing().nowMillis();
        Pool current = current(taking, now);
        return current.windowNumber(current.state(now)) != taking.pool.windowNumber(taking.state);
    }

    /**
     * Charges the current counter and returns its pool. The calling method then has to request a check of the pool,
     * without holding any lock.
     */
    private Pool charge(Taken taking, long amount) {
        long now = limiter.sharing().nowMillis();
        Pool current = current(taking, now);
        current.charge(amount, now);
        return current;
    }

    /**
     * Charges the amount that the reservation does not cover. The amount is refunded if the call settles a lower cost
     * or does not count. Returns the charged pool; {@code null} if there was nothing to charge. The calling method then
     * has to request a check of the pool, without holding any lock.
     */
    private @Nullable Pool chargeBeyond(Taken taking, long amount) {
        if (amount <= 0) {
            return null;
        }
        long now = limiter.sharing().nowMillis();
        Pool current = current(taking, now);
        taking.noteBeyond(current, current.charge(amount, now), now);
        return current;
    }

    private void requestCheck(@Nullable Pool charged) {
        if (charged != null) {
            limiter.sharing().requestCheck(charged);
        }
    }

    /**
     * Returns the current pool. If the call's original counter was evicted, the pool belongs to a different counter.
     */
    private Pool current(Taken taking, long now) {
        Pool current = taking.pool.at(now);
        while (current == null) {
            current = limiter.counters()
                    .get(taking.pool.family(), taking.values, ANY_LIMITS, now)
                    .at(now);
        }
        return current;
    }

    @Override
    public Attempt beginLogin(@Nullable String name) {
        Logins counting = logins;
        return counting == null ? Attempt.UNCOUNTED : counting.begin(name);
    }

    @Override
    public CompletableFuture<Attempt> beginLoginAsync(@Nullable String name, Executor executor) {
        Logins counting = logins;
        return counting == null ? CompletableFuture.completedFuture(Attempt.UNCOUNTED) : counting.begin(name, executor);
    }

    @Override
    public void loginEnded(boolean failed) {
        Logins counting = logins;
        if (counting != null) {
            counting.reported(failed);
        }
    }

    @Override
    public void chargeAgain(Taken taking) {
        requestCheck(charge(taking, taking.cost));
    }

    @Override
    public void keep(Taken taking) {
        synchronized (taking) {
            taking.decided();
        }
        taking.serveLine(limiter.sharing());
    }

    /** Whether this ticket refunds the permits that the call took for the given part. */
    boolean includes(TierAcquisition part) {
        return taken.stream().anyMatch(taking -> taking.pool == part.pool());
    }

    /**
     * Ends a call that was abandoned before it was served. Gives back as many permits as possible.
     *
     * @param keepsTurn whether the call keeps its turn because it was queued. The calls behind it already have later
     *     turns
     */
    void giveBack(boolean keepsTurn) {
        if (hasEnded.compareAndSet(false, true)) {
            limiter.load().ended();
            endQueued();
            endLogins(Taken.NOT_SERVED);
            long now = limiter.sharing().nowMillis();
            taken.forEach(taking -> giveBack(taking, keepsTurn, now));
        }
    }

    private void giveBack(Taken taking, boolean keepsTurn, long now) {
        synchronized (taking) {
            taking.isSettled = true;
            if (!keepsTurn || !taking.pool.family().compiledLimit.hasQueue) {
                taking.refundAll(now);
            }
            taking.decided();
        }
        taking.serveLine(limiter.sharing());
    }

    /** Ends a call that will not be served after all. */
    static void endUnserved(@Nullable Ticket ticket) {
        if (ticket != null) {
            ticket.ended(Taken.NOT_SERVED);
        }
    }

    @Override
    public void ended(int status) {
        if (!hasEnded.compareAndSet(false, true)) {
            return;
        }
        limiter.load().ended();
        endQueued();
        boolean includesLogins = endLogins(status);
        Logins counting = logins;
        boolean loginFailed = counting != null && counting.ownCounts();
        for (Taken taking : taken) {
            if (!taking.isLogin() || includesLogins) {
                end(taking, status, loginFailed);
            }
        }
        if (counting != null && status != Taken.NOT_SERVED) {
            counting.tellEndpoints();
        }
    }

    /**
     * Ends the login attempts. Returns whether the permits that the call itself took for them have to be counted or
     * refunded now.
     */
    private boolean endLogins(int status) {
        Logins counting = logins;
        return counting != null && counting.callEnded(status);
    }

    @Override
    public void end(Taken taking, int status, boolean loginFailed) {
        long now = limiter.sharing().nowMillis();
        synchronized (taking) {
            boolean isUnsettled = taking.isReserved() && !taking.isSettled;
            if (taking.isRefunded(status, loginFailed)) {
                taking.isSettled = true;
                taking.refundAll(now);
            } else if (isUnsettled && taking.compiledEndpoint.endpoint.cost().settling() == Settling.REFUND) {
                taking.refundUncharged(now);
            }
            taking.decided();
        }
        taking.serveLine(limiter.sharing());
    }
}
