package dev.sluice.benchmarks.fleet.rig;

import java.util.Arrays;

/** Calls that were refused although the fleet had admitted less than the limit when they were answered. */
public final class Early {

    private Early() {}

    /**
     * How many of one caller's refusals in one window were early. The judgement is generous, since an admitted call
     * counts as having used its permit from the moment it began.
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
