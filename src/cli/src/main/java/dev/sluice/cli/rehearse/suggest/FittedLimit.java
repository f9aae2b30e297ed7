package dev.sluice.cli.rehearse.suggest;

import dev.sluice.Endpoint;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Windows;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A limit fitted to what callers ask for: half as much again as nearly all of them ever did, so that it refuses only
 * callers who stand out.
 *
 * @param window the one of {@link #WINDOWS} that it counts in
 * @param burst how much may come at once; 0 if as much as the threshold
 * @param usual what nearly all callers never asked for more of in that window
 * @param most that any caller did
 * @param usualAtOnce the same as {@code usual}, in the shortest window
 */
record FittedLimit(int window, long threshold, long burst, long usual, long most, long usualAtOnce) {

    /** Longer ones would refuse somebody who comes back within the hour. */
    static final List<Windows> WINDOWS =
            List.of(Windows.every(Duration.ofSeconds(10)), Windows.every(Duration.ofMinutes(1)));

    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");
    private static final int SHORTEST = 0;
    private static final int MINUTE = 1;
    private static final long MANY = 600;
    /** The least that a person may do in a minute; logs of a quiet day would suggest less. */
    private static final long LEAST_READS = 30;

    private static final long LEAST_WRITES = 10;
    /** The least for the file's own tiers of less than a minute. */
    private static final long LEAST_AT_ONCE = 5;

    private static final long LEAST_BURSTY = 8;
    /** Usual callers are bursty if more than half of what they ask for in a window comes in the shortest. */
    private static final int BURSTY_PART = 2;

    /** For an endpoint of its own, whose calls only read, or not. */
    static FittedLimit of(CallerDemand demand, boolean onlyReads) {
        int window = demand.usual(MINUTE) > MANY ? SHORTEST : MINUTE;
        long usual = demand.usual(window);
        long usualAtOnce = demand.usual(SHORTEST);
        long threshold = Math.max(least(onlyReads), threshold(usual));
        boolean isBursty = window == MINUTE
                && usual >= LEAST_BURSTY
                && BURSTY_PART * usualAtOnce > usual
                && threshold(usualAtOnce) < threshold;
        long burst = isBursty ? burst(threshold, usualAtOnce) : 0;
        return new FittedLimit(window, threshold, burst, usual, demand.most(window), usualAtOnce);
    }

    private static long least(boolean onlyReads) {
        return onlyReads ? LEAST_READS : LEAST_WRITES;
    }

    /** A limit of the file is not lowered below this, however quiet the logs are. */
    static long least(Endpoint endpoint, Limit limit) {
        Windows windows = limit.periods();
        boolean isShort = windows != null
                && windows.longest().compareTo(WINDOWS.get(MINUTE).length()) < 0;
        boolean onlyReads = !endpoint.methods().isEmpty() && READS.containsAll(endpoint.methods());
        return isShort ? LEAST_AT_ONCE : least(onlyReads);
    }

    /** What fits callers who usually ask for that much. */
    static long threshold(long usual) {
        return rounded(usual + (usual + 1) / 2);
    }

    private static long burst(long threshold, long usualAtOnce) {
        Duration period = WINDOWS.get(MINUTE).length();
        boolean fits = Limit.nearestFlow(threshold, period) == threshold;
        return fits ? Math.min(threshold(usualAtOnce), Limit.mostHeld(threshold, period)) : 0;
    }

    /** The next number that people would choose: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 and so on. */
    private static long rounded(long number) {
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
