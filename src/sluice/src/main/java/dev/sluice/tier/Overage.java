package dev.sluice.tier;

/**
 * The number of calls that can pass beyond a threshold. This is zero, a fixed fraction of the threshold ({@code
 * tolerance}), or a fraction that is allowed only while the load is low ({@code elastic}). Immutable and thread-safe.
 * The records' constructors throw {@link IllegalArgumentException} if a figure is out of range.
 */
public sealed interface Overage permits Overage.Hard, Overage.Soft, Overage.Elastic {

    /** The maximum overage, as a multiple of the threshold. */
    double MAX_PART = 10;

    /** The default: no call passes beyond the threshold. */
    Overage NONE = new Hard();

    /** The maximum number of calls that are allowed beyond the threshold. */
    long maxCalls(long threshold);

    /** No call passes beyond the threshold. */
    record Hard() implements Overage {

        @Override
        public long maxCalls(long threshold) {
            return 0;
        }
    }

    /**
     * Additional calls are always allowed, up to a fixed fraction of the threshold. The outcome of these calls is
     * {@code ADMITTED_BEYOND}.
     *
     * @param tolerance the fraction of the threshold, for example 0.1 for a tenth
     */
    record Soft(double tolerance) implements Overage {

        public Soft {
            checkPart(tolerance);
        }

        @Override
        public long maxCalls(long threshold) {
            return partOf(threshold, tolerance);
        }
    }

    /**
     * Additional calls are allowed while the load of this instance is low.
     *
     * @param upTo the total number of allowed calls, as a multiple of the threshold, for example 1.5
     * @param whileLoadBelow the load from which no call passes beyond the threshold; above 0 and at most 1
     */
    record Elastic(double upTo, double whileLoadBelow) implements Overage {

        public Elastic {
            checkPart(upTo - 1);
            if (!(whileLoadBelow > 0 && whileLoadBelow <= 1)) {
                throw new IllegalArgumentException(
                        "whileLoadBelow must be above 0 and at most 1, but is " + whileLoadBelow);
            }
        }

        @Override
        public long maxCalls(long threshold) {
            return partOf(threshold, upTo - 1);
        }
    }

    private static void checkPart(double part) {
        if (!(part > 0 && part <= MAX_PART)) {
            throw new IllegalArgumentException(
                    "the overage must be above 0 and at most " + MAX_PART + " times the threshold, but is " + part);
        }
    }

    private static long partOf(long threshold, double part) {
        return (long) Math.floor(part * threshold + 1e-6); // a tenth of 10 is 1, although 0.1 is not a binary fraction
    }
}
