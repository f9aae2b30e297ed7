package dev.sluice.internal.store.memory;

import dev.sluice.TestClock;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.NeverTwiceContract;
import java.time.Duration;

class InMemoryNeverTwiceTest extends NeverTwiceContract {

    private final TestClock clock = new TestClock(1_627_318_784_321L);
    private final InMemoryCounterStore shared = new InMemoryCounterStore(clock, 10_000);

    @Override
    protected CounterStore open() {
        return shared;
    }

    @Override
    protected long now() {
        return clock.millis();
    }

    @Override
    protected void passes(Duration time) {
        clock.advance(time);
    }
}
