package dev.sluice.tier;

/**
 * What may pass beyond a threshold: nothing (hard throttling), a fixed part of it (soft), or a part while there is room
 * (elastic).
 */
public sealed interface Overage permits Overage.Hard, Overage.Soft, Overage.Elastic {

    /** The largest part of a threshold that may pass beyond it. */
    double MAX_PART = 10;

    /** What a tier gets that says nothing. */
    Overage NONE = new Hard();

    /** How many calls may pass beyond the threshold, at most. */
    long beyond(long threshold);

    /** Nothing passes beyond the threshold. */
    record Hard() implements Overage {

        @Override
        public long beyond(long threshold) {
            return 0;
        }
    }

    /**
     * So much passes beyond the threshold, and the caller is told that it did.
     *
     * @param tolerance the part of the threshold that may pass beyond it, 0.1 for a tenth
     */
    record Soft(double tolerance) implements Overage {

        public Soft {
            checkPart(tolerance);
        }

        @Override
        public long beyond(long threshold) {
            return partOf(threshold, tolerance);
        }
    }

    /**
     * So much passes beyond the threshold while this instance has room.
     *
     * @param upTo what passes in all, in parts of the threshold: 1.5 for half as much again
     * @param whileLoadBelow the load, from 0 to 1, from which on nothing passes beyond the threshold
     */
    record Elastic(double upTo, double whileLoadBelow) implements Overage {

        public Elastic {
            checkPart(upTo - 1);
            if (!(whileLoadBelow > 0 && whileLoadBelow <= 1)) {
                throw new IllegalArgumentException("whileLoadBelow " + whileLoadBelow + " is not a part of 1");
            }
        }

        @Override
        public long beyond(long threshold) {
            return partOf(threshold, upTo - 1);
        }
    }

    private static void checkPart(double part) {
        if (!(part > 0 && part <= MAX_PART)) {
            throw new IllegalArgumentException(
                    "a part of " + part + " of the threshold is not above 0 and up to " + MAX_PART);
        }
    }

    private static long partOf(long threshold, double part) {
        return (long) Math.floor(part * threshold + 1e-6); // a tenth of 10 is 1, though a tenth is no binary fraction
    }
}
