package dev.sluice.internal.limiter.exchange;

import dev.sluice.internal.limiter.account.Moment;
import dev.sluice.internal.limiter.counter.Sharing;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store's time: what it was at the last exchange, and the nanoseconds that have passed since. So it runs steadily
 * between two exchanges, and nothing changes if this machine's clock is set. Each exchange measures it with an error of
 * at most half its round trip, so faster exchanges count more. Since clocks drift, the uncertainty grows with time. A
 * jump of the store's clock is followed at once, and logged.
 *
 * <p>The nanoseconds of a machine that sleeps may stand still, but its clock does not. So if the two disagree, the time
 * is doubtful until the next exchange.
 */
public final class StoreClock {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.limiter");
    private static final double MILLI = 1e6;
    private static final double WEIGHT = 0.125;
    private static final double UNCERTAINTY_GROWTH = 0.05;
    private static final double JUMP_MILLIS = 500;
    /** The store says its time in whole milliseconds: on average, half of one has passed since. */
    private static final double HALF_MILLI = 0.5;

    private static final long DOUBTFUL_NANOS = 1_000_000_000;

    private final InstantSource machine;
    private final LongSupplier monotonic;
    private final LongSupplier elapsed;

    /** The store's time since 1970 less the elapsed time. */
    private volatile long aheadNanos;
    /** The same for this machine's clock, at the last measurement. */
    private volatile long machineAheadNanos;

    private boolean isDoubtful;
    /** Since when the time is doubtful, as far as known. */
    private long doubtfulNanos;

    private double uncertainty = Double.POSITIVE_INFINITY;

    /**
     * Creates a clock that begins with this machine's time.
     *
     * @param machine this machine's clock
     * @param monotonic the nanoseconds that measure elapsed time
     */
    public StoreClock(InstantSource machine, LongSupplier monotonic) {
        this(machine, monotonic, monotonic);
    }

    /**
     * Creates a clock for a rehearsal, in which time stands still while calls wait.
     *
     * @param monotonic the nanoseconds that measure waits
     * @param elapsed the nanoseconds that the store's time follows
     */
    public StoreClock(InstantSource machine, LongSupplier monotonic, LongSupplier elapsed) {
        this.machine = machine;
        this.monotonic = monotonic;
        this.elapsed = elapsed;
        this.machineAheadNanos = machineAhead();
        this.aheadNanos = machineAheadNanos;
    }

    /** The usual one, by this machine's clocks. A clock that the application has set is followed itself, as its tests expect. */
    public static StoreClock following(InstantSource machine) {
        return new StoreClock(machine, System::nanoTime, Sharing.elapsedBeside(machine));
    }

    private long machineAhead() {
        return machine.millis() * 1_000_000 - elapsed.getAsLong();
    }

    /** The store's time now, in milliseconds since 1970. Any thread. */
    long millis() {
        return Math.floorDiv(elapsed.getAsLong() + aheadNanos, 1_000_000L);
    }

    /** The nanoseconds that the store's time follows. Any thread. */
    long elapsedNanos() {
        return elapsed.getAsLong();
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

    /** Whether this machine's clock says that far more or less time has passed since the last measurement. Any thread. */
    boolean disagrees() {
        return Math.abs(machineAhead() - machineAheadNanos) > DOUBTFUL_NANOS;
    }

    /**
     * Whether the store has to be asked for its time, since the clocks disagree. What was sent before that was noticed
     * measures nothing: the machine may have slept since. One thread only.
     */
    boolean isDoubtful() {
        if (!isDoubtful && disagrees()) {
            isDoubtful = true;
            doubtfulNanos = nanos();
        }
        return isDoubtful;
    }

    /** Adds a measurement: the store's time in an answer to what was sent then. One thread only. */
    void measured(long storeMillis, long sentNanos, long receivedNanos) {
        if (isDoubtful()) {
            if (sentNanos - doubtfulNanos < 0) {
                return;
            }
            isDoubtful = false;
        }
        machineAheadNanos = machineAhead();
        double error = (receivedNanos - sentNanos) / MILLI / 2 + HALF_MILLI;
        long sinceNanos = nanos() - receivedNanos; // it lay here meanwhile
        long known = aheadNanos;
        double change = storeMillis + error - (elapsed.getAsLong() - sinceNanos + known) / MILLI;
        boolean first = uncertainty == Double.POSITIVE_INFINITY;
        boolean jumped = !first && Math.abs(change) > JUMP_MILLIS + error + uncertainty;
        if (jumped) {
            LOG.warn(
                    "The store's clock and this machine's moved apart by {} ms; windows follow the store's clock, so some may be cut "
                            + "short or last longer",
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
