package dev.sluice;

/**
 * Measures the load of an application, for {@code elastic} overage. Register it with {@code
 * Sluice.builder().loadSignal(signal)}. By default, Sluice measures the CPU load and the calls in flight.
 *
 * <p>Request threads query the signal for each call beyond a threshold, so implementations must be thread-safe and
 * return immediately.
 */
@FunctionalInterface
public interface LoadSignal {

    /** The load, from 0 (idle) to 1 (the maximum load that this instance should ever bear). */
    double load();
}
