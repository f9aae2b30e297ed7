package dev.sluice.limiter.counter;

import dev.sluice.Subject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one counter may admit at this moment: any number of threads take from it at once, and it never gives more than
 * there is.
 *
 * <p>A call judged by several counters must take from all or from none, and a call that is refused by the second must
 * not for a moment be seen in the first: somebody else could be refused by it. So such a call first <em>holds</em> its
 * part, counter by counter in an order that is the same for all calls, and then either keeps or gives back all. Whoever
 * finds too little while something is held waits the few nanoseconds until that is settled; the order makes sure that
 * nobody waits in a circle. Calls with one counter, and all calls that find enough, never wait.
 *
 * <p>The taking methods answer with a reading of the pool, of which {@link #available} makes an amount.
 */
public interface Pool {

    /** Answers of the taking methods that are no reading. */
    long TOO_FEW = -1;

    /** The counter was retired or its frame is over: it has to be looked up again. */
    long CLOSED = -2;

    /** When a call under way returns something is not known. */
    long SOON_MILLIS = 1000;

    /** Whose counters these are. */
    CounterFamily family();

    /** Whose calls are admitted. */
    List<Subject> subjects();

    /**
     * The pool that calls of the same counter take from at that moment; {@code null} if the counter has to be looked up
     * again.
     */
    @Nullable Pool at(long nowMillis);

    /** Takes for good; a reading just after that, {@link #TOO_FEW} or {@link #CLOSED}. */
    default long take(long cost, long nowMillis) {
        return take(cost, 0, 0, nowMillis);
    }

    /**
     * Takes until {@link #keep} or {@link #release}; a reading just after that, {@link #TOO_FEW} or {@link #CLOSED}.
     *
     * @param remaining what has to be there beside the cost: a call that is charged afterwards takes nothing, and
     *     passes only while something is left
     */
    default long hold(long cost, long remaining, long nowMillis) {
        return take(cost, remaining, 1, nowMillis);
    }

    /**
     * Takes, if so much remains; {@code holders} is 1 if the call has yet to decide whether it keeps what it takes,
     * else 0.
     */
    long take(long cost, long remaining, int holders, long nowMillis);

    /** What was held is taken for good. */
    void keep();

    /**
     * What was held is returned. It is there again before it is held no more, so that nobody is refused meanwhile.
     *
     * @param reading what the taking answered
     */
    default void release(long cost, long reading, long takenAtMillis) {
        putBack(cost, reading, takenAtMillis);
        keep();
    }

    /**
     * What was taken just now is returned, as if it had never been taken.
     *
     * @param reading what the taking answered
     */
    void putBack(long cost, long reading, long takenAtMillis);

    /**
     * A call has ended, maybe long after it was admitted, and what it took does not count after all.
     *
     * @param reading what the taking answered
     */
    default void refund(long cost, long reading, long takenAtMillis) {
        putBack(cost, reading, takenAtMillis);
    }

    /** Takes so much, whether it is there or not; all that is there if it is not. */
    void charge(long amount, long nowMillis);

    /** Whether there is too little and nothing is held that might come back. */
    boolean surelyShortOf(long cost, long nowMillis);

    /** A reading of this moment. */
    long reading(long nowMillis);

    /** How much there was when it was read, with what passes only beyond the threshold. */
    long available(long reading, long nowMillis);

    /** What callers are told is left: nothing of what passes only beyond the threshold. */
    default long left(long reading, long nowMillis) {
        return Math.max(0, available(reading, nowMillis) - family().compiledLimit.beyond);
    }

    default long left(long nowMillis) {
        return left(reading(nowMillis), nowMillis);
    }

    /** Whether a call that leaves so much has passed beyond the threshold. */
    default boolean isBeyond(long reading, long nowMillis) {
        return family().compiledLimit.beyond > 0 && available(reading, nowMillis) < family().compiledLimit.beyond;
    }

    /** The time from when it was read until all of the limit is there again, or its window ends. */
    long resetMillis(long reading, long nowMillis);

    /** The time until so much can be taken, if nobody else calls, be the times quiet or not. */
    long retryMillis(long cost, long nowMillis);

    /**
     * The time until so much can be taken, if nobody else calls. Where calls under way may return what they have taken,
     * that can be at any moment, and is worth trying soon.
     */
    default long retryMillisIfCallsReturn(long cost, long nowMillis) {
        long retry = retryMillis(cost, nowMillis);
        long maybe = reserved(nowMillis);
        return maybe > 0 && available(reading(nowMillis), nowMillis) + maybe >= cost
                ? Math.min(retry, SOON_MILLIS)
                : retry;
    }

    /**
     * What the clock says now. Where a pool knows of times that are too far ahead of a call's, either the clock has
     * stepped back, or the call was held up for long since it read the clock; then it is counted now.
     */
    default long clockMillis() {
        return family().clockMillis.getAsLong();
    }

    /** The overage that is withheld at this moment because the load is high. */
    default long withheldOverage() {
        return family().compiledLimit.hasRoom() ? 0 : family().compiledLimit.beyond;
    }

    /** The overage that is granted only while the load is low. */
    default long elasticOverage() {
        return family().compiledLimit.isElastic() ? family().compiledLimit.beyond : 0;
    }

    /**
     * The moments of a call that has taken so much and left it so, where calls wait for their turn: it goes on at the
     * first of them.
     */
    default List<Long> takeTurns(long reading, long cost, long nowMillis) {
        return List.of();
    }

    /** The call gives back what it has taken, and these with it. */
    default void releaseTurns(List<Long> turns) {}

    /** Identifies the window: what a call gives back never crosses windows. */
    default long windowNumber(long reading) {
        return 0;
    }

    /**
     * Notes that so much of what was taken may come back, or that this is decided now.
     *
     * @param reading what the taking answered
     */
    void reserve(long change, long reading);

    /** How much of what can be had now may come back. */
    long reserved(long nowMillis);

    /** Whether less than half of the threshold is left. */
    default boolean isMostlySpent(long nowMillis) {
        return leftInProportion(nowMillis) < 0.5;
    }

    /** The part of the threshold that is left. */
    default double leftInProportion(long nowMillis) {
        return (double) left(nowMillis) / (family().compiledLimit.most - family().compiledLimit.beyond);
    }

    /**
     * Passes the few nanoseconds until a call has decided to keep or return what it holds; the tries so far, and one.
     */
    @SuppressWarnings("ThreadPriorityCheck") // yields only so that a suspended holder can run; nothing depends on it
    static int waitForHolder(int tries) {
        if ((tries + 1) % 64 == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
        return tries + 1;
    }
}
