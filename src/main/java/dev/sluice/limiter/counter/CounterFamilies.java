package dev.sluice.limiter.counter;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sluice.LoadSignal;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Tier;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The families of one limiter, one object for each identity. A family is kept as long as a compiled endpoint or a
 * counter refers to it, so counts go on when definitions come and go whose tiers have not changed. Those that count
 * alike share a compiled limit. Safe for any threads.
 */
public final class CounterFamilies {

    private final Cache<CounterFamily.Identity, CounterFamily> known =
            Caffeine.newBuilder().weakValues().build();
    private final Cache<CounterFamily.Kind, CounterFamily.Series> series =
            Caffeine.newBuilder().weakValues().build();
    private final Cache<Figures, CompiledLimit> compiledLimits =
            Caffeine.newBuilder().weakValues().build();
    private final AtomicLong numbers = new AtomicLong();
    private final Sharing sharing;
    private final LoadSignal load;

    public CounterFamilies(Sharing sharing, LoadSignal load) {
        this.sharing = sharing;
        this.load = load;
    }

    /** What tells compiled limits apart. */
    private record Figures(Limit limit, Overage overage) {}

    public CounterFamily of(CounterFamily.Identity identity) {
        return known.get(
                identity,
                missing ->
                        new CounterFamily(missing, series(missing), sharing::nowMillis, compiledLimit(missing.tier())));
    }

    private CounterFamily.Series series(CounterFamily.Identity identity) {
        CounterFamily.Kind kind = CounterFamily.Kind.of(identity);
        boolean goesOnHere = !sharing.opensSharedCounters()
                || (identity.tier().limit() instanceof Limit.Concurrency && !kind.isFleetWide());
        return goesOnHere ? series.get(kind, this::numbered) : numbered(kind);
    }

    private CounterFamily.Series numbered(CounterFamily.Kind kind) {
        return new CounterFamily.Series(kind, numbers.getAndIncrement());
    }

    private CompiledLimit compiledLimit(Tier tier) {
        return compiledLimits.get(new Figures(tier.limit(), tier.overage()), missing -> new CompiledLimit(tier, load));
    }
}
