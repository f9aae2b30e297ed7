package dev.sluice.internal.limiter.rule;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A sliding log, in which the store records the time of each call. Immutable. */
record SharedLog(long most, long periodMillis) implements SharedLimit {

    @Override
    public Rule rule(long inUse, long waitingSinceMillis, long nowMillis) {
        return new Rule.Log(most, periodMillis);
    }

    /**
     * Returns the usage after an answer. Only the time of the oldest call is known. All other calls are assumed to
     * expire one period after the answer.
     */
    @Override
    public FleetUsage usageWithoutGift(Grant grant, long answeredMillis) {
        long oldest = grant.details().isEmpty() ? 0 : grant.details().get(0);
        boolean isOldestEarlier = oldest > 0 && oldest < answeredMillis;
        Usage none = new Usage(most, periodMillis, List.of());
        return isOldestEarlier
                ? none.after(1, oldest).after(grant.total() - 1, answeredMillis)
                : none.after(grant.total(), answeredMillis);
    }

    @Override
    public long useTimesKeptMillis() {
        return periodMillis;
    }

    /**
     * The calls that have not expired yet.
     *
     * @param ends the times at which calls expire and the number of calls for each time, earliest first
     */
    private record Usage(long most, long periodMillis, List<Ending> ends) implements FleetUsage {

        /** The maximum number of timestamps. If there are more, the earliest two are merged and get the later time. */
        private static final int MOST_TIMES = 128;

        Usage {
            ends = List.copyOf(ends);
        }

        /** A number of calls that expire at the same time. The number is negative if their permits were returned. */
        record Ending(long atMillis, long number) {}

        private long used(long nowMillis) {
            long used = 0;
            for (Ending end : ends) {
                used += end.atMillis > nowMillis ? end.number : 0;
            }
            return used;
        }

        @Override
        public long left(long nowMillis) {
            return most - used(nowMillis);
        }

        @Override
        public long millisUntil(long cost, long nowMillis) {
            for (Ending end : ends) {
                if (end.atMillis > nowMillis && cost > left(nowMillis) && cost <= left(end.atMillis)) {
                    return end.atMillis - nowMillis;
                }
            }
            return cost <= left(nowMillis) ? 0 : periodMillis;
        }

        /**
         * Returns the time at which the oldest call expires, because it is unknown how many other calls expire at that
         * time.
         */
        @Override
        public long knownUntilMillis(long nowMillis) {
            return ends.isEmpty() ? Long.MAX_VALUE : ends.get(0).atMillis;
        }

        @Override
        public long resetMillis(long used, long nowMillis) {
            if (used(nowMillis) + used <= 0) {
                return 0;
            }
            return used > 0 ? periodMillis : ends.get(ends.size() - 1).atMillis - nowMillis;
        }

        @Override
        public Usage after(long used, long nowMillis) {
            TreeMap<Long, Long> later = new TreeMap<>();
            ends.stream().filter(end -> end.atMillis > nowMillis).forEach(end -> later.put(end.atMillis, end.number));
            if (used != 0) {
                later.merge(nowMillis + periodMillis, used, Long::sum);
            }
            while (later.size() > MOST_TIMES) {
                long first = later.pollFirstEntry().getValue();
                later.merge(later.firstKey(), first, Long::sum);
            }
            List<Ending> all = new ArrayList<>(later.size());
            later.forEach((at, number) -> all.add(new Ending(at, number)));
            return new Usage(most, periodMillis, all);
        }

        /**
         * Assumes that the calls on other instances expire one period from now, because nothing else is known about
         * them.
         */
        @Override
        public FleetUsage alone(Part part, OwnUse own, long nowMillis) {
            long others = part.of(used(nowMillis));
            Usage log = new Usage(part.ofLimit(most), periodMillis, List.of());
            for (Use calls : own.times()) {
                if (calls.agoMillis() < periodMillis) {
                    log = log.after(calls.count(), nowMillis - calls.agoMillis());
                    others -= calls.count();
                }
            }
            return others <= 0 ? log : log.after(others, nowMillis);
        }

        @Override
        public FleetUsage continuing(FleetUsage before, long unrecorded, long nowMillis) {
            return before instanceof Usage same
                    ? new Usage(most, periodMillis, same.ends).after(unrecorded, nowMillis)
                    : this;
        }
    }
}
