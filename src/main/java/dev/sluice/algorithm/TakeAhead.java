package dev.sluice.algorithm;

/**
 * How much of a shared limit an instance takes ahead of need.
 *
 * <p>It wants what it expects to admit until the next exchange. Calls come in clumps, so with the mean alone it would run dry
 * every other time; it therefore takes a margin of some standard deviations of random arrivals, and hardly ever has to ask in
 * between. Where the limit is far, a margin costs nobody anything. Where more will be asked for than is left, whoever takes it will
 * use it. Only where what is left will just about do could a margin here be missing elsewhere: there it takes none, and
 * asks in smaller steps.
 */
public final class TakeAhead {

    private static final double DEVIATIONS = 4;
    private static final double FAR = 3;
    private static final double SMALLER_STEP = 0.5;

    private static final long EVIDENCE_MILLIS = 100;

    private TakeAhead() {}

    /**
     * The share to have in hand after an exchange.
     *
     * @param ratePerMilli calls of this instance, as observed lately
     * @param horizonMillis the time until the next exchange
     * @param windowMillis the time until the window ends
     * @param left of the limit, for the whole fleet
     * @param part of all calls that comes to this instance, above 0 and up to 1
     */
    public static long share(double ratePerMilli, long horizonMillis, long windowMillis, long left, double part) {
        double need = ratePerMilli * Math.min(horizonMillis, windowMillis);
        double margin = DEVIATIONS * Math.sqrt(need);
        double spare = left - ratePerMilli * windowMillis / part;
        boolean justAbout = left < FAR * need / part && Math.abs(spare) < margin / part;
        return (long) Math.ceil(justAbout ? need * SMALLER_STEP : need + margin);
    }

    /**
     * The rate to expect after a time that went as planned: what was expected before, drawn towards what was seen. Where
     * nothing was known, what was seen is all there is.
     *
     * @param memoryMillis how long what was seen counts for something
     */
    public static double rate(double before, long admitted, long elapsedMillis, long memoryMillis) {
        if (before == 0) {
            return rateOfRush(before, admitted, elapsedMillis);
        }
        double seen = (double) admitted / elapsedMillis;
        return before + (1 - Math.exp(-(double) elapsedMillis / memoryMillis)) * (seen - before);
    }

    /**
     * The rate to expect where the share in hand ran low or out before its time: at least what was seen, though a few calls within a
     * few milliseconds are no evidence of a flood.
     */
    public static double rateOfRush(double before, long admitted, long elapsedMillis) {
        return Math.max(before, (double) admitted / (elapsedMillis + EVIDENCE_MILLIS));
    }
}
