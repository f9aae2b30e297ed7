package dev.sluice.traffic;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import dev.sluice.CallerSubjects;
import dev.sluice.Decision;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The callers of a time slice, each at one endpoint, in a bounded cache, and the exact sums of all endpoints.
 * Thread-safe.
 *
 * <p>As long as all callers fit, each call is counted. Then the cache evicts the callers that call least, and a caller
 * without a tally gets one with every thirty-second of its calls on average. So a count may be too small, never too large,
 * and a caller that calls often is soon counted and stays.
 *
 * <p>The cache keeps its order of use under a lock. It learns of every thirty-second call only: otherwise that order would
 * cost more than the count, and a flood of callers that call once would replace a tally with each call.
 */
final class CallerTallies {

    /** A power of two. */
    private static final int CALLS_PER_USE = 32;

    private final int capacity;
    private final int seconds;
    /** By the caller's number, so that names with equal hashes cost nothing. */
    private final Cache<Long, CallerTally> tallies;

    /** Looks up a tally without recording its use. */
    private final Policy<Long, CallerTally> policy;

    private final Map<String, LongAdder[]> sums = new ConcurrentHashMap<>();

    /**
     * Creates it without callers.
     *
     * @param capacity the most callers that are counted
     * @param seconds for how many seconds to keep each caller's reported tiers
     */
    CallerTallies(int capacity, int seconds) {
        this.capacity = capacity;
        this.seconds = seconds;
        this.tallies = Caffeine.newBuilder()
                .maximumSize(capacity)
                .executor(Runnable::run)
                .build();
        this.policy = tallies.policy();
    }

    void count(String endpoint, Kind kind, Decision decision, long nowMillis) {
        Long caller = CallerSubjects.fingerprint(endpoint, decision.subjects());
        CallerTally tally = policy.getIfPresentQuietly(caller);
        if (tally == null) {
            LongAdder[] sum = sum(endpoint);
            if (!getsTally()) {
                sum[kind.at].increment();
                return;
            }
            tally = tallies.get(caller, first -> new CallerTally(endpoint, decision.subjects(), sum, seconds));
        }
        long calls = tally.count(kind, decision, nowMillis);
        if ((calls & CALLS_PER_USE - 1) == 0) {
            var unused = tallies.getIfPresent(caller);
        }
    }

    private LongAdder[] sum(String endpoint) {
        LongAdder @Nullable [] known = sums.get(endpoint);
        return known == null ? sums.computeIfAbsent(endpoint, first -> zero()) : known;
    }

    private boolean getsTally() {
        return tallies.estimatedSize() < capacity || ThreadLocalRandom.current().nextInt(CALLS_PER_USE) == 0;
    }

    private static LongAdder[] zero() {
        LongAdder[] zero = new LongAdder[Kind.COUNT];
        for (int kind = 0; kind < zero.length; kind++) {
            zero[kind] = new LongAdder();
        }
        return zero;
    }

    /** The tallies of the callers, by their numbers. They go on counting. */
    Map<Long, CallerTally> tallies() {
        return tallies.asMap();
    }

    /** The calls of all callers, by endpoint and {@link Kind}. */
    Map<String, long[]> sums() {
        Map<String, long[]> copy = new HashMap<>();
        sums.forEach((endpoint, sum) -> {
            long[] calls = new long[sum.length];
            for (int kind = 0; kind < calls.length; kind++) {
                calls[kind] = sum[kind].sum();
            }
            copy.put(endpoint, calls);
        });
        return copy;
    }
}
