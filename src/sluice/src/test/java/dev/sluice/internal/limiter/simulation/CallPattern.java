package dev.sluice.internal.limiter.simulation;

import dev.sluice.tier.Limit;
import dev.sluice.tier.Limit.Concurrency;
import dev.sluice.tier.Limit.FixedWindow;
import dev.sluice.tier.Limit.LeakyBucket;
import dev.sluice.tier.Limit.SlidingLog;
import dev.sluice.tier.Limit.SlidingWindow;
import dev.sluice.tier.Limit.TokenBucket;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * How one caller calls.
 *
 * @param endpoints the limits of each endpoint that matches the calls
 * @param mostCost the most that a call costs; each cost is random
 * @param retries whether one more call is made at the end, after the time in {@code Retry-After}
 */
public record CallPattern(
        String name,
        int instances,
        List<List<Limit>> endpoints,
        List<Burst> bursts,
        Deal deal,
        int mostCost,
        boolean retries) {

    /** Some calls, and the pause that follows. */
    record Burst(int calls, double everyMillis, long pauseMillis) {}

    /** Which instance a call goes to. */
    public enum Deal {
        IN_TURN,
        AT_RANDOM,
        /** All to one. */
        STICKY,
        /** The first half of a burst to one instance, the second half to another. */
        MOVED;

        public int instance(Random random, int first, int call, int calls, int instances) {
            return switch (this) {
                case IN_TURN -> (first + call) % instances;
                case AT_RANDOM -> random.nextInt(instances);
                case STICKY -> first;
                case MOVED -> (first + (call < calls / 2 ? 0 : 1)) % instances;
            };
        }
    }

    public static CallPattern pattern(String name, Limit limit, Deal deal, Burst... bursts) {
        return new CallPattern(name, 3, List.of(List.of(limit)), List.of(bursts), deal, 1, false);
    }

    CallPattern to(int otherInstances) {
        return new CallPattern(name, otherInstances, endpoints, bursts, deal, mostCost, retries);
    }

    CallPattern under(List<List<Limit>> otherEndpoints) {
        return new CallPattern(name, instances, otherEndpoints, bursts, deal, mostCost, retries);
    }

    CallPattern costing(int most) {
        return new CallPattern(name, instances, endpoints, bursts, deal, most, retries);
    }

    CallPattern andRetry() {
        return new CallPattern(name, instances, endpoints, bursts, deal, mostCost, true);
    }

    public List<Limit> limits() {
        return endpoints.stream().flatMap(List::stream).toList();
    }

    /** The number of calls, or of seconds that they take, whichever is more. */
    public long size() {
        long calls = bursts.stream().mapToLong(Burst::calls).sum();
        double millis = bursts.stream()
                .mapToDouble(burst -> burst.calls * burst.everyMillis + burst.pauseMillis)
                .sum();
        return Math.max(calls, (long) millis / 1_000);
    }

    /** The largest number of calls that come at about the same time. */
    int largestCrowd() {
        return bursts.stream()
                .filter(burst -> burst.everyMillis < 0.2)
                .mapToInt(Burst::calls)
                .max()
                .orElse(0);
    }

    public static Burst calls(int calls, double everyMillis) {
        return new Burst(calls, everyMillis, 0);
    }

    static Burst thenPause(int calls, double everyMillis, long pauseMillis) {
        return new Burst(calls, everyMillis, pauseMillis);
    }

    public static FixedWindow window(long threshold, String period) {
        return new FixedWindow(threshold, Duration.parse(period));
    }

    public static SlidingWindow sliding(long threshold, String period, int frames) {
        return new SlidingWindow(threshold, Duration.parse(period), frames);
    }

    public static SlidingLog log(long threshold, String period) {
        return new SlidingLog(threshold, Duration.parse(period));
    }

    public static TokenBucket bucket(long threshold, String period, long burst) {
        return new TokenBucket(threshold, Duration.parse(period), burst);
    }

    public static LeakyBucket leaky(long threshold, String period) {
        return new LeakyBucket(threshold, Duration.parse(period), 0, Duration.ZERO);
    }

    public static Concurrency slots(long threshold) {
        return new Concurrency(threshold, Concurrency.Scope.FLEET);
    }
}
