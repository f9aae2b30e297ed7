package dev.sluice.limiter.exchange;

import dev.sluice.limiter.account.Moment;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store's time, computed from this machine's clock and the measured difference. Each exchange measures the
 * difference with an error of at most half its round trip, so faster exchanges count more. Since clocks drift, the
 * uncertainty grows with time. A jump is followed at once, and logged.
 */
final class StoreClock {

    private static final Logger LOG = LoggerFactory.getLogger(StoreClock.class);
    private static final double WEIGHT = 0.125;
    private static final double UNCERTAINTY_GROWTH = 0.05;
    private static final double JUMP_MILLIS = 500;

    private final InstantSource machine;
    private final LongSupplier monotonic;
    private volatile long differenceMillis;

    private double difference;
    private double uncertainty = Double.POSITIVE_INFINITY;

    /**
     * Creates a clock that shows this machine's time until it is measured.
     *
     * @param machine this machine's clock
     * @param monotonic the nanoseconds by which elapsed time is measured
     */
    StoreClock(InstantSource machine, LongSupplier monotonic) {
        this.machine = machine;
        this.monotonic = monotonic;
    }

    /** The store's time now, in milliseconds since 1970. Any thread. */
    long millis() {
        return machine.millis() + differenceMillis;
    }

    /** The monotonic clock now. Any thread. */
    long nanos() {
        return monotonic.getAsLong();
    }

    /** Now, on both clocks. */
    Moment now() {
        return moment(nanos());
    }

    /** Now, on both clocks, as the monotonic one was read before. */
    Moment moment(long nowNanos) {
        return new Moment(nowNanos, millis());
    }

    /** Adds a measurement of the store's clock that arrives now, after this round trip. One thread only. */
    void measured(long storeMillis, double roundTripMillis) {
        double error = roundTripMillis / 2;
        double reading = storeMillis + error - machine.millis();
        double change = reading - difference;
        boolean first = uncertainty == Double.POSITIVE_INFINITY;
        boolean jumped = !first && Math.abs(change) > JUMP_MILLIS + error + uncertainty;
        if (jumped) {
            LOG.warn(
                    "The store's clock and this machine's moved apart by {} ms; windows follow the store's clock, so some may be cut "
                            + "short or last longer",
                    Math.round(change));
        }
        if (first || jumped || error < uncertainty) {
            difference = reading;
            uncertainty = error;
        } else {
            difference += WEIGHT * change * uncertainty / Math.max(error, UNCERTAINTY_GROWTH);
            uncertainty += UNCERTAINTY_GROWTH;
        }
        differenceMillis = Math.round(difference);
    }
}
