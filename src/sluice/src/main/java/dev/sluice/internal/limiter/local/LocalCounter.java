package dev.sluice.internal.limiter.local;

import dev.sluice.Subject;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Pool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A counter that only this process uses. The counter itself serves as its only pool. */
abstract class LocalCounter extends Counter implements Pool {

    LocalCounter(CounterFamily family, Object values) {
        super(family, values);
    }

    LocalCounter(CounterFamily family, Counter before) {
        super(family, before);
    }

    @Override
    public final CounterFamily family() {
        return family;
    }

    @Override
    public final List<Subject> subjects() {
        return subjects;
    }

    @Override
    public final void addRefundable(long change, long state) {
        refundable().change(windowNumber(state), change);
    }

    @Override
    public final long refundable(long nowMillis) {
        return refundableIn(windowNumber(state(nowMillis)));
    }

    @Override
    public final @Nullable Pool at(long nowMillis) {
        return isRetired() ? null : this;
    }

    @Override
    public boolean isWorthKeeping(long nowMillis) {
        return isMostlyUsed(nowMillis);
    }
}
