package dev.sluice;

/**
 * An application's own measure of its load, for {@code elastic} overage. Register it with {@code
 * Sluice.builder().loadSignal(signal)}. Without one, Sluice measures CPU load and the calls in flight.
 *
 * <p>Any thread may ask it, for each call beyond a threshold, so implementations must be thread-safe and return at
 * once.
 */
@FunctionalInterface
public interface LoadSignal {

    /** The load from 0 (idle) to 1 (as busy as this instance should ever be). */
    double load();
}
