package dev.sluice.internal.limiter.sync;

import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.counter.Sharing;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An estimate of the store's clock. The estimate is the store's time at the latest exchange plus the nanoseconds
 * elapsed since then. It advances steadily between two exchanges and is not affected when this machine's clock is set.
 * Each exchange measures the store's time with an error of at most half the round-trip time, so faster exchanges have
 * more weight. Because clocks drift, the uncertainty grows with time. If the store's clock jumps, this clock follows
 * immediately and logs the jump.
 *
 * <p>While a machine sleeps, its nanosecond counter can stop although its clock continues to run. Therefore, if the two
 * disagree, the time is unreliable until the next exchange.
 *
 * <p>Any thread may read the time and check whether the clocks disagree. Only the synchroniser's thread may call the
 * other methods.
 */
public final class StoreClock {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.limiter");
    private static final double MILLI = 1e6;
    private static final double WEIGHT = 0.125;
    private static final double UNCERTAINTY_GROWTH = 0.05;
    private static final double JUMP_MILLIS = 500;
    /**
     * A correction for the store's rounding. The store reports its time in whole milliseconds, so it cuts off half a
     * millisecond on average.
     */
    private static final double HALF_MILLI = 0.5;

    private static final long DOUBTFUL_NANOS = 1_000_000_000;

    private final InstantSource machine;
    private final LongSupplier monotonic;
    private final LongSupplier elapsed;

    /** The difference between the store's time since 1970 and the elapsed nanoseconds. */
    private volatile long aheadNanos;
    /** The difference between this machine's time since 1970 and the elapsed nanoseconds at the latest measurement. */
    private volatile long machineAheadNanos;

    private boolean isDoubtful;
    private long doubtfulNanos;

    private double uncertainty = Double.POSITIVE_INFINITY;

    /**
     * Creates a clock that starts with this machine's time.
     *
     * @param monotonic the nanosecond clock by which waits are measured
     * @param elapsed the nanosecond clock that the store's time follows. It differs from {@code monotonic} in a
     *     rehearsal, because the store's time does not advance there while calls are waiting
     */
    public StoreClock(InstantSource machine, LongSupplier monotonic, LongSupplier elapsed) {
        this.machine = machine;
        this.monotonic = monotonic;
        this.elapsed = elapsed;
        this.machineAheadNanos = machineAhead();
        this.aheadNanos = machineAheadNanos;
    }

    /**
     * Creates the usual clock. If the application supplies its own clock, the elapsed time follows that clock, because
     * the application's tests expect this behaviour.
     */
    public static StoreClock following(InstantSource machine) {
        return new StoreClock(machine, System::nanoTime, Sharing.elapsedBeside(machine));
    }

    private long machineAhead() {
        return machine.millis() * 1_000_000 - elapsed.getAsLong();
    }

    /** Returns the store's current time, in milliseconds since 1970. */
    long millis() {
        return Math.floorDiv(elapsed.getAsLong() + aheadNanos, 1_000_000L);
    }

    long elapsedNanos() {
        return elapsed.getAsLong();
    }

    long nanos() {
        return monotonic.getAsLong();
    }

    Moment now() {
        return moment(nanos());
    }

    /** Combines the given time of the monotonic clock with the store's current time. */
    Moment moment(long nowNanos) {
        return new Moment(nowNanos, millis());
    }

    /**
     * Whether this machine's clock and the elapsed nanoseconds have advanced by very different amounts since the
     * latest measurement.
     */
    boolean disagrees() {
        return Math.abs(machineAhead() - machineAheadNanos) > DOUBTFUL_NANOS;
    }

    /**
     * Whether the store has to be asked for its time because the clocks disagree. A batch that was sent before the
     * disagreement was noticed cannot be used as a measurement, because the machine might have slept since then.
     */
    boolean isDoubtful() {
        if (!isDoubtful && disagrees()) {
            isDoubtful = true;
            doubtfulNanos = nanos();
        }
        return isDoubtful;
    }

    /** Adds a measurement of the store's time from the answer to a batch. */
    void measured(long storeMillis, long sentNanos, long receivedNanos) {
        if (isDoubtful()) {
            if (sentNanos - doubtfulNanos < 0) {
                return;
            }
            isDoubtful = false;
        }
        machineAheadNanos = machineAhead();
        double error = (receivedNanos - sentNanos) / MILLI / 2 + HALF_MILLI;
        long sinceNanos = nanos() - receivedNanos; // the time for which the answer was queued
        long known = aheadNanos;
        double change = storeMillis + error - (elapsed.getAsLong() - sinceNanos + known) / MILLI;
        boolean first = uncertainty == Double.POSITIVE_INFINITY;
        boolean jumped = !first && Math.abs(change) > JUMP_MILLIS + error + uncertainty;
        if (jumped) {
            LOG.warn(
                    "The store's clock and this machine's clock moved apart by {} ms. Windows follow the store's clock, "
                            + "so some may be shorter or longer than usual",
                    Math.round(change));
        }
        if (first || jumped || error < uncertainty) {
            uncertainty = error;
        } else {
            change *= WEIGHT * uncertainty / error;
            uncertainty += UNCERTAINTY_GROWTH;
        }
        aheadNanos = known + Math.round(change * MILLI);
    }
}
