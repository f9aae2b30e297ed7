package dev.sluice.internal.limiter.block;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.tier.BlockRule;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The blocks that begin on this instance for callers of one origin. This class decides whether a caller has been
 * refused often enough to be blocked, and whether there is room for a further block. It stores the blocks that other
 * instances do not know about yet. Thread-safe.
 */
final class BegunBlocks {

    /** The maximum number of refusal times stored for all callers of this origin together. */
    private static final long MOST_TIMES = 500_000;

    private static final int WEIGHT_OF_CALLER = 16;

    private final ConcurrentMap<CounterKey, KnownBlock> unreported = new ConcurrentHashMap<>();
    /** The number of known blocks, including those of other instances. */
    private final AtomicInteger size = new AtomicInteger();

    private final Cache<Refused, RefusalTimes> refusals = Caffeine.newBuilder()
            .maximumWeight(MOST_TIMES)
            .weigher((Refused key, RefusalTimes times) -> WEIGHT_OF_CALLER + times.timesKept())
            .executor(Runnable::run)
            .build();

    /**
     * A refused caller. Refusals in a dry run are counted separately, because they do not lead to an enforced block.
     */
    private record Refused(CounterKey key, boolean isDryRun) {}

    /** Counts a refusal. Returns whether the caller has now been refused often enough to be blocked. */
    boolean isEnough(CounterKey refused, BlockRule rule, long nowMillis, boolean isDryRun) {
        Refused key = new Refused(refused, isDryRun);
        RefusalTimes times = refusals.get(key, first -> new RefusalTimes(rule.after()));
        if (times.after() != rule.after()) { // the limits have been replaced since then
            times = new RefusalTimes(rule.after());
            refusals.put(key, times);
        }
        return times.add(nowMillis, rule.within().toMillis());
    }

    /** Resets the given caller's number of refusals to zero. */
    void forgive(CounterKey key) {
        refusals.invalidate(new Refused(key, false));
    }

    /** Returns the memory use, measured as the number of stored refusal times plus a constant for each caller. */
    long timesKept() {
        return refusals.policy()
                .eviction()
                .map(eviction -> eviction.weightedSize().orElse(0))
                .orElse(0L);
    }

    /** Whether the maximum number of blocks has been reached. No further block can begin until some are forgotten. */
    boolean areFull() {
        return size.get() >= 2 * Block.MOST;
    }

    /** Returns the number of known blocks, including those of other instances. */
    int known() {
        return size.get();
    }

    boolean areNone() {
        return size.get() == 0;
    }

    void resized(int by) {
        size.addAndGet(by);
    }

    void add(KnownBlock begun) {
        unreported.put(begun.block().key(), begun);
    }

    /** Replaces blocks whose end time has changed. */
    void replace(List<KnownBlock> moved) {
        moved.forEach(one -> unreported.computeIfPresent(one.block().key(), (key, before) -> one));
    }

    boolean isUnreported(KnownBlock known) {
        return known.equals(unreported.get(known.block().key()));
    }

    List<KnownBlock> unreported() {
        return unreported.isEmpty() ? List.of() : List.copyOf(unreported.values());
    }

    void reported(List<KnownBlock> told) {
        told.forEach(one -> unreported.remove(one.block().key(), one));
    }

    void forget(Predicate<KnownBlock> which) {
        unreported.values().removeIf(which);
    }

    void clear() {
        unreported.clear();
        refusals.invalidateAll();
    }
}
