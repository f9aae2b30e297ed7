package dev.sluice.cli.rehearse.suggest;

import dev.sluice.tier.Limit;
import java.time.Duration;

/**
 * A limit fitted to what callers ask for: half as much again as nearly all of them ever did, so that it refuses those
 * alone who stand out.
 *
 * @param window the one of {@link CallerDemand#WINDOWS} that it counts in
 * @param burst how much may come at once; 0 if as much as the threshold
 * @param usual what nearly all callers never asked for more of in that window
 * @param most that any caller did
 * @param usualAtOnce the same as {@code usual}, in the shortest window
 */
record FittedLimit(int window, long threshold, long burst, long usual, long most, long usualAtOnce) {

    private static final int SHORTEST = 0;
    private static final int MINUTE = 1;
    private static final int HOUR = 2;
    /** A window in which usual callers ask for less is too short to judge by. */
    private static final long FEW = 4;

    private static final long MANY = 600;
    private static final long LEAST = 5;
    /** Usual callers are bursty if more than half of what they ask for in a window comes in the shortest. */
    private static final int BURSTY_PART = 2;

    static FittedLimit of(CallerDemand demand) {
        int unusual = demand.unusual();
        long inMinute = demand.most(MINUTE, unusual);
        int window = inMinute < FEW ? HOUR : inMinute > MANY ? SHORTEST : MINUTE;
        long usual = demand.most(window, unusual);
        long usualAtOnce = demand.most(SHORTEST, unusual);
        long threshold = rounded(Math.max(LEAST, usual + (usual + 1) / 2));
        boolean isBursty = window == MINUTE && usual >= 2 * FEW && BURSTY_PART * usualAtOnce > usual;
        long burst = isBursty ? burst(threshold, usualAtOnce) : 0;
        return new FittedLimit(window, threshold, burst, usual, demand.most(window, 0), usualAtOnce);
    }

    private static long burst(long threshold, long usualAtOnce) {
        Duration period = Duration.ofMillis(CallerDemand.WINDOWS[MINUTE]);
        long burst = rounded(usualAtOnce + (usualAtOnce + 1) / 2);
        boolean fits = Limit.nearestFlow(threshold, period) == threshold;
        return fits ? Math.min(burst, Limit.mostHeld(threshold, period)) : 0;
    }

    /** The next number that people would choose: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 and so on. */
    static long rounded(long number) {
        long[] nice = {10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100};
        if (number <= 10) {
            return number;
        }
        long unit = 1;
        while (unit * 100 < number) {
            unit *= 10;
        }
        for (long one : nice) {
            if (one * unit >= number) {
                return one * unit;
            }
        }
        return number;
    }

    boolean isBursty() {
        return burst > 0;
    }
}
