package dev.sluice.internal.limiter.rule;

/**
 * One instance's part of any number that the instances divide among themselves. The parts of all instances add up to
 * that number. Immutable.
 *
 * @param instances the number of instances among which each number is divided
 * @param rank the position of this instance, starting at 0. If a division leaves a remainder, each of the first
 *     instances gets one more. If the rank is unknown, it equals {@code instances}, and this instance gets none of the
 *     remainder
 * @param least the minimum part of a limit. It prevents an instance from being locked out by a part of 0
 */
public record Part(int instances, int rank, long least) {

    /**
     * The part that comprises the whole number. It is used if no other instance is known or other instances do not
     * matter.
     */
    public static final Part WHOLE = new Part(1, 0, 0);

    /** Returns this instance's part of a number. */
    public long of(long number) {
        return Math.floorDiv(number, (long) instances) + (rank < Math.floorMod(number, instances) ? 1 : 0);
    }

    /** Returns the smallest number for which this instance's part is {@code own}. */
    long leastWithPart(long own) {
        return rank < instances ? (own - 1) * instances + rank + 1 : own * instances;
    }

    /** Returns this instance's part of an unused limit. */
    long ofLimit(long number) {
        return Math.max(least, of(number));
    }
}
