package dev.sluice.limiter;

import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store's time, told from this machine's clock and the difference between the two. Each exchange brings a new reading of
 * the difference, right to half its round trip; small changes are drawn in slowly, a jump at once.
 */
final class StoreClock implements InstantSource {

    private static final Logger LOG = LoggerFactory.getLogger(StoreClock.class);
    private static final double WEIGHT = 0.125;
    private static final long JUMP_MILLIS = 500;

    private final InstantSource machine;
    private double difference;
    private boolean heard;
    private volatile long differenceMillis;

    StoreClock(InstantSource machine) {
        this.machine = machine;
    }

    @Override
    public long millis() {
        return machine.millis() + differenceMillis;
    }

    @Override
    public java.time.Instant instant() {
        return java.time.Instant.ofEpochMilli(millis());
    }

    /** Takes in a reading of the store's clock that arrives now, after a round trip of so long. One thread only. */
    void heard(long storeMillis, long roundTripMillis) {
        double reading = storeMillis + roundTripMillis / 2.0 - machine.millis();
        double change = reading - difference;
        if (!heard || Math.abs(change) > JUMP_MILLIS + roundTripMillis) {
            if (heard) {
                LOG.warn(
                        "The store's clock and this machine's moved apart by {} ms; windows follow the store's clock, so some may "
                                + "be cut short or last longer",
                        Math.round(change));
            }
            difference = reading;
            heard = true;
        } else if (roundTripMillis <= JUMP_MILLIS) {
            difference += WEIGHT * change;
        }
        differenceMillis = Math.round(difference);
    }
}
