package dev.sluice.internal.limiter;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.LoadSignal;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/**
 * The load of this machine. It is the maximum of the recent CPU load and the call load. The call load is the number of
 * calls in flight with a ticket, divided by the number of calls that the CPUs should be able to handle. The CPU load is
 * measured in the background. Thread-safe.
 */
final class MachineLoad implements LoadSignal {

    static final int CALLS_PER_PROCESSOR = 50;

    private final DoubleSupplier machine;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile double processors;

    MachineLoad() {
        this(MachineLoad::ofProcessors);
    }

    /**
     * Creates an instance that uses the given source for the CPU load. The source returns a value from 0 to 1, or a
     * negative value if the load is unknown.
     */
    MachineLoad(DoubleSupplier machine) {
        this.machine = machine;
    }

    private static double ofProcessors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean known
                ? known.getCpuLoad()
                : -1;
    }

    /** Records that a call with a ticket begins. */
    void begun() {
        inFlight.incrementAndGet();
    }

    /** Records that a call with a ticket ends. */
    void ended() {
        inFlight.decrementAndGet();
    }

    /** Measures the CPU load. The measurement takes some time. */
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
