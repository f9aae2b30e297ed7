package dev.sluice.limiter;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.LoadSignal;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/**
 * How busy this machine is: the part of its processors' time that was used of late, or the calls under way that are
 * watched in proportion to what its processors can be expected to do at once, whichever is more. The processors are
 * looked at in the background.
 */
final class MachineLoad implements LoadSignal {

    static final int CALLS_A_PROCESSOR = 50;

    private final DoubleSupplier machine;
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile double processors;

    MachineLoad() {
        this(MachineLoad::ofProcessors);
    }

    /** As busy as this tells, from 0 to 1; negative if that cannot be told. */
    MachineLoad(DoubleSupplier machine) {
        this.machine = machine;
    }

    private static double ofProcessors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean known
                ? known.getCpuLoad()
                : -1;
    }

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
        double told = machine.getAsDouble();
        processors = told > 0 ? told : 0;
    }

    @Override
    public double load() {
        double calls = (double) underWay.get()
                / (CALLS_A_PROCESSOR * Runtime.getRuntime().availableProcessors());
        return Math.min(1, Math.max(processors, calls));
    }
}
