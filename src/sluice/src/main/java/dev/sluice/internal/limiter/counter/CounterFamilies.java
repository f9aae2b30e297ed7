package dev.sluice.internal.limiter.counter;

import dev.sluice.LoadSignal;
import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.block.CallerBlocks;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Tier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The families of one limiter, with one object for each identity. A family exists for as long as a compiled endpoint or
 * a counter refers to it. Therefore, the counts of unchanged tiers survive a reload. Equal limits share one compiled
 * limit. Thread-safe.
 */
public final class CounterFamilies {

    private final WeakValues<CounterFamily.Identity, CounterFamily> known = new WeakValues<>();
    private final WeakValues<CounterFamily.SeriesKey, CounterFamily.Series> series = new WeakValues<>();
    private final WeakValues<LimitKey, CompiledLimit> compiledLimits = new WeakValues<>();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicInteger limits = new AtomicInteger();
    private final Sharing sharing;
    private final LoadSignal load;
    private final Blocks blocks;

    public CounterFamilies(Sharing sharing, LoadSignal load, Blocks blocks) {
        this.sharing = sharing;
        this.load = load;
        this.blocks = blocks;
    }

    /** The key of a compiled limit. Compiled limits with equal keys are equal. */
    private record LimitKey(Limit limit, Overage overage) {}

    public CounterFamily of(CounterFamily.Identity identity) {
        return known.get(
                identity,
                missing -> new CounterFamily(
                        missing, series(missing), sharing::nowMillis, compiledLimit(missing.tier()), blocks(missing)));
    }

    private @Nullable CallerBlocks blocks(CounterFamily.Identity identity) {
        return identity.tier().block() == null
                ? null
                : blocks.of(
                        identity.endpoint(),
                        identity.method(),
                        identity.tier().name(),
                        identity.names(),
                        identity.sources());
    }

    private CounterFamily.Series series(CounterFamily.Identity identity) {
        return series.get(
                CounterFamily.SeriesKey.of(identity),
                missing -> new CounterFamily.Series(missing, numbers.getAndIncrement()));
    }

    /**
     * Returns the sequence number to assign to limits that are about to be compiled. Later limits have higher numbers.
     */
    public int nextLimits() {
        return limits.incrementAndGet();
    }

    /** Returns the sequence number of the limits that were compiled last. */
    public int latestLimits() {
        return limits.get();
    }

    private CompiledLimit compiledLimit(Tier tier) {
        return compiledLimits.get(new LimitKey(tier.limit(), tier.overage()), missing -> new CompiledLimit(tier, load));
    }
}
