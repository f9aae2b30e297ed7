package dev.sluice.internal.limiter.counter;

import dev.sluice.Subject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A window from which calls take {@link Permits}. Thread-safe. */
public abstract class OpenWindow extends Window implements Pool {

    public final Permits permits;

    protected OpenWindow(Counter counter, Span span, Permits permits) {
        super(counter, span);
        this.permits = permits;
    }

    @Override
    public final CounterFamily family() {
        return counter.family;
    }

    @Override
    public final List<Subject> subjects() {
        return counter.subjects;
    }

    @Override
    public final @Nullable Pool at(long nowMillis) {
        return counter.at(nowMillis);
    }

    /**
     * Returns the number of this window. Permits that are returned to an old window do not become available in the
     * current window. Permits that are returned to an old frame do, but {@code Retry-After} does not take them into
     * account.
     */
    @Override
    public final long windowNumber(long state) {
        return end() == FOR_EVER ? 0 : start() / counter.family.compiledLimit.lengthMillis;
    }

    @Override
    public final void addRefundable(long change, long state) {
        counter.refundable().change(windowNumber(state), change);
    }

    @Override
    public final long refundable(long nowMillis) {
        return counter.refundableIn(windowNumber(state(nowMillis)));
    }

    @Override
    public final void keep() {
        permits.keep();
    }

    @Override
    public boolean hasUndecidedCalls() {
        return permits.hasUndecidedCalls();
    }

    /** Closes the window. Calls can still keep or release permits that they have borrowed. */
    @Override
    public void close() {
        permits.close();
    }

    @Override
    public boolean isMostlyUsed(long nowMillis) {
        return Pool.super.isMostlyUsed(nowMillis);
    }
}
