package dev.sluice.limiter.rule;

import dev.sluice.algorithm.Gcra;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;

/** Sliding logs: the store keeps the time of each call. */
record SharedLog(long most, long periodMillis) implements SharedLimit {

    @Override
    public Rule rule(long inUse, long waitingSinceMillis, long nowMillis) {
        return new Rule.Logged(most, periodMillis);
    }

    @Override
    public FleetUsage heard(Grant grant) {
        long oldest = grant.details().isEmpty() ? 0 : grant.details().get(0);
        return new Usage(most, grant.total(), oldest, periodMillis);
    }

    @Override
    public long remembersMillis() {
        return periodMillis;
    }

    /**
     * The log.
     *
     * @param total how many calls there are
     * @param oldestMillis when the oldest was made; 0 if there is none
     */
    private record Usage(long most, long total, long oldestMillis, long periodMillis) implements FleetUsage {

        @Override
        public long left(long nowMillis) {
            return most - total + (isOldestForgotten(nowMillis) ? 1 : 0);
        }

        private boolean isOldestForgotten(long nowMillis) {
            return oldestMillis > 0 && nowMillis >= oldestMillis + periodMillis;
        }

        /** Of more than one call it is only known that they are forgotten a period after they were last seen. */
        @Override
        public long millisUntil(long cost, long nowMillis) {
            boolean ofOldest = oldestMillis > 0 && cost - left(nowMillis) <= 1;
            return ofOldest ? Math.max(0, oldestMillis + periodMillis - nowMillis) : periodMillis;
        }

        /** How many calls will be forgotten together with the oldest is not known. */
        @Override
        public long knownUntilMillis(long nowMillis) {
            return oldestMillis > 0 ? oldestMillis + periodMillis : Long.MAX_VALUE;
        }

        @Override
        public long resetMillis(long nowMillis) {
            return total == 0 ? 0 : periodMillis;
        }

        /** Without the store, it counts as a bucket of the same size would. */
        @Override
        public FleetUsage after(long used, long nowMillis) {
            Gcra gcra = Gcra.of(most, periodMillis, most);
            return new SharedBucket.Usage(gcra, gcra.charge(Gcra.FULL, total + used, nowMillis));
        }
    }
}
