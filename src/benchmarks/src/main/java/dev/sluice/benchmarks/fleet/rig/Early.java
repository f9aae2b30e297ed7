package dev.sluice.benchmarks.fleet.rig;

import java.util.Arrays;

/**
 * Counts early refusals, which are calls that were refused although the fleet had admitted fewer calls than the limit
 * by that time.
 */
public final class Early {

    private Early() {}

    /**
     * The number of one caller's early refusals in one window. An admitted call is assumed to have used its permit as
     * soon as it began, which favours the limiter.
     *
     * @param refusedAt when calls were refused
     * @param admittedFrom when admitted calls began, by the same clock
     */
    public static int refusals(double[] refusedAt, double[] admittedFrom, long threshold) {
        if (admittedFrom.length < threshold) {
            return refusedAt.length;
        }
        double[] begun = admittedFrom.clone();
        Arrays.sort(begun);
        double used = begun[(int) threshold - 1];
        return (int) Arrays.stream(refusedAt).filter(at -> at < used).count();
    }
}
