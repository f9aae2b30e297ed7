package dev.sluice.internal.limiter.rule;

/**
 * Which part of each number belongs to one instance, if all of them divide it. The parts of all instances sum to the number.
 *
 * @param instances how many instances divide it
 * @param rank the place of this one, from 0: the first ones get what remains of a division, one each. As large as
 *     {@code instances} if it is unknown; then it gets nothing of that
 * @param least the least part of a limit, so that those who get nothing by division are not locked out
 */
public record Part(int instances, int rank, long least) {

    /** All of it: no other instance is known, or others do not matter. */
    public static final Part WHOLE = new Part(1, 0, 0);

    /** The part of this number. */
    public long of(long number) {
        return Math.floorDiv(number, (long) instances) + (rank < Math.floorMod(number, instances) ? 1 : 0);
    }

    /** The least number of which the part is this much. */
    long leastWithPart(long own) {
        return rank < instances ? (own - 1) * instances + rank + 1 : own * instances;
    }

    /** The part of a limit of which nothing is used. */
    long ofLimit(long number) {
        return Math.max(least, of(number));
    }
}
