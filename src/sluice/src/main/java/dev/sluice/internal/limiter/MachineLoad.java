package dev.sluice.internal.limiter;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.LoadSignal;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/**
 * The load of this machine. It is the larger of two values: the recent usage of the processors, and the watched calls
 * in flight relative to what the processors should be able to handle. The usage is measured in the background.
 * Thread-safe.
 */
final class MachineLoad implements LoadSignal {

    static final int CALLS_PER_PROCESSOR = 50;

    private final DoubleSupplier machine;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile double processors;

    MachineLoad() {
        this(MachineLoad::ofProcessors);
    }

    /** With another measure of the processors' usage: from 0 to 1, negative if unknown. */
    MachineLoad(DoubleSupplier machine) {
        this.machine = machine;
    }

    private static double ofProcessors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean known
                ? known.getCpuLoad()
                : -1;
    }

    /** A watched call begins. */
    void begun() {
        inFlight.incrementAndGet();
    }

    /** A watched call ends. */
    void ended() {
        inFlight.decrementAndGet();
    }

    /** Measures the usage of the processors. Takes some time. */
    void measure() {
        double measured = machine.getAsDouble();
        processors = measured > 0 ? measured : 0;
    }

    @Override
    public double load() {
        double calls = (double) inFlight.get()
                / (CALLS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());
        return Math.min(1, Math.max(processors, calls));
    }
}
