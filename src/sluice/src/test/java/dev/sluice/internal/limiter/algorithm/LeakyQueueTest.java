package dev.sluice.internal.limiter.algorithm;

import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.VirtualTimeFleet;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** A leaky bucket with a queue: calls are queued until it is their turn. */
class LeakyQueueTest extends AlgorithmContract {

    /** A queue with room for the calls of one period, without the first, which is not queued. */
    @Override
    public Limit limit(long threshold, Duration period) {
        return threshold == 1
                ? new Limit.LeakyBucket(1, period, 1, Duration.ZERO)
                : new Limit.LeakyBucket(threshold, period, threshold - 1, period);
    }

    @Override
    public LimitModel books(Limit limit) {
        return new TokenBucketTest.LevelBooks(limit, limit.capacity());
    }

    @Override
    public void checkSpans(Limit limit, List<Admitted> admitted) {
        TokenBucketTest.checkFlow(limit, limit.capacity(), admitted);
    }

    private static long delay(Decision decision) {
        return Objects.requireNonNull(decision.ticket(), "a ticket").delayMillis();
    }

    @Example
    void callsProceedAtAnEvenPace() {
        try (Tested tested = Tested.of(new Limit.LeakyBucket(60, MINUTE, 3, MINUTE))) {
            assertThat(delay(tested.call(1))).isZero();
            assertThat(delay(tested.call(1))).isEqualTo(1_000);
            assertThat(delay(tested.call(1))).isEqualTo(2_000);
            tested.clock.advance(Duration.ofMillis(300));
            assertThat(delay(tested.call(1))).isEqualTo(2_700);
            assertThat(tested.call(1).admitted()).isFalse();
            assertThat(tested.call(1).retryAfterMillis()).isEqualTo(700);
        }
    }

    @Example
    void noCallIsQueuedLongerThanMaxQueueTime() {
        try (Tested tested = Tested.of(new Limit.LeakyBucket(60, MINUTE, 30, Duration.ofMillis(2_500)))) {
            assertThat(tested.exhaust(100)).isEqualTo(3);
        }
    }

    @Example
    void aCallMayBeQueuedForExactlyMaxQueueTime() {
        try (Tested tested = Tested.of(new Limit.LeakyBucket(5, MINUTE, 3, Duration.ofSeconds(10)))) {
            assertThat(delay(tested.call(1))).isZero();
            tested.clock.advance(Duration.ofMillis(1_999));
            Decision early = tested.call(1);
            assertThat(early.admitted()).isFalse();
            assertThat(early.retryAfterMillis()).isEqualTo(1);
            tested.clock.advance(Duration.ofMillis(1));
            assertThat(delay(tested.call(1))).isEqualTo(10_000);
            assertThat(tested.call(1).admitted()).isFalse();
        }
    }

    @Example
    void aCallOfAFleetMayBeQueuedForExactlyMaxQueueTime() {
        TestClock clock = new TestClock(START);
        Tier queue = new Tier("t", new Limit.LeakyBucket(5, MINUTE, 3, Duration.ofSeconds(10)));
        VirtualTimeFleet fleet = new VirtualTimeFleet(
                TestLimits.of(endpoint("e", "/a", queue)), clock, new InMemoryCounterStore(clock, 1_000), 2);
        assertThat(delay(fleet.decide(0, TestCall.get("/a")))).isZero();
        clock.advance(Duration.ofMillis(1_999));
        fleet.step();
        assertThat(fleet.decide(1, TestCall.get("/a")).admitted()).isFalse();
        clock.advance(Duration.ofMillis(1));
        fleet.step();
        assertThat(delay(fleet.decide(1, TestCall.get("/a")))).isEqualTo(10_000);
        assertThat(fleet.decide(0, TestCall.get("/a")).admitted()).isFalse();
        fleet.close();
    }

    @Example
    void pacesChargedCallsOfAFleet() {
        TestClock clock = new TestClock(START);
        Endpoint plain = endpoint("e", "/a", new Tier("t", new Limit.LeakyBucket(60, MINUTE, 3, MINUTE)));
        Endpoint charged = TestLimits.counting(plain, Set.of(), Cost.CHARGED);
        try (VirtualTimeFleet fleet =
                new VirtualTimeFleet(TestLimits.of(charged), clock, new InMemoryCounterStore(clock, 1_000), 1)) {
            for (long turn = 0; turn < 4; turn++) {
                Decision decision = fleet.decide(0, TestCall.get("/a"));
                assertThat(delay(decision)).isEqualTo(turn * 1_000);
                assertThat(Objects.requireNonNull(decision.ticket()).charge(1).counted())
                        .isTrue();
                fleet.step();
            }
            assertThat(fleet.decide(0, TestCall.get("/a")).admitted()).isFalse();
        }
    }

    /**
     * A simple model of a queue: when the next call may go on, in parts of a millisecond that divide the pace exactly.
     */
    @Property(tries = 300)
    void admitsWhileTheQueueHasRoomAndIsShortEnough(
            @ForAll @LongRange(min = 1, max = 40) long threshold,
            @ForAll @LongRange(min = 1, max = 12) long queue,
            @ForAll @LongRange(min = 0, max = 9_000) long maxQueueTime,
            @ForAll("traffic") List<Step> traffic) {
        Limit limit =
                new Limit.LeakyBucket(threshold, Duration.ofMillis(7_001), queue, Duration.ofMillis(maxQueueTime));
        try (Tested tested = Tested.of(limit)) {
            long free = 0;
            for (Step step : traffic) {
                tested.clock.advance(Duration.ofMillis(Math.round(step.gap() * 2_000)));
                long now = tested.clock.millis() * threshold;
                long wait = Math.max(0, free - now);
                Decision decision = tested.call(1);
                assertThat(decision.admitted()).isEqualTo(wait <= Math.min(queue * 7_001, maxQueueTime * threshold));
                if (decision.admitted()) {
                    assertThat(delay(decision)).isEqualTo(-Math.floorDiv(-wait, threshold));
                    free = now + wait + 7_001;
                }
            }
        }
    }

    @Property(tries = 200)
    void keepsTheDistanceBetweenCalls(@ForAll("limits") Limit limit, @ForAll("traffic") List<Step> traffic) {
        List<Long> onward = new ArrayList<>();
        try (Tested tested = Tested.of(limit)) {
            for (Step step : traffic) {
                tested.clock.advance(Duration.ofMillis(Math.round(step.gap() * periodOf(limit))));
                Decision decision = tested.call(1);
                if (decision.admitted()) {
                    assertThat(delay(decision)).isBetween(0L, periodOf(limit));
                    onward.add(tested.clock.millis() + delay(decision));
                }
            }
        }
        for (int i = 1; i < onward.size(); i++) {
            assertThat(onward.get(i) - onward.get(i - 1)).isGreaterThanOrEqualTo(periodOf(limit) / limit.threshold());
        }
    }
}
