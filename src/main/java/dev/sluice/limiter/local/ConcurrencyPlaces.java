package dev.sluice.limiter.local;

import dev.sluice.limiter.counter.Counter;
import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.limiter.counter.Permits;

/** Places for calls under way in this process: whoever takes one puts it back in the end. */
final class ConcurrencyPlaces extends LocalCounter {

    private final Permits permits;
    /** The permits that the limit never lets anybody take. */
    private final long beyondReach;

    private volatile boolean succeeded;

    /** All places are free. */
    ConcurrencyPlaces(CounterFamily family, Object values) {
        super(family, values);
        this.permits = new Permits(Permits.ALL);
        this.beyondReach = Permits.ALL - most();
    }

    /** Calls that are under way keep their places. */
    private ConcurrencyPlaces(CounterFamily family, ConcurrencyPlaces before) {
        super(family, before);
        this.permits = before.permits;
        this.beyondReach = Permits.ALL - most();
    }

    @Override
    public Counter succeededBy(CounterFamily next) {
        succeeded = true;
        return new ConcurrencyPlaces(next, this);
    }

    @Override
    public long take(long cost, long remaining, int holders, long nowMillis) {
        long left = permits.take(cost, remaining + beyondReach + withheldOverage(), holders);
        return left < 0 ? left : left - beyondReach;
    }

    @Override
    public void keep() {
        permits.keep();
    }

    @Override
    public void putBack(long cost, long reading, long takenAtMillis) {
        permits.pour(cost);
    }

    @Override
    public void charge(long amount, long nowMillis) {
        // what is paid afterwards takes no place
    }

    @Override
    public boolean surelyShortOf(long cost, long nowMillis) {
        return permits.surelyShortOf(cost + beyondReach + withheldOverage());
    }

    @Override
    public long reading(long nowMillis) {
        return Math.max(0, permits.left() - beyondReach);
    }

    @Override
    public long available(long reading, long nowMillis) {
        return reading;
    }

    @Override
    public long resetMillis(long reading, long nowMillis) {
        return permits.left() == Permits.ALL ? 0 : SOON_MILLIS;
    }

    @Override
    public long retryMillis(long cost, long nowMillis) {
        return SOON_MILLIS;
    }

    /** Places are worth remembering while a call is under way, however few of them it has. */
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
