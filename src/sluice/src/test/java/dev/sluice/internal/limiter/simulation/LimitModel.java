package dev.sluice.internal.limiter.simulation;

import dev.sluice.internal.algorithm.SlidingWindow;
import dev.sluice.tier.Limit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * What one limit allows if every call is decided in one place. The simplest form of each algorithm, with which a fleet
 * is compared.
 */
public interface LimitModel {

    /** The length of a window for algorithms without windows. */
    long UNCUT = Long.MAX_VALUE / 4;

    /** How much may pass at that moment; negative if too much has passed. */
    long left(long nowMillis);

    /**
     * How much of what has passed still counts: in the window, frame, log or bucket, or in flight.
     */
    long used(long nowMillis);

    /** Records that so much has passed. */
    void admit(long cost, long nowMillis);

    /**
     * Records that a call which took so much at some moment has ended so that it does not count.
     *
     * @param inFull also what has flowed into a bucket since; else only the rest
     */
    void giveBack(long cost, long admittedMillis, long nowMillis, boolean inFull);

    /** Operators give calls in the window that starts then; nothing without windows. */
    default void give(long calls, long startMillis) {}

    /** Records that a call which took so much has ended. */
    default void end(long cost) {}

    /**
     * Another limit of the same algorithm and period applies: what was used of this one is used of that one.
     *
     * @param forgets whether a bucket forgets what it lacks beyond a period
     */
    void changeTo(Limit limit, long nowMillis, boolean forgets);

    /** The length of the windows or frames that time is cut into. */
    default long frameMillis() {
        return UNCUT;
    }

    static LimitModel of(Limit limit) {
        return limit.byAlgorithm(new Limit.Cases<LimitModel>(
                (Limit.FixedWindow window) ->
                        new Frames(window.threshold(), window.period().toMillis(), 0),
                (Limit.SlidingWindow window) ->
                        new Frames(window.threshold(), window.frameMillis(), window.subWindows()),
                (Limit.SlidingLog log) ->
                        new Times(log.threshold(), log.period().toMillis()),
                (Limit.TokenBucket bucket) -> new Bucket(bucket),
                (Limit.LeakyBucket bucket) -> new Bucket(bucket),
                (Limit.Concurrency slots) -> new InUse(slots.threshold())));
    }

    /** Windows, or frames of those that slide. */
    final class Frames implements LimitModel {
        private long most;
        private final long length;
        private final int before;
        private final Map<Long, Long> counts = new HashMap<>();
        private final Map<Long, Long> gifts = new HashMap<>();

        Frames(long most, long length, int before) {
            this.most = most;
            this.length = length;
            this.before = before;
        }

        @Override
        public void changeTo(Limit limit, long nowMillis, boolean forgets) {
            most = limit.threshold();
        }

        @Override
        public long frameMillis() {
            return length;
        }

        @Override
        public long used(long nowMillis) {
            return counts.getOrDefault(Math.floorDiv(nowMillis, length), 0L);
        }

        @Override
        public long left(long nowMillis) {
            return most - usedWithoutGift(nowMillis) - (before == 0 ? 0 : weightOfPast(nowMillis));
        }

        @Override
        public void give(long calls, long startMillis) {
            gifts.merge(Math.floorDiv(startMillis, length), calls, Long::sum);
        }

        private long usedWithoutGift(long nowMillis) {
            return used(nowMillis) - gifts.getOrDefault(Math.floorDiv(nowMillis, length), 0L);
        }

        private long weightOfPast(long nowMillis) {
            long whole = 0;
            for (int i = 1; i < before; i++) {
                whole += usedWithoutGift(nowMillis - i * length);
            }
            long oldest = usedWithoutGift(nowMillis - before * length);
            return SlidingWindow.weightOfPast(whole, oldest, Math.floorMod(nowMillis, length), length);
        }

        @Override
        public void admit(long cost, long nowMillis) {
            counts.merge(Math.floorDiv(nowMillis, length), cost, Long::sum);
        }

        @Override
        public void giveBack(long cost, long admittedMillis, long nowMillis, boolean inFull) {
            admit(-cost, admittedMillis);
        }
    }

    /** The time of each call. */
    final class Times implements LimitModel {
        private long most;
        private final long period;
        private final Deque<Long> times = new ArrayDeque<>();

        Times(long most, long period) {
            this.most = most;
            this.period = period;
        }

        @Override
        public void changeTo(Limit limit, long nowMillis, boolean forgets) {
            most = limit.threshold();
        }

        @Override
        public long used(long nowMillis) {
            return times.stream().filter(time -> time > nowMillis - period).count();
        }

        @Override
        public long left(long nowMillis) {
            return most - used(nowMillis);
        }

        @Override
        public void admit(long cost, long nowMillis) {
            for (long i = 0; i < cost; i++) {
                times.add(nowMillis);
            }
            times.removeIf(time -> time < nowMillis - 2 * period);
        }

        @Override
        public void giveBack(long cost, long admittedMillis, long nowMillis, boolean inFull) {
            for (long i = 0; i < cost; i++) {
                times.remove(admittedMillis);
            }
        }
    }

    /** Tokens that flow in steadily. */
    final class Bucket implements LimitModel {
        /** A bucket can lack what flows in during a period, or this time, beyond being empty. */
        private static final long LEAST_BEYOND_MILLIS = 10_000;

        private double perMilli;
        private double depth;
        private double level;
        private long atMillis;
        /**
         * When a store forgets the calls from before a change, unless more come: the bucket is full by the pace of
         * before.
         */
        private double forgottenMillis = Double.MAX_VALUE;

        Bucket(Limit limit) {
            this.perMilli = perMilli(limit);
            this.depth = limit.capacity();
            this.level = depth;
        }

        @Override
        public void changeTo(Limit limit, long nowMillis, boolean forgets) {
            if (perMilli(limit) == perMilli && limit.capacity() == depth) {
                return;
            }
            double lacking = depth - level(nowMillis);
            forgottenMillis = forgets ? nowMillis + lacking / perMilli : Double.MAX_VALUE;
            perMilli = perMilli(limit);
            depth = limit.capacity();
            double most = depth + perMilli * Math.max(limit.period().toMillis(), LEAST_BEYOND_MILLIS);
            level = depth - (forgets ? Math.min(lacking, most) : lacking);
            atMillis = nowMillis;
        }

        private static double perMilli(Limit limit) {
            return (double) limit.threshold() / limit.period().toMillis();
        }

        /**
         * The tokens in the bucket. For a time before the last call, what would be left if the calls had been made
         * later by the difference.
         */
        private double level(long nowMillis) {
            return nowMillis >= forgottenMillis ? depth : Math.min(depth, level + (nowMillis - atMillis) * perMilli);
        }

        @Override
        public long used(long nowMillis) {
            return (long) Math.ceil(depth - level(nowMillis) - 1e-6);
        }

        @Override
        public long left(long nowMillis) {
            return (long) Math.floor(level(nowMillis) + 1e-6);
        }

        @Override
        public void admit(long cost, long nowMillis) {
            level = level(nowMillis) - cost;
            atMillis = nowMillis;
            forgottenMillis = Double.MAX_VALUE;
        }

        @Override
        public void giveBack(long cost, long admittedMillis, long nowMillis, boolean inFull) {
            double flowed = inFull ? 0 : (nowMillis - admittedMillis) * perMilli;
            level = Math.min(depth, level(nowMillis) + Math.max(0, cost - flowed));
            atMillis = nowMillis;
            forgottenMillis = Double.MAX_VALUE;
        }
    }

    /** Calls in flight. */
    final class InUse implements LimitModel {
        private long most;
        private long inUse;

        InUse(long most) {
            this.most = most;
        }

        @Override
        public void changeTo(Limit limit, long nowMillis, boolean forgets) {
            most = limit.threshold();
        }

        @Override
        public long used(long nowMillis) {
            return inUse;
        }

        @Override
        public long left(long nowMillis) {
            return most - inUse;
        }

        @Override
        public void admit(long cost, long nowMillis) {
            inUse += cost;
        }

        @Override
        public void giveBack(long cost, long admittedMillis, long nowMillis, boolean inFull) {}

        @Override
        public void end(long cost) {
            inUse -= cost;
        }
    }
}
