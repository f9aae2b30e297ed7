package dev.sluice.traffic;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.sluice.CallerSubjects;
import dev.sluice.Decision;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The callers of a time slice, each at one endpoint, in a bounded cache, and the exact sums of all endpoints.
 * Thread-safe.
 *
 * <p>As long as all callers fit, each call is tallied. If there are more, the cache evicts the callers that call least,
 * and a caller without a tally gets one with every thirty-second of its calls on average. So a count may be too small
 * but never too large, and a caller that calls often is soon tallied and stays so.
 *
 * <p>The cache keeps its order of use under a lock. It learns only of every thirty-second call. Otherwise keeping the
 * order would cost more than counting, and in a flood of callers that call once, each call would replace a tally.
 *
 * <p>Most calls find their tally in an array, at the slot that the caller's number selects, which costs less than a
 * look-up in the cache. A slot belongs to its first caller until the cache evicts that caller. All other callers with
 * this slot are looked up in the cache.
 *
 * <p>The sums are added up only when they are read, so that a call is counted in one place. An evicted tally closes and
 * hands over its calls. A thread that still has the tally sees that it is closed, and counts its call among the calls
 * without a tally.
 */
final class CallerTallies {

    /** The cache learns of one call in this many. A power of two. */
    private static final int CALLS_PER_USE = 32;
    /**
     * The minimum number of slots for each caller. With four, nine of ten callers have a slot while the cache is full.
     */
    private static final int SLOTS_PER_CALLER = 4;

    private final int capacity;
    private final int seconds;
    /** The tallies by the caller's number. Names would be slower as keys if callers chose names with equal hashes. */
    private final Cache<Long, CallerTally> tallies;

    /** Looks up a tally without recording its use. */
    private final Policy<Long, CallerTally> policy;

    /**
     * Tallies of {@link #tallies}, each at the {@link #slot} of its caller. A tally without a slot costs look-ups only.
     */
    private final AtomicReferenceArray<@Nullable CallerTally> slots;

    /**
     * The calls without a tally and those of evicted tallies, by endpoint. Locked while a tally hands over its calls.
     */
    private final Map<String, LongAdder[]> otherCalls = new ConcurrentHashMap<>();

    /**
     * Creates tallies without callers.
     *
     * @param capacity the maximum number of callers that are tallied
     * @param seconds for how many seconds to keep each caller's reported tiers
     */
    CallerTallies(int capacity, int seconds) {
        this.capacity = capacity;
        this.seconds = seconds;
        this.slots = new AtomicReferenceArray<>(Integer.highestOneBit(2 * SLOTS_PER_CALLER * capacity - 1));
        this.tallies = Caffeine.newBuilder()
                .maximumSize(capacity)
                .executor(Runnable::run)
                .evictionListener(this::close)
                .build();
        this.policy = tallies.policy();
    }

    void count(String endpoint, Kind kind, Decision decision, long nowMillis) {
        long caller = CallerSubjects.fingerprint(endpoint, decision.subjects());
        CallerTally tally = slots.getAcquire(slot(caller));
        if (tally == null || tally.caller != caller) {
            tally = find(endpoint, decision);
        }
        if (tally == null) {
            otherCalls(endpoint)[kind.at].increment();
            return;
        }
        long before = tally.count(kind, decision, nowMillis);
        if (before < 0) {
            otherCalls(endpoint)[kind.at].increment();
            slots.compareAndSet(slot(caller), tally, null);
        } else if ((before & CALLS_PER_USE - 1) == 0) {
            var unused = tallies.getIfPresent(CallerSubjects.boxedFingerprint(endpoint, decision.subjects()));
        }
    }

    private int slot(long caller) {
        return (int) caller & slots.length() - 1;
    }

    /** Looks up the tally, and creates one if the caller gets it with this call. */
    private @Nullable CallerTally find(String endpoint, Decision decision) {
        Long caller = CallerSubjects.boxedFingerprint(endpoint, decision.subjects());
        CallerTally tally = policy.getIfPresentQuietly(caller);
        if (tally == null && getsTally()) {
            tally = tallies.get(caller, first -> new CallerTally(first, endpoint, decision.subjects(), seconds));
        }
        if (tally != null) {
            slots.compareAndSet(slot(caller), null, tally);
        }
        return tally;
    }

    /** Closes a tally. The cache calls this before it removes the tally. */
    private void close(@Nullable Long caller, @Nullable CallerTally evicted, RemovalCause cause) {
        if (evicted != null) {
            synchronized (otherCalls) {
                LongAdder[] sum = otherCalls(evicted.endpoint);
                long[] calls = evicted.close();
                for (int kind = 0; kind < calls.length; kind++) {
                    sum[kind].add(calls[kind]);
                }
            }
            slots.compareAndSet(slot(evicted.caller), evicted, null);
        }
    }

    private LongAdder[] otherCalls(String endpoint) {
        LongAdder @Nullable [] known = otherCalls.get(endpoint);
        return known == null ? otherCalls.computeIfAbsent(endpoint, first -> zero()) : known;
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

    /** The tallies of the callers, by their numbers. They continue to count. */
    Map<Long, CallerTally> tallies() {
        return tallies.asMap();
    }

    /** The calls of all callers, by endpoint and {@link Kind}. */
    Map<String, long[]> sums() {
        Map<String, long[]> sums = new HashMap<>();
        synchronized (otherCalls) {
            otherCalls.forEach((endpoint, calls) -> add(sums, endpoint, kind -> calls[kind.at].sum()));
            tallies.asMap().values().forEach(tally -> add(sums, tally.endpoint, tally::calls));
        }
        return sums;
    }

    private static void add(Map<String, long[]> sums, String endpoint, ToLongFunction<Kind> calls) {
        long[] sum = sums.computeIfAbsent(endpoint, first -> new long[Kind.COUNT]);
        for (Kind kind : Kind.values()) {
            sum[kind.at] += calls.applyAsLong(kind);
        }
    }
}
