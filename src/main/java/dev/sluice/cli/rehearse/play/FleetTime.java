package dev.sluice.cli.rehearse.play;

import java.util.function.LongConsumer;

/** Moves the virtual time of instances on, in steps at which their background runs. */
public final class FleetTime {

    /** The background runs so soon after a call, and after each interval. */
    static final long SOON_MILLIS = 10;

    /** After so many intervals without a call, nothing is left to exchange. */
    public static final int INTERVALS = 20;

    private FleetTime() {}

    /**
     * Takes all steps from one moment to the next call.
     *
     * @param longestMillis after which nothing is left to exchange
     * @param step runs the background of all instances at a moment
     */
    public static void pass(long from, long to, long everyMillis, long longestMillis, LongConsumer step) {
        long end = Math.min(to, from + longestMillis);
        step.accept(Math.min(to, from + SOON_MILLIS));
        for (long tick = from + everyMillis; tick < end; tick += everyMillis) {
            step.accept(tick);
            step.accept(Math.min(end, tick + SOON_MILLIS));
        }
        step.accept(to);
    }
}
