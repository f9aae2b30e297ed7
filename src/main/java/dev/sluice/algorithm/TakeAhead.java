package dev.sluice.algorithm;

/**
 * How much of a shared limit an instance takes ahead of need.
 *
 * <p>It wants what it expects to admit until the next exchange. Calls come in clumps, so with the mean alone it would run dry
 * every other time; it therefore takes a margin of some standard deviations of random arrivals, and hardly ever has to ask in
 * between. Where the limit is far, a margin costs nobody anything. Where what is left will just about do, a margin here could
 * be missing elsewhere: there it takes none, and asks in smaller steps. Where more will be asked for than is left, all of it
 * will be used, whoever takes it: there an instance takes its part for several exchanges at once, and asks again only when that
 * runs out.
 *
 * @param ratePerMilli calls of this instance, as observed lately
 * @param horizonMillis the time until the next exchange
 * @param windowMillis the time until the window ends
 * @param left of the limit, for the whole fleet
 * @param part of all calls that comes to this instance, above 0 and up to 1
 */
public record TakeAhead(double ratePerMilli, long horizonMillis, long windowMillis, long left, double part) {

    private static final double DEVIATIONS = 4;
    private static final double FAR = 3;
    private static final double SMALLER_STEP = 0.5;
    private static final double LARGER_STEP = 3;

    private static final long EVIDENCE_MILLIS = 100;

    /** The share to have in hand after an exchange. */
    public long share() {
        return (long) Math.ceil(isJustEnough() ? need() * SMALLER_STEP : need() + margin());
    }

    /** How much to take, with so much in hand; below zero means that calls are waiting. 0 if what is in hand does. */
    public long wanted(long held) {
        long share = share();
        if (held >= 0 && held >= share - share / 4) {
            return 0;
        }
        return isScarce() ? Math.max(largerStep(), -held) : share - held;
    }

    /** How much of what is in hand is better returned: 0 unless it is far more than needed. */
    public long surplus(long held) {
        long share = share();
        double most = 2.0 * share;
        if (isScarce()) {
            most = Math.max(most, Math.min(LARGER_STEP * need(), ratePerMilli * windowMillis) + margin());
        }
        return held > most ? held - share : 0;
    }

    private long largerStep() {
        double fair = Math.max(left * part, SMALLER_STEP * need());
        return (long) Math.ceil(Math.min(fair, LARGER_STEP * need()));
    }

    private double need() {
        return ratePerMilli * Math.min(horizonMillis, windowMillis);
    }

    private double margin() {
        return DEVIATIONS * Math.sqrt(need());
    }

    /** What will be left when the window ends, if the whole fleet is called as this instance is; below zero, what will be missing. */
    private double spare() {
        return left - ratePerMilli * windowMillis / part;
    }

    private boolean isScarce() {
        return spare() < -margin() / part;
    }

    private boolean isJustEnough() {
        return left < FAR * need() / part && Math.abs(spare()) < margin() / part;
    }

    /**
     * The rate to expect after a time that went as planned: what was expected before, drawn towards what was seen. Where
     * nothing was known, or far fewer came than chance explains, what was seen is all there is.
     *
     * @param memoryMillis how long what was seen counts for something
     */
    public static double rate(double before, long admitted, long elapsedMillis, long memoryMillis) {
        if (before == 0) {
            return rateOfRush(before, admitted, elapsedMillis);
        }
        double seen = (double) admitted / elapsedMillis;
        double expected = before * elapsedMillis;
        if (elapsedMillis >= memoryMillis / 3 && expected - admitted > DEVIATIONS * Math.sqrt(expected)) {
            return seen;
        }
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
