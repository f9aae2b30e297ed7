package dev.sluice.internal.limiter.rule;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import java.util.OptionalLong;

/**
 * A fixed window. The store adds up the calls in the window. All counters of one window share this limit and its rule.
 * Immutable.
 */
record SharedFixedWindow(long most, long endMillis, Rule.Total rule) implements SharedLimit {

    SharedFixedWindow(long most, long endMillis) {
        this(most, endMillis, new Rule.Total(most));
    }

    @Override
    public Rule rule(long inUse, long waitingSinceMillis, long nowMillis) {
        return rule;
    }

    @Override
    public FleetUsage usageWithoutGift(Grant grant, long answeredMillis) {
        return new Usage(this, grant.total());
    }

    /** The usage of one window, based on the total number of calls. */
    private record Usage(SharedFixedWindow window, long total) implements FleetUsage {

        @Override
        public OptionalLong windowTotal() {
            return OptionalLong.of(total);
        }

        @Override
        public long left(long nowMillis) {
            return window.most - total;
        }

        @Override
        public long millisUntil(long cost, long nowMillis) {
            return window.endMillis - nowMillis;
        }

        @Override
        public long resetMillis(long used, long nowMillis) {
            return window.endMillis - nowMillis;
        }

        @Override
        public FleetUsage after(long used, long nowMillis) {
            return new Usage(window, total + used);
        }

        @Override
        public FleetUsage alone(Part part, OwnUse used, long nowMillis) {
            SharedFixedWindow own = new SharedFixedWindow(part.ofLimit(window.most), window.endMillis);
            return new Usage(own, part.of(total));
        }

        @Override
        public FleetUsage continuing(FleetUsage before, long unrecorded, long nowMillis) {
            return before instanceof Usage same ? new Usage(window, same.total + unrecorded) : this;
        }
    }
}
