package dev.sluice.limiter;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sluice.Excess;
import dev.sluice.Limit;
import dev.sluice.LoadSignal;
import dev.sluice.Tier;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The families of one limiter, one object for each identity. A family is kept as long as a guard or a counter of it is, so counts go on when
 * definitions come and go whose tiers have not changed. Those that count alike share a measure. Safe for any threads.
 */
final class Families {

    private final Cache<CounterFamily.Identity, CounterFamily> known =
            Caffeine.newBuilder().weakValues().build();
    private final Cache<CounterFamily.Kind, CounterFamily.Series> series =
            Caffeine.newBuilder().weakValues().build();
    private final Cache<Figures, Measure> measures =
            Caffeine.newBuilder().weakValues().build();
    private final AtomicLong numbers = new AtomicLong();
    private final Sharing sharing;
    private final LoadSignal load;

    Families(Sharing sharing, LoadSignal load) {
        this.sharing = sharing;
        this.load = load;
    }

    /** What tells measures apart. */
    private record Figures(Limit limit, Excess excess) {}

    CounterFamily of(CounterFamily.Identity identity) {
        return known.get(
                identity, missing -> new CounterFamily(missing, series(missing), sharing, measure(missing.tier())));
    }

    private CounterFamily.Series series(CounterFamily.Identity identity) {
        CounterFamily.Kind kind = CounterFamily.Kind.of(identity);
        boolean goesOnHere =
                !sharing.isShared() || (identity.tier().limit() instanceof Limit.Concurrency && !kind.isFleetWide());
        return goesOnHere ? series.get(kind, this::numbered) : numbered(kind);
    }

    private CounterFamily.Series numbered(CounterFamily.Kind kind) {
        return new CounterFamily.Series(kind, numbers.getAndIncrement());
    }

    private Measure measure(Tier tier) {
        return measures.get(new Figures(tier.limit(), tier.excess()), missing -> new Measure(tier, load));
    }
}
