package dev.sluice.limiter;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sluice.Limit;
import dev.sluice.LoadSignal;
import dev.sluice.Tier;
import dev.sluice.algorithm.FixedWindow;
import dev.sluice.algorithm.Gcra;
import dev.sluice.algorithm.OneWord;
import org.jspecify.annotations.Nullable;

/**
 * The families of one limiter, one object for each identity. A family is kept as long as a guard or a counter of it is, so counts go on when
 * definitions come and go whose tiers have not changed. Those that count alike share the arithmetic. Safe for any threads.
 */
final class Families {

    private final Cache<CounterFamily.Identity, CounterFamily> known =
            Caffeine.newBuilder().weakValues().build();
    private final Cache<Figures, OneWord> rules =
            Caffeine.newBuilder().weakValues().build();
    private final Sharing sharing;
    private final LoadSignal load;

    Families(Sharing sharing, LoadSignal load) {
        this.sharing = sharing;
        this.load = load;
    }

    /**
     * What the arithmetic of a tier depends on.
     *
     * @param most that passes
     */
    private record Figures(Limit limit, long most) {}

    CounterFamily of(CounterFamily.Identity identity) {
        return known.get(identity, missing -> new CounterFamily(missing, sharing, load, rule(missing.tier())));
    }

    private @Nullable OneWord rule(Tier tier) {
        Limit limit = tier.limit();
        boolean inOneWord = limit instanceof Limit.FixedWindow
                || limit instanceof Limit.TokenBucket
                || limit instanceof Limit.LeakyBucket;
        return inOneWord ? rules.get(new Figures(limit, tier.most()), Families::rule) : null;
    }

    private static OneWord rule(Figures figures) {
        long periodMillis = figures.limit.period().toMillis();
        return figures.limit instanceof Limit.FixedWindow
                ? new FixedWindow(figures.most, periodMillis)
                : Gcra.of(figures.limit.threshold(), periodMillis, figures.most);
    }
}
