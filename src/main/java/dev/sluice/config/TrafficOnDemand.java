package dev.sluice.config;

import dev.sluice.config.fault.GuardedListeners;
import dev.sluice.traffic.CoarseClock;
import dev.sluice.traffic.Traffic;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Counts who calls most, from the first time that it is asked. Safe for any threads. */
final class TrafficOnDemand implements AutoCloseable {

    private final GuardedListeners listeners;
    private final InstantSource clock;
    private final boolean isClockOfMachine;
    /** Set once it is one of the listeners. */
    private volatile @Nullable Traffic traffic;

    private @Nullable CoarseClock coarse;
    private boolean closed;

    /**
     * Counts nothing yet.
     *
     * @param isClockOfMachine whether the application has set no clock, so that calls can be counted by a coarse one,
     *     which is cheaper
     */
    TrafficOnDemand(GuardedListeners listeners, InstantSource clock, boolean isClockOfMachine) {
        this.listeners = listeners;
        this.clock = clock;
        this.isClockOfMachine = isClockOfMachine;
    }

    Traffic get() {
        Traffic known = traffic;
        return known == null ? begin() : known;
    }

    private synchronized Traffic begin() {
        Traffic known = traffic;
        Traffic counted = known == null ? new Traffic(clockForCounting()) : known;
        if (known == null) {
            listeners.add(counted);
            traffic = counted;
        }
        return counted;
    }

    private InstantSource clockForCounting() {
        if (!isClockOfMachine || closed) {
            return clock;
        }
        CoarseClock started = CoarseClock.following(clock);
        coarse = started;
        return started;
    }

    @Override
    public synchronized void close() {
        closed = true;
        CoarseClock ticking = coarse;
        if (ticking != null) {
            ticking.close();
        }
    }
}
