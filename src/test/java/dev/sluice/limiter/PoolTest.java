package dev.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Limit;
import dev.sluice.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is true of whatever a call takes from. */
class PoolTest {

    private static final long NOW = 1_627_318_780_000L;
    private static final Duration SECOND = Duration.ofSeconds(1);

    static Stream<Limit> limitsOfOne() {
        return Stream.of(
                new Limit.FixedWindow(1, SECOND),
                new Limit.SlidingWindow(1, SECOND, 4),
                new Limit.TokenBucket(1, SECOND, 1),
                new Limit.LeakyBucket(1, SECOND, 0, Duration.ZERO),
                new Limit.SlidingLog(1, SECOND),
                new Limit.Concurrency(1, Limit.Concurrency.Scope.SERVER));
    }

    private static Pool pool(Limit limit) {
        CounterFamily family = new CounterFamily(
                new CounterFamily.Identity("e", "GET", new Tier("t", limit), List.of("tenant"), List.of("ip")),
                () -> 0);
        Counter counter = Counter.open(family, "acme", 1, Sharing.alone(() -> Instant.ofEpochMilli(NOW)));
        return Objects.requireNonNull(counter.at(NOW));
    }

    /** Begins to take what another call holds, and is seen to wait. */
    private static CompletableFuture<Long> takeFrom(Pool pool) {
        CompletableFuture<Long> taking = CompletableFuture.supplyAsync(() -> pool.take(1, NOW));
        assertThatThrownBy(() -> taking.get(20, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(pool.surelyShortOf(1, NOW)).isFalse();
        return taking;
    }

    @ParameterizedTest
    @MethodSource("limitsOfOne")
    void whatIsHeldAndGivenBackWasNeverMissing(Limit limit) throws Exception {
        Pool pool = pool(limit);
        assertThat(pool.hold(1, NOW)).isNotNegative();
        CompletableFuture<Long> taking = takeFrom(pool);
        pool.giveBack(1, NOW);
        assertThat(taking.get(10, TimeUnit.SECONDS)).isNotNegative();
        assertThat(pool.take(1, NOW)).isEqualTo(Pool.TOO_FEW);
    }

    @ParameterizedTest
    @MethodSource("limitsOfOne")
    void whatIsHeldAndKeptIsTaken(Limit limit) throws Exception {
        Pool pool = pool(limit);
        assertThat(pool.hold(1, NOW)).isNotNegative();
        CompletableFuture<Long> taking = takeFrom(pool);
        pool.keep();
        assertThat(taking.get(10, TimeUnit.SECONDS)).isEqualTo(Pool.TOO_FEW);
        assertThat(pool.surelyShortOf(1, NOW)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("limitsOfOne")
    void fromAClosedOneNothingIsTaken(Limit limit) {
        Pool pool = pool(limit);
        assertThat(pool.hold(1, NOW)).isNotNegative();
        pool.close();
        assertThat(pool.take(1, NOW)).isEqualTo(Pool.CLOSED);
        pool.giveBack(1, NOW);
        assertThat(pool.hold(1, NOW)).isEqualTo(Pool.CLOSED);
        assertThat(pool.take(0, NOW)).isEqualTo(Pool.CLOSED);
    }
}
