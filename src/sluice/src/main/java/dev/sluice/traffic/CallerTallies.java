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
 * The traffic of one time slice. A bounded cache stores one tally for each pair of caller and endpoint. In addition,
 * this class maintains the exact sums of all endpoints. Thread-safe.
 *
 * <p>As long as all callers fit, each call is tallied. If there are more callers, the cache evicts those with the
 * fewest calls. Each call of a caller without a tally then creates one with a probability of 1/32. A count can
 * therefore be too small, but never too large. A caller with many calls soon gets a tally and keeps it.
 *
 * <p>The cache maintains its order of use under a lock, so we report only one in thirty-two calls to it. If we reported
 * all calls, maintaining that order would cost more than counting. Moreover, every call would replace a tally during a
 * flood of callers that make only one call each.
 *
 * <p>Most calls find their tally in an array, at a slot selected by the caller's number. This costs less than a look-up
 * in the cache. A slot belongs to its first caller until the cache evicts that caller. The tallies of other callers
 * with the same slot are looked up in the cache.
 *
 * <p>Each call is counted in only one place, because the sums are computed when they are read. When a tally is evicted,
 * it is closed and its calls are added to the calls without a tally. A thread that still has a reference to the tally
 * notices that it is closed, and counts its call among the calls without a tally.
 */
final class CallerTallies {

    /** One in this many calls is reported to the cache. A power of two. */
    private static final int CALLS_PER_USE = 32;
    /**
     * The minimum number of slots per caller. With four slots per caller, nine out of ten callers have a slot when the
     * cache is full.
     */
    private static final int SLOTS_PER_CALLER = 4;

    private final int capacity;
    private final int seconds;
    /**
     * The tallies by caller number. Names are unsuitable as keys, because look-ups would be slow if attackers chose
     * names with equal hashes.
     */
    private final Cache<Long, CallerTally> tallies;

    /** Looks up a tally without recording its use. */
    private final Policy<Long, CallerTally> policy;

    /**
     * Tallies from {@link #tallies}, each at the {@link #slot} of its caller. A tally can exist without a slot, but
     * must then be looked up in the cache.
     */
    private final AtomicReferenceArray<@Nullable CallerTally> slots;

    /**
     * The calls without a tally and the calls of evicted tallies, by endpoint. The map is locked while the calls of an
     * evicted tally are added.
     */
    private final Map<String, LongAdder[]> otherCalls = new ConcurrentHashMap<>();

    /**
     * Creates an instance without callers.
     *
     * @param capacity the maximum number of callers that are tallied
     * @param seconds the number of seconds for which each caller's reported tiers are stored
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

    /** Looks up the caller's tally. If there is none, and if this call entitles the caller to a tally, creates one. */
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

    /** Returns the tallies by caller number. The tallies continue to count. */
    Map<Long, CallerTally> tallies() {
        return tallies.asMap();
    }

    /** Returns the numbers of calls of all callers, by endpoint and {@link Kind}. */
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
