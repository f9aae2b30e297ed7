package dev.sluice.cli.rehearse.suggest;

import dev.sluice.Endpoint;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Windows;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A limit that is fitted to the demand of callers. It allows 1.5 times the demand that nearly all callers never
 * exceeded, so it refuses only exceptional callers.
 *
 * @param window the index of the limit's window in {@link #WINDOWS}
 * @param burst the number of calls that can arrive at the same time; 0 if it equals the threshold
 * @param usual the demand that nearly all callers never exceeded in a window of this length
 * @param most the highest demand of any caller in a window of this length
 * @param usualAtOnce the demand that nearly all callers never exceeded in the shortest window
 */
record FittedLimit(int window, long threshold, long burst, long usual, long most, long usualAtOnce) {

    /**
     * The windows that a suggested limit can use. A limit with a longer window would refuse callers that return within
     * the hour.
     */
    static final List<Windows> WINDOWS =
            List.of(Windows.every(Duration.ofSeconds(10)), Windows.every(Duration.ofMinutes(1)));

    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");
    private static final int SHORTEST = 0;
    private static final int MINUTE = 1;
    private static final long MANY = 600;
    /**
     * The minimum threshold for read calls in a minute. Without a minimum, the logs of a quiet day would lead to
     * thresholds that a single person can exceed.
     */
    private static final long LEAST_READS = 30;

    private static final long LEAST_WRITES = 10;
    /** The minimum threshold for tiers in the file whose period is shorter than a minute. */
    private static final long LEAST_AT_ONCE = 5;

    private static final long LEAST_BURSTY = 8;
    /**
     * Callers are considered bursty if their demand in the shortest window exceeds their demand in a minute divided by
     * this number.
     */
    private static final int BURSTY_PART = 2;

    /**
     * Fits the limit of a new endpoint.
     *
     * @param onlyReads whether the endpoint's calls only read data
     */
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

    /**
     * Returns the minimum to which the threshold of a limit in the file can be lowered, even if the logs show little
     * traffic.
     */
    static long least(Endpoint endpoint, Limit limit) {
        Windows windows = limit.periods();
        boolean isShort = windows != null
                && windows.longest().compareTo(WINDOWS.get(MINUTE).length()) < 0;
        boolean onlyReads = !endpoint.methods().isEmpty() && READS.containsAll(endpoint.methods());
        return isShort ? LEAST_AT_ONCE : least(onlyReads);
    }

    /** Returns the threshold for callers with the given usual demand. */
    static long threshold(long usual) {
        return rounded(usual + (usual + 1) / 2);
    }

    private static long burst(long threshold, long usualAtOnce) {
        Duration period = WINDOWS.get(MINUTE).length();
        boolean fits = Limit.nearestFlow(threshold, period) == threshold;
        return fits ? Math.min(threshold(usualAtOnce), Limit.mostHeld(threshold, period)) : 0;
    }

    /** Rounds up to a number that people would choose: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 and so on. */
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
