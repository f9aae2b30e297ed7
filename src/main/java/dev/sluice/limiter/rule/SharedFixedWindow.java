package dev.sluice.limiter.rule;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import java.util.OptionalLong;

/** Fixed windows: the store adds up the calls of a window. */
record SharedFixedWindow(long most, long endMillis) implements SharedLimit {

    @Override
    public Rule rule(long inUse, long waitingSinceMillis, long nowMillis) {
        return new Rule.Total(most);
    }

    @Override
    public FleetUsage usageAfter(Grant grant) {
        return new Usage(most, grant.total(), endMillis);
    }

    @Override
    public FleetUsage usageIfUsedUp() {
        return new Usage(most, most, endMillis);
    }

    /** What is left until the window ends. */
    private record Usage(long most, long total, long endMillis) implements FleetUsage {

        @Override
        public OptionalLong windowTotal() {
            return OptionalLong.of(total);
        }

        @Override
        public long left(long nowMillis) {
            return most - total;
        }

        @Override
        public long millisUntil(long cost, long nowMillis) {
            return endMillis - nowMillis;
        }

        @Override
        public long resetMillis(long nowMillis) {
            return endMillis - nowMillis;
        }

        @Override
        public FleetUsage after(long used, long nowMillis) {
            return new Usage(most, total + used, endMillis);
        }

        @Override
        public FleetUsage alone(Part part, OwnUse own, long nowMillis) {
            return new Usage(part.ofLimit(most), part.of(total), endMillis);
        }

        @Override
        public FleetUsage continuing(FleetUsage before, long uncounted, long nowMillis) {
            return before instanceof Usage same ? new Usage(most, same.total + uncounted, endMillis) : this;
        }
    }
}
