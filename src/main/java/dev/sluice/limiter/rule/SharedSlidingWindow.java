package dev.sluice.limiter.rule;

import dev.sluice.algorithm.SlidingWindow;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import java.util.Arrays;

/** Sliding windows: the store adds up the calls of each frame, and weighs earlier frames. */
record SharedSlidingWindow(long most, int frames, long startMillis, long frameMillis) implements SharedLimit {

    @Override
    public Rule rule(long inUse, long waitingSinceMillis, long nowMillis) {
        return new Rule.Frame(most, frames);
    }

    @Override
    public FleetUsage usageAfter(Grant grant) {
        long[] before = grant.details().stream().mapToLong(Long::longValue).toArray();
        return new Usage(this, grant.total(), before);
    }

    /** The counts of the current frame and of earlier ones, newest first. */
    private static final class Usage implements FleetUsage {
        private final SharedSlidingWindow window;
        private final long total;
        private final long[] before;
        /** The counts of all earlier frames but the oldest, whose weight decreases. */
        private final long whole;

        Usage(SharedSlidingWindow window, long total, long[] before) {
            this.window = window;
            this.total = total;
            this.before = before;
            this.whole = Arrays.stream(before, 0, before.length - 1).sum();
        }

        private long elapsed(long nowMillis) {
            return nowMillis - window.startMillis;
        }

        @Override
        public long left(long nowMillis) {
            long oldest = before[before.length - 1];
            return window.most
                    - total
                    - SlidingWindow.weightOfPast(whole, oldest, elapsed(nowMillis), window.frameMillis);
        }

        @Override
        public long millisUntil(long cost, long nowMillis) {
            return SlidingWindow.millisUntil(window.most - cost, total, before, elapsed(nowMillis), window.frameMillis);
        }

        @Override
        public long resetMillis(long nowMillis) {
            return SlidingWindow.millisUntil(0, total, before, elapsed(nowMillis), window.frameMillis);
        }

        @Override
        public FleetUsage after(long used, long nowMillis) {
            return new Usage(window, total + used, before);
        }
    }
}
