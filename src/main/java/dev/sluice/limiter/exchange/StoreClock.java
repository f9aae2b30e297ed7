package dev.sluice.limiter.exchange;

import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store's time, told from this machine's clock and the difference between the two. Each exchange brings a reading
 * of the difference that is wrong by at most half its round trip, so a quicker exchange is believed at once and a
 * slower one hardly; since clocks drift, what is known grows doubtful with time. A jump is followed at once, and
 * logged.
 */
final class StoreClock implements InstantSource {

    private static final Logger LOG = LoggerFactory.getLogger(StoreClock.class);
    private static final double WEIGHT = 0.125;
    private static final double DOUBT_GROWS = 0.05;
    private static final double JUMP_MILLIS = 500;

    private final InstantSource machine;
    private volatile long differenceMillis;

    private double difference;
    private double doubt = Double.POSITIVE_INFINITY;

    StoreClock(InstantSource machine) {
        this.machine = machine;
    }

    @Override
    public long millis() {
        return machine.millis() + differenceMillis;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    /** Takes in a reading of the store's clock that arrives now, after a round trip of so long. One thread only. */
    void heard(long storeMillis, double roundTripMillis) {
        double error = roundTripMillis / 2;
        double reading = storeMillis + error - machine.millis();
        double change = reading - difference;
        boolean first = doubt == Double.POSITIVE_INFINITY;
        boolean jumped = !first && Math.abs(change) > JUMP_MILLIS + error + doubt;
        if (jumped) {
            LOG.warn(
                    "The store's clock and this machine's moved apart by {} ms; windows follow the store's clock, so some may be cut "
                            + "short or last longer",
                    Math.round(change));
        }
        if (first || jumped || error < doubt) {
            difference = reading;
            doubt = error;
        } else {
            difference += WEIGHT * change * doubt / Math.max(error, DOUBT_GROWS);
            doubt += DOUBT_GROWS;
        }
        differenceMillis = Math.round(difference);
    }
}
