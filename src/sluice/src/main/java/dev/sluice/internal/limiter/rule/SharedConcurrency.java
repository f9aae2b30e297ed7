package dev.sluice.internal.limiter.rule;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.internal.limiter.counter.Pool;

/** A limit on calls in flight, for which instances lease slots from the store. Immutable. */
record SharedConcurrency(long most) implements SharedLimit {

    @Override
    public Rule rule(long inUse, long waitingSinceMillis, long nowMillis) {
        return new Rule.Slots(most, inUse, waitingSinceMillis, nowMillis);
    }

    @Override
    public FleetUsage usageWithoutGift(Grant grant, long answeredMillis) {
        return new Usage(most - grant.total(), grant.total() == 0);
    }

    /** The usage of the limit, represented by the number of free slots. */
    private record Usage(long left, boolean allFree) implements FleetUsage {

        @Override
        public long left(long nowMillis) {
            return left;
        }

        @Override
        public long millisUntil(long cost, long nowMillis) {
            return Pool.SOON_MILLIS;
        }

        /** Returns 0, because a slot can become free at any moment. */
        @Override
        public long knownUntilMillis(long nowMillis) {
            return 0;
        }

        @Override
        public long resetMillis(long used, long nowMillis) {
            return allFree && used == 0 ? 0 : Pool.SOON_MILLIS;
        }

        @Override
        public FleetUsage after(long used, long nowMillis) {
            return new Usage(left - used, allFree && used == 0);
        }

        @Override
        public FleetUsage alone(Part part, OwnUse own, long nowMillis) {
            return new Usage(part.ofLimit(left) - own.slots(), allFree && own.slots() == 0);
        }
    }
}
