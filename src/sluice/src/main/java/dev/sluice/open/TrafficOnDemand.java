package dev.sluice.open;

import dev.sluice.RateLimitListener;
import dev.sluice.internal.config.extension.GuardedListeners;
import dev.sluice.internal.thread.Poller;
import dev.sluice.internal.thread.TaskThread;
import dev.sluice.traffic.CallerNames;
import dev.sluice.traffic.CoarseClock;
import dev.sluice.traffic.Traffic;
import dev.sluice.traffic.TrafficReader;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls of the busiest callers. Counting starts with the first query, so nothing is spent on it before then.
 * Thread-safe.
 */
final class TrafficOnDemand implements AutoCloseable {

    private final GuardedListeners listeners;
    private final InstantSource clock;
    private final CallerNames names;
    private final boolean isClockOfMachine;
    private final TaskThread background;
    private @Nullable Traffic traffic;
    private @Nullable Poller ticks;
    private boolean closed;

    /**
     * Creates an instance that counts nothing until the first query.
     *
     * @param isClockOfMachine whether the clock is the system clock. If so, a coarser and cheaper clock replaces it
     * @param background the thread that runs the updates of the coarse clock
     */
    TrafficOnDemand(
            GuardedListeners listeners,
            InstantSource clock,
            boolean isClockOfMachine,
            CallerNames names,
            TaskThread background) {
        this.listeners = listeners;
        this.names = names;
        this.clock = clock;
        this.isClockOfMachine = isClockOfMachine;
        this.background = background;
    }

    synchronized Traffic get() {
        if (traffic == null) {
            traffic = new Traffic(clockForCounting(), names);
            listeners.add(traffic);
        }
        return traffic;
    }

    /** Passes the traffic to the listeners that want to read it. */
    void giveTo(List<RateLimitListener> all) {
        for (RateLimitListener listener : all) {
            if (listener instanceof TrafficReader reader && reader.wantsTraffic()) {
                reader.read(get());
            }
        }
    }

    private InstantSource clockForCounting() {
        if (!isClockOfMachine || closed) {
            return clock;
        }
        CoarseClock coarse = CoarseClock.driven(clock);
        ticks = new Poller(background, CoarseClock.TICK, () -> CoarseClock.TICK, coarse::tick, failure -> {});
        ticks.start();
        return coarse;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (ticks != null) {
            ticks.close();
        }
    }
}
