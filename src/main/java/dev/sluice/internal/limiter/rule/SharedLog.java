package dev.sluice.internal.limiter.rule;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Use;
import java.util.List;

/** Sliding logs: the store keeps the time of each call. Immutable. */
record SharedLog(long most, long periodMillis) implements SharedLimit {

    @Override
    public Rule rule(long inUse, long waitingSinceMillis, long nowMillis) {
        return new Rule.Log(most, periodMillis);
    }

    @Override
    public FleetUsage usageAfter(Grant grant) {
        return usageAfter(grant, Usage.NEVER);
    }

    @Override
    public FleetUsage usageAfter(Grant grant, long answeredMillis) {
        long oldest = grant.details().isEmpty() ? 0 : grant.details().get(0);
        return new Usage(most, grant.total(), oldest, periodMillis, answeredMillis);
    }

    @Override
    public long useTimesKeptMillis() {
        return periodMillis;
    }

    /**
     * The state of the log.
     *
     * @param total the number of calls
     * @param oldestMillis the time of the oldest call; 0 if there is none
     * @param latestMillis a time after all calls; {@link #NEVER} if it is unknown
     */
    private record Usage(long most, long total, long oldestMillis, long periodMillis, long latestMillis)
            implements FleetUsage {

        static final long NEVER = Long.MAX_VALUE / 2;

        /** Whether all calls are a period old. */
        private boolean isOver(long nowMillis) {
            return nowMillis - latestMillis >= periodMillis;
        }

        @Override
        public long left(long nowMillis) {
            if (isOver(nowMillis)) {
                return most;
            }
            return most - total + (hasOldestExpired(nowMillis) ? 1 : 0);
        }

        private boolean hasOldestExpired(long nowMillis) {
            return oldestMillis > 0 && nowMillis >= oldestMillis + periodMillis;
        }

        /** Only the oldest call's time is known. All other calls are gone a period after the last answer. */
        @Override
        public long millisUntil(long cost, long nowMillis) {
            boolean ofOldest = oldestMillis > 0 && cost - left(nowMillis) <= 1;
            return ofOldest ? Math.max(0, oldestMillis + periodMillis - nowMillis) : periodMillis;
        }

        /** Nobody knows how many calls expire together with the oldest one. */
        @Override
        public long knownUntilMillis(long nowMillis) {
            return oldestMillis > 0 ? oldestMillis + periodMillis : Long.MAX_VALUE;
        }

        @Override
        public long resetMillis(long used, long nowMillis) {
            long counted = isOver(nowMillis) ? 0 : total;
            return counted + used <= 0 ? 0 : periodMillis;
        }

        @Override
        public FleetUsage after(long used, long nowMillis) {
            return isOver(nowMillis)
                    ? new Usage(most, Math.max(0, used), nowMillis, periodMillis, nowMillis)
                    : new Usage(
                            most,
                            total + used,
                            oldestMillis > 0 ? oldestMillis : nowMillis,
                            periodMillis,
                            latestMillis == NEVER ? NEVER : Math.max(latestMillis, nowMillis));
        }

        /** Of other instances' calls, only this is known: a period from now they no longer count. */
        @Override
        public FleetUsage alone(Part part, OwnUse own, long nowMillis) {
            long count = isOver(nowMillis) ? 0 : hasOldestExpired(nowMillis) ? total - 1 : total;
            long others = part.of(count);
            AloneLog log = new AloneLog(part.ofLimit(most), periodMillis, List.of());
            for (Use calls : own.times()) {
                if (calls.agoMillis() < periodMillis) {
                    log = log.after(calls.count(), nowMillis - calls.agoMillis());
                    others -= calls.count();
                }
            }
            return others <= 0 ? log : log.after(others, nowMillis);
        }
    }
}
