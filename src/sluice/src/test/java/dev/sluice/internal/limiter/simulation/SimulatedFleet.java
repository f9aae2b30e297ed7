package dev.sluice.internal.limiter.simulation;

import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.Limits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Instances in virtual time that count together through a store with some round-trip time. The limiter is the real one,
 * driven by an {@link EventLoop}.
 */
public final class SimulatedFleet implements AutoCloseable {

    /** The start of an hour. */
    public static final long START_NANOS = 1_627_318_800_000_000_000L;

    public static final long MILLI = 1_000_000;

    public final EventLoop loop = new EventLoop(START_NANOS);
    public final CounterStore store;
    public final List<SimulatedInstance> instances = new ArrayList<>();
    public final StoreTraffic traffic = new StoreTraffic();

    /** Whether the store sends news. */
    public final boolean pushes;
    /** How long the next exchange is in flight, half of it to the store. */
    public LongSupplier roundTripNanos = () -> MILLI;

    /**
     * The longest round trip. A call may count as made later by half of that, if it was reported, or earlier, if it was
     * granted.
     */
    public long longestTripMillis = 1;

    /** Hears of each event. */
    final FleetObserver observer;

    private final Limits limits;
    private long storeStalledUntilNanos;

    public SimulatedFleet(int size, Limits limits, boolean pushes) {
        this(size, limits, pushes, SimulatedFleet::inMemory, FleetObserver.NONE);
    }

    /** A fleet with a store that tells the time of the loop and answers at once. */
    public SimulatedFleet(
            int size, Limits limits, boolean pushes, Function<EventLoop, CounterStore> store, FleetObserver observer) {
        this.limits = limits;
        this.pushes = pushes;
        this.store = store.apply(loop);
        this.observer = observer;
        for (int i = 0; i < size; i++) {
            add();
        }
    }

    /** The store of most fleets. */
    public static CounterStore inMemory(EventLoop loop) {
        return new InMemoryCounterStore(() -> Instant.ofEpochMilli(loop.millis()), 10_000_000);
    }

    /** One more instance. */
    public SimulatedInstance add() {
        SimulatedInstance instance = new SimulatedInstance(this, "i" + instances.size(), limits);
        instances.add(instance);
        return instance;
    }

    /** Lets the store stand still for so long: what arrives is answered afterwards. */
    public void stallStore(long nanos) {
        storeStalledUntilNanos = Math.max(storeStalledUntilNanos, loop.nanos() + nanos);
    }

    /** Runs something in the store, once it does not stand still. */
    void atStore(Runnable task) {
        loop.onceAt(() -> storeStalledUntilNanos, task);
    }

    public long millis() {
        return loop.millis();
    }

    /** How much time has passed since the start. */
    public long elapsedMillis() {
        return loop.millis() - START_NANOS / MILLI;
    }

    /** Lets so much time pass. */
    public void pass(long millis) {
        loop.runUntil(loop.nanos() + millis * MILLI);
    }

    /** Ends all threads. */
    @Override
    public void close() {
        loop.stop();
        store.close();
    }
}
