package dev.sluice.internal.limiter.rule;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.internal.algorithm.Gcra;

/**
 * A token bucket or leaky bucket. The store records the times at which tokens were taken. Tokens that instances hold
 * are not in the bucket until the instances return them. Immutable.
 */
public record SharedBucket(Gcra gcra) implements SharedLimit {

    @Override
    public Rule rule(long inUse, long waitingSinceMillis, long nowMillis) {
        return new Rule.Bucket(gcra.token(), gcra.milli(), gcra.depth(), gcra.furthest());
    }

    /**
     * Returns the maximum number of tokens that can be charged in addition to those in the bucket. The store ignores
     * further charges.
     */
    public long mostDebt() {
        return (gcra.furthest() - gcra.depth()) / gcra.token();
    }

    @Override
    public FleetUsage usageWithoutGift(Grant grant, long answeredMillis) {
        return new Usage(gcra, grant.total());
    }

    @Override
    public long useTimesKeptMillis() {
        return 1 + gcra.furthest() / gcra.milli();
    }

    /**
     * The state of the bucket.
     *
     * @param arrival the bucket's theoretical arrival time
     */
    public record Usage(Gcra gcra, long arrival) implements FleetUsage {

        /**
         * Returns the time until the turn of the call at the given position comes. Positions are counted from the end,
         * so the last call is at position 1.
         */
        public long millisUntilTurn(long calls, long nowMillis) {
            return gcra.resetMillis(gcra.putBack(arrival, calls), nowMillis);
        }

        @Override
        public long left(long nowMillis) {
            return gcra.left(arrival, nowMillis);
        }

        @Override
        public long millisUntil(long cost, long nowMillis) {
            return gcra.millisUntil(arrival, cost, nowMillis);
        }

        @Override
        public long resetMillis(long used, long nowMillis) {
            long then = used < 0 ? gcra.putBack(arrival, -used) : gcra.charge(arrival, used, nowMillis);
            return gcra.resetMillis(then, nowMillis);
        }

        @Override
        public FleetUsage after(long used, long nowMillis) {
            return new Usage(gcra, gcra.charge(arrival, used, nowMillis));
        }

        /** Returns a separate bucket for this instance. The bucket refills at this instance's part of the rate. */
        @Override
        public FleetUsage alone(Part part, OwnUse own, long nowMillis) {
            if (part.equals(Part.WHOLE)) {
                return this;
            }
            Gcra divided = gcra.divided(part.instances(), part.ofLimit(gcra.depth() / gcra.token()));
            long tokens = part.ofLimit(gcra.left(arrival, nowMillis));
            return new Usage(divided, divided.arrival(tokens, gcra.fraction(arrival, nowMillis), nowMillis));
        }

        @Override
        public FleetUsage continuing(FleetUsage before, long unrecorded, long nowMillis) {
            return before instanceof Usage same
                    ? new Usage(gcra, gcra.carriedOver(same.arrival, same.gcra, nowMillis)).after(unrecorded, nowMillis)
                    : this;
        }
    }
}
