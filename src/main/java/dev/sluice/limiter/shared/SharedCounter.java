package dev.sluice.limiter.shared;

import dev.sluice.limiter.counter.Counter;
import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.limiter.counter.Pool;

/** Counts one caller's calls in one tier together with other instances. */
public abstract class SharedCounter extends Counter {

    final Background background;

    SharedCounter(CounterFamily family, Object values, Background background) {
        super(family, values);
        this.background = background;
    }

    /** A counter that is opened now goes on with what is known to be used. */
    @Override
    public final long retireForItself(long nowMillis) {
        Pool pool = at(nowMillis);
        long used = pool == null ? 0 : most() - pool.available(pool.reading(nowMillis), nowMillis);
        retire();
        return used;
    }

    /** How it is called here, window after window. The background's alone. */
    public CallRate rate(long nowNanos) {
        return new CallRate(family.tier.sync().every().toNanos(), nowNanos);
    }

    /** At least so much of the frame that began then was used by the fleet; only where windows slide. */
    public void learnFrame(long start, long total) {}

    /** So much of the frame that began then was used here; only where windows slide. The background's alone. */
    public void learnOwnFrame(long start, long used) {}

    /** How much of the frame that began then was used here, as far as it was told. */
    public long ownFrame(long start) {
        return 0;
    }
}
