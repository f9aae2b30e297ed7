package dev.sluice.internal.limiter.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamilies;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The single check admits only calls that need no further check. */
class SingleWordCounterTest {

    private static final long NOW = 1_627_318_780_000L;

    private long clockMillis = NOW;

    static Stream<Limit> limitsOfTwo() {
        Duration second = Duration.ofSeconds(1);
        return Stream.of(new Limit.FixedWindow(2, second), new Limit.TokenBucket(2, second, 2));
    }

    private final CounterFamilies families = new CounterFamilies(
            new UnsharedCounting(() -> Instant.ofEpochMilli(clockMillis)), () -> 0, new Blocks(() -> 0));

    /** One caller's counter in a tier. */
    private record Fixture(Counter counter, Endpoint endpoint, CounterFamily family) {

        @Nullable Decision tryDecide(long nowMillis) {
            return counter.tryDecide(endpoint, family, nowMillis);
        }
    }

    private Fixture fixture(Tier tier) {
        CounterFamily family =
                families.of(new CounterFamily.Identity("e", "GET", tier, List.of("tenant"), List.of("ip")));
        return new Fixture(LocalCounters.open(family, "acme"), TestLimits.endpoint("e", "/a", tier), family);
    }

    @ParameterizedTest
    @MethodSource("limitsOfTwo")
    void admitsExactlyWhatIsLeft(Limit limit) {
        Fixture fixture = fixture(new Tier("t", limit));

        assertThat(fixture.tryDecide(NOW)).extracting("remaining").isEqualTo(1L);
        assertThat(fixture.tryDecide(NOW)).extracting("remaining").isEqualTo(0L);
        Decision refused = Objects.requireNonNull(fixture.tryDecide(NOW));
        assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(refused.remaining()).isZero();
        assertThat(refused.resetAfterMillis()).isEqualTo(1000);
        assertThat(refused.retryAfterMillis()).isEqualTo(limit instanceof Limit.TokenBucket ? 500 : 1000);
        assertThat(refused.cost()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("limitsOfTwo")
    void nobodyIsRefusedAtOnceWhilePermitsMayComeBack(Limit limit) {
        Fixture fixture = fixture(new Tier("t", limit));
        Pool pool = Objects.requireNonNull(fixture.counter().at(NOW));

        long borrowed = pool.borrow(2, 0, NOW);
        assertThat(fixture.tryDecide(NOW)).isNull();
        pool.keep();
        assertThat(fixture.tryDecide(NOW)).isNotNull();

        pool.addRefundable(2, borrowed);
        assertThat(fixture.tryDecide(NOW)).isNull();
    }

    @ParameterizedTest
    @MethodSource("limitsOfTwo")
    void aRetiredCounterAdmitsNobody(Limit limit) {
        Fixture fixture = fixture(new Tier("t", limit));
        fixture.counter().retire();

        assertThat(fixture.tryDecide(NOW)).isNull();
        assertThat(fixture.counter().isRetired()).isTrue();
    }

    /** Otherwise it would be counted in a window of its own, and earlier calls would be forgotten. */
    @ParameterizedTest
    @MethodSource("limitsOfTwo")
    void aDelayedCallTakesTheFullPath(Limit limit) {
        Fixture fixture = fixture(new Tier("t", limit));
        clockMillis = NOW + 3_600_000;
        assertThat(fixture.tryDecide(clockMillis)).isNotNull();

        assertThat(fixture.tryDecide(NOW)).isNull();
    }

    @ParameterizedTest
    @MethodSource("limitsOfTwo")
    void overageTakesTheFullPath(Limit limit) {
        Overage half = new Overage.Soft(0.5);

        assertThat(fixture(new Tier("t", limit, half, Sync.DEFAULT)).tryDecide(NOW))
                .isNull();
    }
}
