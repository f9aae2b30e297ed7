package dev.sluice.limiter;

import dev.sluice.algorithm.Gcra;
import dev.sluice.algorithm.SlidingWindow;
import java.util.Arrays;

/** What is known of the use that the whole fleet has made of one limit, and what follows for later, if nobody calls. Immutable. */
sealed interface Outlook {

    /** Of a limit that nothing is known of, nothing is left. */
    Outlook NOTHING = new OfWindow(0, 0);

    /** What is left of the limit, with what passes only beyond it; below zero if too much has passed. */
    long left(long nowMillis);

    /** The time until so much is left. */
    long millisUntil(long cost, long nowMillis);

    /** The time until all of the limit is left, or its window ends. */
    long resetMillis(long nowMillis);

    /** Of a limit whose use comes back by itself, wherever it was used. */
    sealed interface Flowing extends Outlook {

        /** The same, where the fleet is out of sight and so much more has been used here. */
        Outlook without(long used, long nowMillis);
    }

    /**
     * A fixed window.
     *
     * @param there what is left until it ends
     */
    record OfWindow(long there, long endMillis) implements Outlook {

        @Override
        public long left(long nowMillis) {
            return there;
        }

        @Override
        public long millisUntil(long cost, long nowMillis) {
            return endMillis - nowMillis;
        }

        @Override
        public long resetMillis(long nowMillis) {
            return endMillis - nowMillis;
        }
    }

    /**
     * A frame of a sliding window.
     *
     * @param most what passes in a period
     * @param total the count of the frame
     * @param past the counts of the frames before, the newest first
     */
    record OfFrame(long most, long total, Counts past, long startMillis, long frameMillis) implements Outlook {

        @Override
        public long left(long nowMillis) {
            return most
                    - total
                    - SlidingWindow.weightOfPast(past.whole, past.oldest(), nowMillis - startMillis, frameMillis);
        }

        @Override
        public long millisUntil(long cost, long nowMillis) {
            return SlidingWindow.millisUntil(most - cost, total, past.counts, nowMillis - startMillis, frameMillis);
        }

        @Override
        public long resetMillis(long nowMillis) {
            return SlidingWindow.millisUntil(0, total, past.counts, nowMillis - startMillis, frameMillis);
        }
    }

    /** Numbers that nobody changes any more. */
    final class Counts {
        private final long[] counts;
        private final long whole;

        Counts(long[] counts) {
            this.counts = counts.clone();
            this.whole = Arrays.stream(counts).sum() - oldest();
        }

        private long oldest() {
            return counts[counts.length - 1];
        }
    }

    /**
     * A bucket.
     *
     * @param arrival its theoretical arrival time
     */
    record OfBucket(Gcra gcra, long arrival) implements Flowing {

        /** The time until the turn of the call that came so many calls before the last, itself included. */
        long millisUntilTurn(long calls, long nowMillis) {
            return gcra.resetMillis(gcra.putBack(arrival, calls), nowMillis);
        }

        @Override
        public long left(long nowMillis) {
            return gcra.left(gcra.believed(arrival, nowMillis), nowMillis);
        }

        @Override
        public long millisUntil(long cost, long nowMillis) {
            return gcra.millisUntil(cost, arrival, nowMillis);
        }

        @Override
        public long resetMillis(long nowMillis) {
            return gcra.resetMillis(arrival, nowMillis);
        }

        @Override
        public Outlook without(long used, long nowMillis) {
            return new OfBucket(gcra, gcra.charge(arrival, nowMillis, used));
        }
    }

    /**
     * A log of calls.
     *
     * @param total how many there are
     * @param oldestMillis when the oldest was made
     */
    record OfLog(long most, long total, long oldestMillis, long periodMillis) implements Flowing {

        @Override
        public long left(long nowMillis) {
            boolean oneForgotten = total > 0 && nowMillis >= oldestMillis + periodMillis;
            return most - total + (oneForgotten ? 1 : 0);
        }

        /** Of more than one call it is only known that they are forgotten a period after they were last seen. */
        @Override
        public long millisUntil(long cost, long nowMillis) {
            return cost - left(nowMillis) <= 1 ? Math.max(0, oldestMillis + periodMillis - nowMillis) : periodMillis;
        }

        @Override
        public long resetMillis(long nowMillis) {
            return total == 0 ? 0 : periodMillis;
        }

        /** Alone, it counts as a bucket of the same size would. */
        @Override
        public Outlook without(long used, long nowMillis) {
            Gcra gcra = Gcra.of(most, periodMillis, most);
            return new OfBucket(gcra, gcra.charge(Gcra.FULL, nowMillis, total + used));
        }
    }

    /** Places for calls under way. */
    record OfPlaces(long there, boolean allFree) implements Outlook {

        @Override
        public long left(long nowMillis) {
            return there;
        }

        @Override
        public long millisUntil(long cost, long nowMillis) {
            return Pool.SOON_MILLIS;
        }

        @Override
        public long resetMillis(long nowMillis) {
            return allFree ? 0 : Pool.SOON_MILLIS;
        }
    }
}
