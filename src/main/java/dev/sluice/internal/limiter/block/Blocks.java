package dev.sluice.internal.limiter.block;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.Subject;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that an instance knows: those that began by its own refusals, and those of other instances. Ended ones stay
 * for {@link Block#CALM}, since the next block of the caller lasts longer. Bounded in number, whatever callers send. Takes
 * part in no exchange: the background {@linkplain #begun takes} what began here, and {@linkplain #learn tells} what began
 * elsewhere. Safe for any threads.
 */
public final class Blocks {

    private final ConcurrentMap<Series, CallerBlocks> bySeries = new ConcurrentHashMap<>();
    private int clears;
    private final BegunBlocks begun = new BegunBlocks();
    private final LongSupplier elapsedNanos;

    /** All of a counter's key but the values and the window. */
    private record Series(String endpoint, String method, String tier, List<String> names, List<String> sources) {}

    /**
     * Knows none yet.
     *
     * @param elapsedNanos the time that elapses, whatever happens to clocks
     */
    public Blocks(LongSupplier elapsedNanos) {
        this.elapsedNanos = elapsedNanos;
    }

    /**
     * The blocked callers of one tier.
     *
     * @param method the counted method, {@code *} for all methods together
     * @param names the subjects
     * @param sources for each subject, the source that yielded the value
     */
    public CallerBlocks of(String endpoint, String method, String tier, List<String> names, List<String> sources) {
        return bySeries.computeIfAbsent(
                new Series(endpoint, method, tier, names, sources),
                made -> new CallerBlocks(begun, elapsedNanos, names.size()));
    }

    /** The blocks that began here and were not {@linkplain #reported reported}. */
    public List<KnownBlock> begun() {
        return begun.unreported();
    }

    /** Other instances can know these, or need not. */
    public void reported(List<KnownBlock> known) {
        begun.reported(known);
    }

    /** Takes over blocks that began on other instances, or were ended by an operator. */
    public void learn(List<Block> others, long nowMillis) {
        others.forEach(block -> callersOf(block.key()).learn(values(block.key()), block, nowMillis));
    }

    /** The same, unless all were forgotten since {@link #clears()} was this. */
    public synchronized void learn(List<Block> others, long nowMillis, int clearsBefore) {
        if (clears == clearsBefore) {
            learn(others, nowMillis);
        }
    }

    /** How often all blocks were forgotten. */
    public synchronized int clears() {
        return clears;
    }

    /**
     * Lets blocks last as long as they were to, although the clock was set back since they began. Returns those that end
     * earlier by this clock than was known.
     */
    public List<Block> followStepBack(long nowMillis) {
        List<KnownBlock> moved = bySeries.values().stream()
                .flatMap(callers -> callers.followStepBack(nowMillis).stream())
                .toList();
        begun.replace(moved);
        return moved.stream().map(KnownBlock::block).toList();
    }

    /**
     * Ends a block that began here and was not reported; it is reported as one that an operator has ended. Returns whether
     * there is one.
     */
    public boolean endUnreported(CounterKey key, long nowMillis) {
        KnownBlock known = callersOf(key).known(values(key));
        if (known == null
                || known.isDryRun()
                || !begun.isUnreported(known)
                || !known.block().isUnderWay(nowMillis)) {
            return false;
        }
        Block ended = known.block().endedAt(nowMillis);
        callersOf(key).learn(values(key), ended, nowMillis);
        begun.replace(List.of(KnownBlock.since(ended, false, nowMillis, elapsedNanos.getAsLong())));
        return true;
    }

    /** What is known of a caller, also after the end of its block; {@code null} if nothing is. */
    public @Nullable Block find(CounterKey key) {
        KnownBlock known = callersOf(key).known(values(key));
        return known == null || known.isDryRun() ? null : known.block();
    }

    private CallerBlocks callersOf(CounterKey key) {
        return of(
                key.endpoint(),
                key.method(),
                key.tier(),
                key.subjects().stream().map(Subject::name).toList(),
                key.subjects().stream().map(Subject::source).toList());
    }

    private static Object values(CounterKey key) {
        List<Subject> subjects = key.subjects();
        return subjects.size() == 1
                ? subjects.get(0).value()
                : subjects.stream().map(Subject::value).toList();
    }

    /** All blocks that other instances can know, also those that have ended and are not forgotten. */
    public List<Block> all() {
        return known().filter(known -> !known.isDryRun()).map(KnownBlock::block).toList();
    }

    /** Those under way at this moment, those first whose block ends last. */
    public List<Block> underWay(long nowMillis) {
        return all().stream()
                .filter(block -> block.isUnderWay(nowMillis))
                .sorted(Comparator.comparingLong(Block::untilMillis).reversed())
                .toList();
    }

    private Stream<KnownBlock> known() {
        return bySeries.values().stream().flatMap(callers -> callers.known().stream());
    }

    /** How many times of refusals are kept, with some for each caller. */
    long timesKept() {
        return begun.timesKept();
    }

    /** Forgets all blocks, and the refusals that may lead to some. */
    public synchronized void clear() {
        clears++;
        bySeries.values().forEach(callers -> callers.forget(all -> true));
        begun.clear();
    }

    /** Forgets what matters no more, and what is too much. */
    public void sweep(long nowMillis) {
        if (begun.areNone()) {
            return;
        }
        long[] latest = known().mapToLong(known -> -known.block().untilMillis())
                .sorted()
                .limit(Block.MOST + 1L)
                .toArray();
        long tooEarly = latest.length > Block.MOST ? -latest[Block.MOST] : Long.MIN_VALUE;
        Predicate<KnownBlock> isGone =
                known -> known.block().isForgotten(nowMillis) || known.block().untilMillis() <= tooEarly;
        bySeries.values().forEach(callers -> callers.forget(isGone));
        begun.forget(isGone);
    }
}
