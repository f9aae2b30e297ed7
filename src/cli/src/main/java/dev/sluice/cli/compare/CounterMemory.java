package dev.sluice.cli.compare;

import dev.sluice.tier.Limit;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the memory that counters occupy. It simulates many callers that use up their limits with evenly spread
 * calls, and measures how much the heap grows.
 */
final class CounterMemory {

    private static final long CALLS = 200_000;
    private static final int MOST_COUNTERS = 2_000;
    private static final int LEAST_COUNTERS = 20;
    private static final int WARM_UP = 10;
    /**
     * The number of garbage collections before a measurement. With the serial collector, only one in four collections
     * removes all garbage.
     */
    private static final int COLLECTIONS = 4;

    private CounterMemory() {}

    /** Measures the memory that counters occupy. */
    interface Meter {

        /**
         * Returns the approximate number of bytes per caller for each limit. This includes the caller's name and all
         * other data that the limiter stores for the counter.
         */
        List<Long> bytes(List<Limit> limits, long atMillis);
    }

    /** Measures the memory in this process. */
    static List<Long> bytes(List<Limit> limits, long atMillis) {
        List<VirtualLimiter> limiters = limits.stream().map(VirtualLimiter::new).toList();
        for (int i = 0; i < limits.size(); i++) {
            // The first callers cause classes to be loaded and tables to be allocated. We exclude this memory, because
            // it does not depend on the number of callers.
            use(limiters.get(i), limits.get(i), 0, WARM_UP, atMillis);
        }
        long before = used();
        List<Long> bytes = new ArrayList<>();
        for (int i = 0; i < limits.size(); i++) {
            int counters = counters(limits.get(i));
            use(limiters.get(i), limits.get(i), WARM_UP, WARM_UP + counters, atMillis);
            long after = used();
            bytes.add(Math.max(0, (after - before) / counters));
            before = after;
        }
        limiters.forEach(VirtualLimiter::close);
        return bytes;
    }

    private static int counters(Limit limit) {
        return (int) Math.max(LEAST_COUNTERS, Math.min(MOST_COUNTERS, CALLS / limit.threshold()));
    }

    private static void use(VirtualLimiter limiter, Limit limit, int from, int to, long atMillis) {
        for (long call = 0; call < limit.threshold(); call++) {
            long moment = atMillis + call * limit.period().toMillis() / limit.threshold();
            for (int counter = from; counter < to; counter++) {
                limiter.decide("192.0.2." + counter, moment);
            }
        }
    }

    /** The heap usage after garbage collection, excluding memory that threads have reserved since then. */
    @SuppressWarnings("BanSystemGc") // there is no other way to measure heap usage
    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        long used = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage after = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
            used += after == null ? 0 : after.getUsed();
        }
        return used;
    }
}
