package dev.sluice.limiter;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.LoadSignal;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How busy this machine is: the part of its processors' time that was used of late, or the calls under way that are watched in proportion to what
 * its processors can be expected to do at once, whichever is more. The processors are looked at in the background.
 */
final class MachineLoad implements LoadSignal {

    private static final int CALLS_A_PROCESSOR = 50;

    private final AtomicInteger underWay = new AtomicInteger();
    private volatile double processors;

    /** A call that is watched has begun. */
    void begun() {
        underWay.incrementAndGet();
    }

    /** It has ended. */
    void ended() {
        underWay.decrementAndGet();
    }

    /** Looks at the processors; takes some time. */
    void look() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine) {
            processors = Math.max(0, machine.getCpuLoad());
        }
    }

    @Override
    public double load() {
        double calls = (double) underWay.get()
                / (CALLS_A_PROCESSOR * Runtime.getRuntime().availableProcessors());
        return Math.min(1, Math.max(processors, calls));
    }
}
