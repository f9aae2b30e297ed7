package dev.sluice.cli.compare;

import dev.sluice.tier.Limit;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/**
 * Measures the memory of a counter: compares the heap before and after many callers have used up their limits, with
 * evenly spread calls.
 */
final class CounterMemory {

    private static final long CALLS = 400_000;
    private static final int MOST_COUNTERS = 4_000;
    private static final int LEAST_COUNTERS = 20;
    private static final int WARM_UP = 10;

    private CounterMemory() {}

    /**
     * The bytes of one caller, approximately: its counter, its name, and all else that the limiter keeps of it.
     */
    static long bytes(Limit limit, long atMillis) {
        int counters = (int) Math.max(LEAST_COUNTERS, Math.min(MOST_COUNTERS, CALLS / limit.threshold()));
        try (VirtualLimiter limiter = new VirtualLimiter(limit)) {
            use(limiter, limit, 0, WARM_UP, atMillis);
            long before = used();
            use(limiter, limit, WARM_UP, WARM_UP + counters, atMillis);
            return Math.max(0, (used() - before) / counters);
        }
    }

    private static void use(VirtualLimiter limiter, Limit limit, int from, int to, long atMillis) {
        for (long call = 0; call < limit.threshold(); call++) {
            long moment = atMillis + call * limit.period().toMillis() / limit.threshold();
            for (int counter = from; counter < to; counter++) {
                limiter.decide("192.0.2." + counter, moment);
            }
        }
    }

    @SuppressWarnings("BanSystemGc") // what is asked is what is left when nothing is garbage
    private static long used() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }
}
