package dev.sluice.internal.instance.status;

import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.per;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Block;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.counter.PendingPolicy;
import dev.sluice.internal.limiter.local.UnsharedCounting;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.thread.TaskThread;
import dev.sluice.open.RecordingLogger;
import dev.sluice.tier.BlockRule;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.CallerNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three instances that share their blocks in a store, and nothing else. */
abstract class BlockedFleetContract {

    private static final BlockRule RULE =
            new BlockRule(3, Duration.ofMinutes(1), Duration.ofMinutes(15), Duration.ofHours(24));
    private static final TestCall CALL = TestCall.get("/x");

    private final TestClock clock = new TestClock(System.currentTimeMillis());
    /** What elapses beside the clock, which may be set. */
    private final TestClock elapsed = new TestClock(0);

    private final List<CountingRateLimiter> limiters = new ArrayList<>();
    private final List<BlockExchange> exchanges = new ArrayList<>();

    /** A further connection to the same store. */
    abstract BlockStore connect();

    @BeforeEach
    void start() {
        for (int i = 0; i < 3; i++) {
            start(connect());
        }
    }

    private void start(BlockStore store) {
        Tier tier = new Tier("1s", new Limit.FixedWindow(1, Duration.ofSeconds(1))).withBlock(RULE);
        LongSupplier nanos = () -> elapsed.millis() * 1_000_000;
        CountingRateLimiter limiter = CountingRateLimiter.sharing(
                TestLimits.of(per(endpoint("login", "/x", tier), "ip")),
                new UnsharedCounting(clock, nanos, nanos, PendingPolicy.NONE),
                RateLimitListener.NONE,
                null);
        limiters.add(limiter);
        exchanges.add(new BlockExchange(
                new RecordingLogger(),
                limiter.blocks(),
                store,
                limiter::nowMillis,
                RateLimitListener.NONE,
                CallerNames.NONE,
                () -> false,
                new TaskThread("test")));
    }

    @AfterEach
    void end() {
        exchanges.forEach(BlockExchange::close);
        limiters.forEach(CountingRateLimiter::close);
    }

    private void advance(Duration time) {
        clock.advance(time);
        elapsed.advance(time);
    }

    private void poll() {
        exchanges.forEach(BlockExchange::poll);
        exchanges.forEach(BlockExchange::poll);
    }

    private Decision decide(int instance) {
        return limiters.get(instance).decide(CALL);
    }

    private Decision block(int instance) {
        for (int i = 0; i < 3; i++) {
            decide(instance);
        }
        Decision begun = decide(instance);
        assertThat(begun.outcome()).isEqualTo(Outcome.REFUSED_BLOCKED);
        return begun;
    }

    private List<Outcome> outcomes() {
        return List.of(decide(0).outcome(), decide(1).outcome(), decide(2).outcome());
    }

    @Test
    void aBlockHoldsOnAllAndLastsTwiceAsLongWhereverItBeginsAgain() {
        block(0);
        poll();
        assertThat(outcomes()).containsOnly(Outcome.REFUSED_BLOCKED);
        assertThat(decide(2).retryAfterMillis())
                .isEqualTo(Duration.ofMinutes(15).toMillis());
        advance(Duration.ofMinutes(15));
        assertThat(outcomes()).containsOnly(Outcome.ADMITTED);
        advance(Duration.ofSeconds(1));
        assertThat(block(2).retryAfterMillis()).isEqualTo(Duration.ofMinutes(30).toMillis());
        poll();
        assertThat(outcomes()).containsOnly(Outcome.REFUSED_BLOCKED);
    }

    @Test
    void blocksThatBeginAtOnceAreOne() {
        block(0);
        advance(Duration.ofMillis(5));
        block(1);
        poll();
        assertThat(limiters)
                .allSatisfy(limiter -> assertThat(limiter.blocks().all())
                        .singleElement()
                        .matches(block -> block.number() == 1 && block.sinceMillis() == clock.millis()));
    }

    @Test
    void eachInstanceCountsItsOwnRefusals() {
        for (int i = 0; i < 3; i++) {
            assertThat(outcomes()).doesNotContain(Outcome.REFUSED_BLOCKED);
        }
        assertThat(outcomes()).containsOnly(Outcome.REFUSED_BLOCKED);
    }

    @Test
    void anOperatorEndsABlockForAll() {
        block(1);
        poll();
        try (BlockStore operator = connect()) {
            Block known = limiters.get(0).blocks().all().get(0);
            assertThat(operator.unblock(known.key()).toCompletableFuture().join())
                    .isTrue();
        }
        advance(Duration.ofSeconds(5));
        poll();
        assertThat(outcomes()).containsOnly(Outcome.ADMITTED);
        assertThat(limiters.get(2).blocks().all()).singleElement().matches(block -> block.number() == 0);
    }

    @Test
    void whomAnOperatorUnblocksIsCountedAnewByAll() {
        for (int i = 0; i < 3; i++) {
            decide(1);
        }
        block(0);
        poll();
        try (BlockStore operator = connect()) {
            Block known = limiters.get(0).blocks().all().get(0);
            assertThat(operator.unblock(known.key()).toCompletableFuture().join())
                    .isTrue();
        }
        advance(Duration.ofSeconds(5));
        poll();
        assertThat(List.of(decide(1).outcome(), decide(1).outcome(), decide(1).outcome()))
                .containsExactly(Outcome.ADMITTED, Outcome.REFUSED, Outcome.REFUSED);
        assertThat(decide(1).outcome()).isEqualTo(Outcome.REFUSED_BLOCKED);
    }

    @Test
    void aBlockLastsNoLongerIfTheClockIsSetBack() {
        block(0);
        poll();
        advance(Duration.ofMinutes(5));
        clock.advance(Duration.ofHours(-1));
        poll();
        assertThat(outcomes()).containsOnly(Outcome.REFUSED_BLOCKED);
        assertThat(decide(2).retryAfterMillis())
                .isEqualTo(Duration.ofMinutes(10).toMillis());
        start(connect());
        poll();
        assertThat(decide(3).retryAfterMillis())
                .as("on an instance that starts later")
                .isEqualTo(Duration.ofMinutes(10).toMillis());
        advance(Duration.ofMinutes(10));
        assertThat(outcomes()).containsOnly(Outcome.ADMITTED);
        assertThat(decide(3).outcome()).isEqualTo(Outcome.ADMITTED);
    }

    @Test
    void anInstanceThatStartsLaterKnowsTheBlocksToo() {
        block(0);
        poll();
        start(connect());
        poll();
        assertThat(decide(3).outcome()).isEqualTo(Outcome.REFUSED_BLOCKED);
    }
}
