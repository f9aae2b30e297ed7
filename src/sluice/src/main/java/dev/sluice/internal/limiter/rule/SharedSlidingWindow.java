package dev.sluice.internal.limiter.rule;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.internal.algorithm.SlidingWindow;
import java.util.Arrays;
import java.util.OptionalLong;

/** A sliding window. The store adds up the calls in each frame and weights the totals of earlier frames. Immutable. */
record SharedSlidingWindow(long most, int frames, long startMillis, long frameMillis) implements SharedLimit {

    @Override
    public Rule rule(long inUse, long waitingSinceMillis, long nowMillis) {
        return new Rule.Frame(most, frames);
    }

    @Override
    public FleetUsage usageWithoutGift(Grant grant, long answeredMillis) {
        long[] before = grant.details().stream().mapToLong(Long::longValue).toArray();
        return new Usage(this, Part.WHOLE, grant.total(), before);
    }

    /**
     * The counts of the current frame and of earlier frames, newest first. While the store is unavailable, the counts
     * are based on the assumption that all instances use the same number of permits. This instance may then use its
     * part of the remaining permits. Because the part is computed last, fractions are rounded only once.
     */
    private static final class Usage implements FleetUsage {
        private final SharedSlidingWindow window;
        private final Part part;
        private final long total;
        private final long[] before;
        /** The sum of all earlier frames except the oldest one. Only the oldest frame loses weight over time. */
        private final long whole;

        Usage(SharedSlidingWindow window, Part part, long total, long[] before) {
            this.window = window;
            this.part = part;
            this.total = total;
            this.before = before;
            this.whole = Arrays.stream(before, 0, before.length - 1).sum();
        }

        private long elapsed(long nowMillis) {
            return nowMillis - window.startMillis;
        }

        /**
         * Returns the total of the current frame. This number is sufficient because the counter stores the totals of
         * earlier frames.
         */
        @Override
        public OptionalLong windowTotal() {
            return OptionalLong.of(total);
        }

        @Override
        public long left(long nowMillis) {
            long oldest = before[before.length - 1];
            return part.of(window.most
                    - total
                    - SlidingWindow.weightOfPast(whole, oldest, elapsed(nowMillis), window.frameMillis));
        }

        @Override
        public long millisUntil(long cost, long nowMillis) {
            long estimate = window.most - part.leastWithPart(cost);
            return SlidingWindow.millisUntil(estimate, total, before, elapsed(nowMillis), window.frameMillis);
        }

        @Override
        public long resetMillis(long used, long nowMillis) {
            long then = total + used * part.instances();
            return SlidingWindow.millisUntil(0, then, before, elapsed(nowMillis), window.frameMillis);
        }

        @Override
        public FleetUsage after(long used, long nowMillis) {
            return new Usage(window, part, total + used * part.instances(), before);
        }

        @Override
        public FleetUsage alone(Part own, OwnUse used, long nowMillis) {
            long[] all = before.clone();
            for (int i = 0; i < used.framesBefore().size(); i++) {
                all[i] += used.framesBefore().get(i) * own.instances();
            }
            long most = Math.max(window.most, own.least() * own.instances());
            SharedSlidingWindow widened =
                    new SharedSlidingWindow(most, window.frames, window.startMillis, window.frameMillis);
            return new Usage(widened, own, total, all);
        }

        @Override
        public FleetUsage continuing(FleetUsage earlier, long unrecorded, long nowMillis) {
            return earlier instanceof Usage same && same.before.length == before.length
                    ? new Usage(window, part, same.total + unrecorded * part.instances(), same.before)
                    : this;
        }
    }
}
