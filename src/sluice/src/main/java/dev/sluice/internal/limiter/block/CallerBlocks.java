package dev.sluice.internal.limiter.block;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.internal.match.caller.CallerAddress;
import dev.sluice.tier.BlockRule;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The callers that one tier has blocked, keyed by the values of their subjects. A call whose caller is not blocked
 * costs only one look-up. Thread-safe.
 */
public final class CallerBlocks {

    private static final Comparator<Object> BY_VALUES = (some, others) -> {
        List<?> values = (List<?>) some;
        List<?> otherValues = (List<?>) others;
        int order = 0;
        for (int i = 0; i < values.size() && order == 0; i++) {
            order = ((String) values.get(i)).compareTo((String) otherValues.get(i));
        }
        return order;
    };

    private final BegunBlocks begun;
    private final LongSupplier elapsedNanos;
    /**
     * The blocks, keyed by the value of the only subject, or by the list of values if there are several subjects. Lists
     * are sorted rather than hashed, because callers could construct lists with equal hashes.
     */
    private final ConcurrentMap<Object, KnownBlock> byCaller;

    CallerBlocks(BegunBlocks begun, LongSupplier elapsedNanos, int subjects) {
        this.begun = begun;
        this.elapsedNanos = elapsedNanos;
        this.byCaller = subjects == 1 ? new ConcurrentHashMap<>() : new ConcurrentSkipListMap<>(BY_VALUES);
    }

    /**
     * Returns a caller's block if it is in force; {@code null} if there is none.
     *
     * @param values the value of the only subject, or the list of values if there are several subjects
     * @param isDryRun whether to find a block that is only reported
     */
    public @Nullable Block find(Object values, long nowMillis, boolean isDryRun) {
        KnownBlock known = byCaller.get(values);
        return known != null && known.isDryRun() == isDryRun && known.block().isInForce(nowMillis)
                ? known.block()
                : null;
    }

    /**
     * Records that the tier has refused a call because its limit is used up. Callers with unknown addresses are never
     * blocked, because any one of them could get all the others blocked.
     *
     * @param key the key of the counter, without a window
     * @param tier the tier as it applies to this caller
     * @return the block that begins as a result; {@code null} if none does. A block that is only reported never
     *     replaces an enforced one
     */
    public @Nullable Block refused(CounterKey key, Object values, Tier tier, long nowMillis, boolean isDryRun) {
        BlockRule rule = tier.block();
        boolean isKnown = key.subjects().stream().noneMatch(CallerAddress::isUnknown);
        return rule != null && isKnown && begun.isEnough(key, rule, nowMillis, isDryRun)
                ? begin(key, values, rule, tier.limit(), nowMillis, isDryRun)
                : null;
    }

    private @Nullable Block begin(
            CounterKey key, Object values, BlockRule rule, Limit limit, long nowMillis, boolean isDryRun) {
        if (begun.areFull()) {
            return null;
        }
        KnownBlock before = byCaller.get(values);
        if (isDryRun && before != null && !before.isDryRun() && !before.block().isForgotten(nowMillis)) {
            return null;
        }
        int number = before == null
                        || before.isDryRun() != isDryRun
                        || before.block().isForgotten(nowMillis)
                ? 1
                : before.block().number() + 1;
        // Even if the clock was set back, the new block begins after the previous block. Otherwise, it would not
        // replace the previous block.
        long since =
                before == null ? nowMillis : Math.max(nowMillis, before.block().sinceMillis() + 1);
        Block.Cause cause = new Block.Cause(
                rule.after(),
                rule.within().toMillis(),
                limit.threshold(),
                limit.period().toMillis());
        Block block = new Block(key, since, nowMillis + rule.millis(number), number, cause);
        KnownBlock known = KnownBlock.since(block, isDryRun, nowMillis, elapsedNanos.getAsLong());
        put(values, known);
        begun.add(known);
        return block;
    }

    /**
     * Adds a block that other instances already know about, unless this instance knows about a newer one. If an
     * operator has ended the block, the caller's number of refusals on this instance is also reset to zero.
     */
    void learn(Object values, Block block, long nowMillis) {
        KnownBlock known = byCaller.get(values);
        if (known == null || known.isDryRun() || block.replaces(known.block())) {
            put(values, KnownBlock.since(block, false, nowMillis, elapsedNanos.getAsLong()));
            if (block.number() == 0) {
                begun.forgive(block.key());
            }
        }
    }

    /** Whether the blocks of these callers belong to the given group. */
    boolean isOf(BegunBlocks which) {
        return begun == which;
    }

    /** Corrects the end times of blocks after the clock was set back, and returns the corrected blocks. */
    List<KnownBlock> followStepBack(long nowMillis) {
        long nanos = elapsedNanos.getAsLong();
        List<KnownBlock> moved = new ArrayList<>();
        byCaller.forEach((values, known) -> {
            KnownBlock right = known.afterStepBack(nowMillis, nanos);
            if (right != null && byCaller.replace(values, known, right)) {
                moved.add(right);
            }
        });
        return moved;
    }

    private void put(Object values, KnownBlock block) {
        if (byCaller.put(values, block) == null) {
            begun.resized(1);
        }
    }

    @Nullable KnownBlock known(Object values) {
        return byCaller.get(values);
    }

    Collection<KnownBlock> known() {
        return byCaller.values();
    }

    void forget(Predicate<KnownBlock> which) {
        byCaller.forEach((values, known) -> {
            if (which.test(known) && byCaller.remove(values, known)) {
                begun.resized(-1);
            }
        });
    }
}
