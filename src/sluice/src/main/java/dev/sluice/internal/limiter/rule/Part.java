package dev.sluice.internal.limiter.rule;

/**
 * The part of each number that belongs to one instance if all instances divide the number. The parts add up to the
 * number. Immutable.
 *
 * @param instances how many instances divide it
 * @param rank the position of this one, from 0. The first instances get the remainder of a division, one each. Equal to
 *     {@code instances} if unknown; then this instance gets none of the remainder
 * @param least the smallest part of a limit, so that no instance is locked out whose part would be 0
 */
public record Part(int instances, int rank, long least) {

    /** The whole, if no other instance is known, or others do not matter. */
    public static final Part WHOLE = new Part(1, 0, 0);

    /** This instance's part of a number. */
    public long of(long number) {
        return Math.floorDiv(number, (long) instances) + (rank < Math.floorMod(number, instances) ? 1 : 0);
    }

    /** The smallest number whose part is this number. */
    long leastWithPart(long own) {
        return rank < instances ? (own - 1) * instances + rank + 1 : own * instances;
    }

    /** This instance's part of an unused limit. */
    long ofLimit(long number) {
        return Math.max(least, of(number));
    }
}
