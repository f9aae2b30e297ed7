package dev.sluice.limiter;

import org.jspecify.annotations.Nullable;

/** Counts together with other instances where time does not cut the count: in one window without end. */
final class SteadyCounter extends Counter {

    private final Habits habits = new Habits();
    private final Window window;
    private volatile boolean retired;

    private SteadyCounter(CounterFamily family, Object values) {
        super(family, values);
        this.window = new Window(this, 0, Window.FOR_EVER, family.sharing.opening(family.tier), true, null);
    }

    static SteadyCounter begin(CounterFamily family, Object values) {
        SteadyCounter counter = new SteadyCounter(family, values);
        family.sharing.born(counter.window);
        return counter;
    }

    @Override
    @Nullable Window at(long nowMillis) {
        return retired ? null : window;
    }

    @Override
    Habits habits() {
        return habits;
    }

    @Override
    boolean mostlySpent(long nowMillis) {
        return window.isMostlySpent(nowMillis);
    }

    @Override
    boolean retireIfIdle(long nowMillis) {
        boolean idle = window.closeIfIdle(nowMillis);
        retired = retired || idle;
        return idle;
    }

    @Override
    void retire() {
        retired = true;
        window.close();
    }

    @Override
    boolean isRetired() {
        return retired;
    }
}
