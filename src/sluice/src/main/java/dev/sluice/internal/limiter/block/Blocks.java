package dev.sluice.internal.limiter.block;

import dev.sluice.Block;
import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.limits.Origin;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that are known to an instance. They began on this instance or on other instances. Ended blocks are
 * remembered for {@link Block#CALM}, because the next block of the same caller lasts longer. The number of blocks is
 * bounded regardless of what callers send. This class itself does not communicate with other instances. The background
 * thread {@linkplain #begun takes} the blocks that began on this instance, and {@linkplain #learn adds} those that
 * began on other instances. Thread-safe.
 */
public final class Blocks {

    private final ConcurrentMap<Series, CallerBlocks> bySeries = new ConcurrentHashMap<>();
    private int clears;
    /**
     * The blocks in two groups: those of callers with an address or a verified identity, and those of callers who can
     * change their names at will. The map stays empty unless a tier can block callers, because loading Caffeine would
     * slow down the start-up of limiters that never block callers.
     */
    private final ConcurrentMap<Origin, BegunBlocks> begun = new ConcurrentHashMap<>();

    private final LongSupplier elapsedNanos;

    /** A counter's key without the values and the window. */
    private record Series(String endpoint, String method, String tier, List<String> names, List<String> sources) {}

    /**
     * Creates an empty set of blocks.
     *
     * @param elapsedNanos the supplier of the elapsed time, which is not affected when clocks are set
     */
    public Blocks(LongSupplier elapsedNanos) {
        this.elapsedNanos = elapsedNanos;
    }

    /**
     * Returns the blocked callers of one tier.
     *
     * @param method the method of the calls; {@code *} if all methods share the counter
     * @param names the names of the subjects
     * @param sources the source of each subject's value
     */
    public CallerBlocks of(String endpoint, String method, String tier, List<String> names, List<String> sources) {
        return bySeries.computeIfAbsent(
                new Series(endpoint, method, tier, names, sources),
                made -> new CallerBlocks(begunOf(Origin.of(sources)), elapsedNanos, names.size()));
    }

    /** Returns the blocks that began on this instance and have not been {@linkplain #reported reported} yet. */
    public List<KnownBlock> begun() {
        return begun.values().stream()
                .flatMap(ofOrigin -> ofOrigin.unreported().stream())
                .toList();
    }

    /** Records that the given blocks have been reported to other instances or need not be reported. */
    public void reported(List<KnownBlock> known) {
        begun.values().forEach(ofOrigin -> ofOrigin.reported(known));
    }

    /** Adds blocks that began on other instances, or that an operator ended. */
    public void learn(List<Block> others, long nowMillis) {
        others.forEach(block -> callersOf(block.key()).learn(values(block.key()), block, nowMillis));
    }

    /**
     * Adds the given blocks, unless all blocks have been forgotten since {@link #clears()} returned {@code
     * clearsBefore}.
     */
    public synchronized void learn(List<Block> others, long nowMillis, int clearsBefore) {
        if (clears == clearsBefore) {
            learn(others, nowMillis);
        }
    }

    /** Returns how often all blocks have been forgotten. */
    public synchronized int clears() {
        return clears;
    }

    /**
     * Corrects the end times of blocks after the clock was set back, so that each block lasts as long as intended.
     * Returns the blocks whose corrected end time is earlier than the one that other instances know.
     */
    public List<Block> followStepBack(long nowMillis) {
        List<KnownBlock> moved = bySeries.values().stream()
                .flatMap(callers -> callers.followStepBack(nowMillis).stream())
                .toList();
        begun.values().forEach(ofOrigin -> ofOrigin.replace(moved));
        return moved.stream().map(KnownBlock::block).toList();
    }

    /**
     * Ends an unreported block that began on this instance, so that it is reported as a block that an operator has
     * ended. Returns whether there was such a block.
     */
    public boolean endUnreported(CounterKey key, long nowMillis) {
        BegunBlocks begun = begunOf(Origin.of(key));
        KnownBlock known = callersOf(key).known(values(key));
        if (known == null
                || known.isDryRun()
                || !begun.isUnreported(known)
                || !known.block().isInForce(nowMillis)) {
            return false;
        }
        Block ended = known.block().endedAt(nowMillis);
        callersOf(key).learn(values(key), ended, nowMillis);
        begun.replace(List.of(KnownBlock.since(ended, false, nowMillis, elapsedNanos.getAsLong())));
        return true;
    }

    /** Returns the latest block of a caller, whether or not it has ended; {@code null} if none is known. */
    public @Nullable Block find(CounterKey key) {
        KnownBlock known = callersOf(key).known(values(key));
        return known == null || known.isDryRun() ? null : known.block();
    }

    private BegunBlocks begunOf(Origin origin) {
        return begun.computeIfAbsent(
                origin == Origin.VERIFIED ? Origin.VERIFIED : Origin.MADE_UP, first -> new BegunBlocks());
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

    /**
     * Returns all blocks that other instances might know about, including ended blocks that have not been forgotten.
     */
    public List<Block> all() {
        return known().filter(known -> !known.isDryRun()).map(KnownBlock::block).toList();
    }

    /** Returns the blocks in force at the given time, latest end time first. */
    public List<Block> inForce(long nowMillis) {
        return all().stream()
                .filter(block -> block.isInForce(nowMillis))
                .sorted(Comparator.comparingLong(Block::untilMillis).reversed())
                .toList();
    }

    private Stream<KnownBlock> known() {
        return bySeries.values().stream().flatMap(callers -> callers.known().stream());
    }

    /** Returns the memory use, measured as the number of stored refusal times plus a constant for each caller. */
    long timesKept() {
        return begun.values().stream().mapToLong(BegunBlocks::timesKept).sum();
    }

    /** Forgets all blocks and all counted refusals. */
    public synchronized void clear() {
        clears++;
        bySeries.values().forEach(callers -> callers.forget(all -> true));
        begun.values().forEach(BegunBlocks::clear);
    }

    /**
     * Forgets blocks that no longer matter. If more blocks than the maximum remain, forgets those that end first. Half
     * of the maximum is reserved for verified callers, and half for other callers. Therefore, a flood of invented names
     * does not unblock any address.
     */
    public void sweep(long nowMillis) {
        if (begun.isEmpty()) {
            return;
        }
        BegunBlocks verified = begunOf(Origin.VERIFIED);
        BegunBlocks madeUp = begunOf(Origin.MADE_UP);
        int mostMadeUp = Math.max(Block.MOST / 2, Block.MOST - verified.known());
        int keptMadeUp = Math.min(madeUp.known(), mostMadeUp);
        sweep(madeUp, keptMadeUp, nowMillis);
        sweep(verified, Block.MOST - keptMadeUp, nowMillis);
    }

    private void sweep(BegunBlocks ofOne, int most, long nowMillis) {
        if (ofOne.areNone()) {
            return;
        }
        List<CallerBlocks> ofOrigin = bySeries.values().stream()
                .filter(callers -> callers.isOf(ofOne))
                .toList();
        long[] latest = ofOrigin.stream()
                .flatMap(callers -> callers.known().stream())
                .mapToLong(known -> -known.block().untilMillis())
                .sorted()
                .limit(most + 1L)
                .toArray();
        long tooEarly = latest.length > most ? -latest[most] : Long.MIN_VALUE;
        Predicate<KnownBlock> isGone =
                known -> known.block().isForgotten(nowMillis) || known.block().untilMillis() <= tooEarly;
        ofOrigin.forEach(callers -> callers.forget(isGone));
        ofOne.forget(isGone);
    }
}
