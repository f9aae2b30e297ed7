package dev.sluice.limiter;

import dev.sluice.Batch.Grant;
import dev.sluice.Batch.Rule;
import dev.sluice.Limit;
import dev.sluice.algorithm.Gcra;

/** How one limit is counted together: by which rule it is claimed of, and what the store's answers mean. */
sealed interface Terms {

    /** A lease outlasts so many intervals without an exchange. */
    int INTERVALS_OF_A_LEASE = 5;

    long SHORTEST_LEASE_MILLIS = 10_000;

    /** The terms of a window, a frame, or of a counter that has but one. */
    static Terms of(Window window) {
        CounterFamily family = window.counter.family;
        Limit limit = family.tier.limit();
        long periodMillis = limit.period().toMillis();
        if (limit instanceof Limit.TokenBucket || limit instanceof Limit.LeakyBucket) {
            return new OfBucket(Gcra.of(limit.threshold(), periodMillis, family.measure.most));
        }
        if (limit instanceof Limit.SlidingLog) {
            return new OfLog(family.measure.most, periodMillis);
        }
        if (limit instanceof Limit.Concurrency) {
            long everyMillis = family.tier.sync().every().toMillis();
            return new OfPlaces(
                    family.measure.most, Math.max(SHORTEST_LEASE_MILLIS, INTERVALS_OF_A_LEASE * everyMillis));
        }
        if (limit instanceof Limit.SlidingWindow sliding) {
            return new OfFrame(family.measure.most, sliding, window.start, new long[sliding.subWindows()]);
        }
        return new OfWindow(family.measure.most, window.end);
    }

    Rule rule(long nowMillis);

    /** What is known after this answer. */
    Outlook outlook(Grant grant);

    /** What is known before any answer. */
    Outlook unheard();

    /** What comes back to the limit by itself in so many milliseconds. */
    default long flowsIn(long millis) {
        return 0;
    }

    /** Whether what is left can change without an exchange. */
    default boolean recovers() {
        return true;
    }

    /** Fixed windows. */
    record OfWindow(long most, long endMillis) implements Terms {

        @Override
        public Rule rule(long nowMillis) {
            return new Rule.Total(most, 0);
        }

        @Override
        public Outlook outlook(Grant grant) {
            return new Outlook.OfWindow(most - grant.total(), endMillis);
        }

        @Override
        public Outlook unheard() {
            return new Outlook.OfWindow(most, endMillis);
        }

        @Override
        public boolean recovers() {
            return false;
        }
    }

    /** Frames of sliding windows: the cap of a frame is lowered by what the frames before weigh. */
    final class OfFrame implements Terms {

        private final long most;
        private final long periodMillis;
        private final long frameMillis;
        private final long start;
        private final long[] past;

        OfFrame(long most, Limit.SlidingWindow sliding, long start, long[] past) {
            this.most = most;
            this.periodMillis = sliding.period().toMillis();
            this.frameMillis = sliding.frameMillis();
            this.start = start;
            this.past = past;
        }

        /** The same, where the frames before had these totals. */
        OfFrame after(long[] totals) {
            return new OfFrame(this, totals);
        }

        private OfFrame(OfFrame before, long[] past) {
            this.most = before.most;
            this.periodMillis = before.periodMillis;
            this.frameMillis = before.frameMillis;
            this.start = before.start;
            this.past = past;
        }

        @Override
        public Rule rule(long nowMillis) {
            long cap = outlookAt(0).left(Math.max(nowMillis, start));
            return new Rule.Total(Math.max(0, cap), periodMillis);
        }

        @Override
        public Outlook outlook(Grant grant) {
            return outlookAt(grant.total());
        }

        @Override
        public Outlook unheard() {
            return outlookAt(0);
        }

        private Outlook outlookAt(long total) {
            return new Outlook.OfFrame(most, total, new Outlook.Counts(past), start, frameMillis);
        }

        @Override
        public long flowsIn(long millis) {
            return (long) (past[past.length - 1] * Math.min(1.0, (double) millis / frameMillis));
        }
    }

    /** Buckets. */
    record OfBucket(Gcra gcra) implements Terms {

        @Override
        public Rule rule(long nowMillis) {
            return new Rule.Flow(gcra.token(), gcra.milli(), gcra.depth(), gcra.furthest());
        }

        @Override
        public Outlook outlook(Grant grant) {
            return new Outlook.OfBucket(gcra, grant.total());
        }

        @Override
        public Outlook unheard() {
            return new Outlook.OfBucket(gcra, Gcra.FULL);
        }

        @Override
        public long flowsIn(long millis) {
            return millis * gcra.milli() / gcra.token();
        }
    }

    /** Logs. */
    record OfLog(long most, long periodMillis) implements Terms {

        @Override
        public Rule rule(long nowMillis) {
            return new Rule.Logged(most, periodMillis);
        }

        @Override
        public Outlook outlook(Grant grant) {
            return new Outlook.OfLog(most, grant.total(), grant.oldestMillis(), periodMillis);
        }

        @Override
        public Outlook unheard() {
            return new Outlook.OfLog(most, 0, 0, periodMillis);
        }
    }

    /** Places. */
    record OfPlaces(long most, long leaseMillis) implements Terms {

        /** How many to keep ready beside those in use: they come back, so there is no rate at which they go. */
        long ready(long inUse, boolean rushed) {
            return inUse == 0 && !rushed ? 0 : 1 + inUse / 4;
        }

        @Override
        public Rule rule(long nowMillis) {
            return new Rule.Leased(most, leaseMillis);
        }

        @Override
        public Outlook outlook(Grant grant) {
            return new Outlook.OfPlaces(most - grant.total(), grant.total() == 0);
        }

        @Override
        public Outlook unheard() {
            return new Outlook.OfPlaces(most, true);
        }
    }
}
