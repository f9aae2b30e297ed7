package dev.sluice.internal.limiter.local;

import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Permits;

/** The slots for calls in flight in this process. A call frees its slot when it ends. Thread-safe. */
final class ConcurrencySlots extends LocalCounter {

    private final Permits permits;
    /** The number of permits above the limit. These permits are never taken. */
    private final long aboveLimit;

    private volatile boolean succeeded;

    /** Creates a counter with all slots free. */
    ConcurrencySlots(CounterFamily family, Object values) {
        super(family, values);
        this.permits = new Permits(Permits.ALL);
        this.aboveLimit = Permits.ALL - most();
    }

    /** Creates a counter that continues the given counter. Calls in flight keep their slots. */
    private ConcurrencySlots(CounterFamily family, ConcurrencySlots before) {
        super(family, before);
        this.permits = before.permits;
        this.aboveLimit = Permits.ALL - most();
    }

    @Override
    public Counter replacedBy(CounterFamily next) {
        succeeded = true;
        return new ConcurrencySlots(next, this);
    }

    @Override
    public long take(long cost, long remaining, int borrowers, long nowMillis) {
        long left = permits.take(cost, remaining + aboveLimit + withheldOverage(), borrowers);
        return left < 0 ? left : left - aboveLimit;
    }

    @Override
    public void keep() {
        permits.keep();
    }

    @Override
    public void putBack(long cost, long state, long takenAtMillis) {
        permits.add(cost);
    }

    @Override
    public long charge(long amount, long nowMillis) {
        return 0; // charges take no slot
    }

    @Override
    public boolean hasUndecidedCalls() {
        return permits.hasUndecidedCalls();
    }

    @Override
    public boolean surelyShortOf(long cost, long nowMillis) {
        return permits.surelyShortOf(cost + aboveLimit + withheldOverage());
    }

    @Override
    public long state(long nowMillis) {
        return Math.max(0, permits.left() - aboveLimit);
    }

    @Override
    public long available(long state, long nowMillis) {
        return state;
    }

    @Override
    public long resetMillis(long state, long nowMillis) {
        return permits.left() == Permits.ALL ? 0 : SOON_MILLIS;
    }

    @Override
    public long retryMillis(long cost, long nowMillis) {
        return SOON_MILLIS;
    }

    /** Keeps the counter while any call is in flight. */
    @Override
    public boolean isWorthKeeping(long nowMillis) {
        return permits.number() < Permits.ALL;
    }

    @Override
    public void retire() {
        permits.close();
    }

    @Override
    public boolean retireIfIdle(long nowMillis) {
        return permits.closeIfThereAre(Permits.ALL);
    }

    @Override
    public boolean isRetired() {
        return succeeded || permits.isClosed();
    }
}
