package dev.sluice.internal.limiter;

import static dev.sluice.TestLimits.dryRun;
import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.per;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Block;
import dev.sluice.Call;
import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.Ticket;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.limiter.local.UnsharedCounting;
import dev.sluice.limits.Client;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.tier.BlockRule;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A caller who goes on after refusals is blocked: by one call a second, three refusals within 10s, for 1m and more. */
class BlockTest {

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final BlockRule RULE =
            new BlockRule(3, Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(4));
    private static final TestCall CALL = TestCall.get("/x");

    private final TestClock clock = new TestClock(1_000_000);

    private static Tier tier(long threshold) {
        return new Tier("1s", new Limit.FixedWindow(threshold, PERIOD)).withBlock(RULE);
    }

    private static Endpoint blocking() {
        return per(endpoint("e", "/x", tier(1)), "ip");
    }

    private CountingRateLimiter limiter(Endpoint... endpoints) {
        return new CountingRateLimiter(TestLimits.of(endpoints), clock, RateLimitListener.NONE);
    }

    private static List<Outcome> outcomes(CountingRateLimiter limiter, int calls) {
        return IntStream.range(0, calls)
                .mapToObj(i -> limiter.decide(CALL).outcome())
                .toList();
    }

    /** Uses the limit of this second, and lets three more calls be refused. */
    private static Decision block(CountingRateLimiter limiter) {
        return IntStream.range(0, 4)
                .mapToObj(i -> limiter.decide(CALL))
                .toList()
                .get(3);
    }

    @Nested
    class Begins {

        @Test
        void withTheLastOfTheRefusalsThatTheRuleNames() {
            try (CountingRateLimiter limiter = limiter(blocking())) {
                assertThat(outcomes(limiter, 5))
                        .containsExactly(
                                Outcome.ADMITTED,
                                Outcome.REFUSED,
                                Outcome.REFUSED,
                                Outcome.REFUSED_BLOCKED,
                                Outcome.REFUSED_BLOCKED);
            }
        }

        @Test
        void onlyIfTheRefusalsComeWithinTheTime() {
            try (CountingRateLimiter limiter = limiter(blocking())) {
                assertThat(outcomes(limiter, 3)).containsExactly(Outcome.ADMITTED, Outcome.REFUSED, Outcome.REFUSED);
                clock.advance(Duration.ofSeconds(10));
                assertThat(outcomes(limiter, 3)).containsExactly(Outcome.ADMITTED, Outcome.REFUSED, Outcome.REFUSED);
                clock.advance(Duration.ofMillis(9_999));
                assertThat(outcomes(limiter, 2)).containsExactly(Outcome.ADMITTED, Outcome.REFUSED_BLOCKED);
            }
        }

        @Test
        void forTheCallerAlone() {
            try (CountingRateLimiter limiter = limiter(blocking())) {
                block(limiter);
                assertThat(limiter.decide(CALL.from("192.0.2.2")).outcome()).isEqualTo(Outcome.ADMITTED);
            }
        }

        @Test
        void alsoForOneOfSeveralSubjectsThatIsTrusted() {
            Endpoint endpoint = per(endpoint("e", "/x", tier(1)), "tenant", "ip");
            try (CountingRateLimiter limiter = limiter(endpoint)) {
                for (int i = 0; i < 4; i++) {
                    limiter.decide(CALL.of("acme"));
                }
                assertThat(limiter.decide(CALL.of("acme")).outcome()).isEqualTo(Outcome.REFUSED_BLOCKED);
                assertThat(limiter.decide(CALL.of("beta")).outcome()).isEqualTo(Outcome.ADMITTED);
                assertThat(limiter.decide(CALL.of("acme").from("192.0.2.2")).outcome())
                        .isEqualTo(Outcome.ADMITTED);
            }
        }

        @Test
        void neverForUnidentifiedCallers() {
            Endpoint endpoint = per(endpoint("e", "/x", tier(1)), "user");
            try (CountingRateLimiter limiter = limiter(endpoint)) {
                assertThat(outcomes(limiter, 9)).doesNotContain(Outcome.REFUSED_BLOCKED);
            }
        }

        @Test
        void neverByASourceThatCallersChoose() {
            Endpoint endpoint = endpoint("e", "/x", tier(1));
            try (CountingRateLimiter limiter = limiter(endpoint)) {
                for (int i = 0; i < 9; i++) {
                    assertThat(limiter.decide(CALL.of("acme")).outcome()).isNotEqualTo(Outcome.REFUSED_BLOCKED);
                }
            }
        }

        @Test
        void neverWithoutARule() {
            Endpoint endpoint = per(endpoint("e", "/x", tier(1).withBlock(null)), "ip");
            try (CountingRateLimiter limiter = limiter(endpoint)) {
                assertThat(outcomes(limiter, 99)).doesNotContain(Outcome.REFUSED_BLOCKED);
            }
        }

        @Test
        void byTheTierThatRefusesAndNotByAnother() {
            Tier other = new Tier("1h", new Limit.FixedWindow(2, Duration.ofHours(1)));
            Endpoint endpoint = per(endpoint("e", "/x", tier(2), other), "ip");
            try (CountingRateLimiter limiter = limiter(endpoint)) {
                assertThat(outcomes(limiter, 9)).doesNotContain(Outcome.REFUSED_BLOCKED);
            }
        }

        static List<Limit> eachAlgorithm() {
            return TestLimits.ofEachAlgorithm(2, PERIOD).stream()
                    .filter(limit -> limit.hasPeriod() && !limit.hasQueue())
                    .toList();
        }

        @ParameterizedTest
        @MethodSource("eachAlgorithm")
        void withEachAlgorithm(Limit limit) {
            Endpoint endpoint = per(endpoint("e", "/x", new Tier("t", limit).withBlock(RULE)), "ip");
            try (CountingRateLimiter limiter = limiter(endpoint)) {
                assertThat(outcomes(limiter, 6)).endsWith(Outcome.REFUSED_BLOCKED, Outcome.REFUSED_BLOCKED);
            }
        }

        @Test
        void alsoWhileTheLoadIsTooHighForTheOverage() {
            Tier elastic =
                    new Tier("1s", new Limit.FixedWindow(2, PERIOD), new Overage.Elastic(1.5, 0.6), Sync.DEFAULT, RULE);
            Limits limits = TestLimits.of(per(endpoint("e", "/x", elastic), "ip"));
            try (CountingRateLimiter limiter = CountingRateLimiter.sharing(
                    limits, new UnsharedCounting(clock), RateLimitListener.NONE, () -> 0.9)) {
                assertThat(outcomes(limiter, 5)).endsWith(Outcome.REFUSED, Outcome.REFUSED, Outcome.REFUSED_BLOCKED);
            }
        }

        @Test
        void notWhileCallsInFlightMayGiveBackWhatTheyHold() {
            Endpoint endpoint = TestLimits.counting(blocking(), Set.of(401), Cost.ONE);
            try (CountingRateLimiter limiter = limiter(endpoint)) {
                Decision first = limiter.decide(CALL);
                assertThat(outcomes(limiter, 5)).containsOnly(Outcome.REFUSED);
                Ticket ticket = first.ticket();
                assertThat(ticket).isNotNull();
                ticket.ended(401);
                assertThat(outcomes(limiter, 3))
                        .containsExactly(Outcome.REFUSED, Outcome.REFUSED, Outcome.REFUSED_BLOCKED);
            }
        }
    }

    @Nested
    class Lasts {

        @Test
        void untilItsEndWhateverIsLeftOfTheLimit() {
            try (CountingRateLimiter limiter = limiter(blocking())) {
                block(limiter);
                clock.advance(Duration.ofMillis(59_999));
                assertThat(limiter.decide(CALL).outcome()).isEqualTo(Outcome.REFUSED_BLOCKED);
                clock.advance(Duration.ofMillis(1));
                assertThat(limiter.decide(CALL).outcome()).isEqualTo(Outcome.ADMITTED);
            }
        }

        @Test
        void asLongAsItsAnswersSay() {
            try (CountingRateLimiter limiter = limiter(blocking())) {
                Decision last = block(limiter);
                assertThat(last.retryAfterMillis()).isEqualTo(60_000);
                clock.advance(Duration.ofSeconds(20));
                Decision later = limiter.decide(CALL);
                assertThat(later.retryAfterMillis()).isEqualTo(40_000);
                assertThat(later.resetAfterMillis()).isEqualTo(40_000);
                assertThat(later.remaining()).isZero();
                assertThat(later.tier()).isEqualTo(tier(1));
                assertThat(later.subjects()).containsExactly(new Subject("ip", "ip", "192.0.2.1"));
                assertThat(later.admitted()).isFalse();
            }
        }

        @Test
        void noLongerForAllTheCallsThatItRefuses() {
            try (CountingRateLimiter limiter = limiter(blocking())) {
                block(limiter);
                outcomes(limiter, 99);
                clock.advance(Duration.ofMinutes(1));
                assertThat(outcomes(limiter, 3)).containsExactly(Outcome.ADMITTED, Outcome.REFUSED, Outcome.REFUSED);
            }
        }

        @Test
        void andTheNextOneNeedsAsManyRefusals() {
            BlockRule shorter = new BlockRule(3, Duration.ofHours(1), Duration.ofSeconds(1));
            try (CountingRateLimiter limiter = limiter(per(endpoint("e", "/x", tier(1).withBlock(shorter)), "ip"))) {
                block(limiter);
                clock.advance(Duration.ofSeconds(1));
                assertThat(outcomes(limiter, 4))
                        .containsExactly(Outcome.ADMITTED, Outcome.REFUSED, Outcome.REFUSED, Outcome.REFUSED_BLOCKED);
            }
        }

        @Test
        void twiceAsLongEachTimeUpToTheLongest() {
            try (CountingRateLimiter limiter = limiter(blocking())) {
                List<Long> lengths = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    Decision begun = block(limiter);
                    lengths.add(begun.retryAfterMillis());
                    clock.advance(Duration.ofMillis(begun.retryAfterMillis()));
                }
                assertThat(lengths).containsExactly(60_000L, 120_000L, 240_000L, 240_000L);
            }
        }

        @Test
        void equallyLongWithoutALongest() {
            Tier equal = tier(1).withBlock(new BlockRule(3, Duration.ofSeconds(10), Duration.ofMinutes(1)));
            try (CountingRateLimiter limiter = limiter(per(endpoint("e", "/x", equal), "ip"))) {
                block(limiter);
                clock.advance(Duration.ofMinutes(1));
                assertThat(block(limiter).retryAfterMillis()).isEqualTo(60_000);
            }
        }

        @Test
        void asLongAsTheFirstOneAfterADayOfCalm() {
            try (CountingRateLimiter limiter = limiter(blocking())) {
                block(limiter);
                clock.advance(Duration.ofMinutes(1).plus(Block.CALM).minusMillis(1));
                limiter.sweep();
                assertThat(block(limiter).retryAfterMillis()).isEqualTo(120_000);
                clock.advance(Duration.ofMinutes(2).plus(Block.CALM));
                assertThat(block(limiter).retryAfterMillis()).isEqualTo(60_000);
            }
        }

        @Test
        void whenTheLimitsAreReplaced() {
            try (CountingRateLimiter limiter = limiter(blocking())) {
                block(limiter);
                limiter.replace(TestLimits.of(per(endpoint("e", "/x", tier(100)), "ip")));
                assertThat(limiter.decide(CALL).outcome()).isEqualTo(Outcome.REFUSED_BLOCKED);
                limiter.replace(TestLimits.of(per(endpoint("e", "/x", tier(100).withBlock(null)), "ip")));
                assertThat(limiter.decide(CALL).outcome()).isEqualTo(Outcome.ADMITTED);
            }
        }
    }

    @Nested
    class WithOtherLimits {

        @Test
        void refusesBeforeAnyOtherLimitCounts() {
            Endpoint other = per(endpoint("other", "/**", TestLimits.tier(9, Duration.ofHours(1))), "ip");
            try (CountingRateLimiter limiter = limiter(blocking(), other)) {
                block(limiter);
                outcomes(limiter, 20);
                assertThat(limiter.decide(TestCall.get("/y")).remaining()).isEqualTo(7);
            }
        }

        @Test
        void theLongestBlockIsReported() {
            Tier other = new Tier("1m", new Limit.FixedWindow(1, Duration.ofMinutes(1)))
                    .withBlock(new BlockRule(1, Duration.ofSeconds(1), Duration.ofHours(1)));
            Endpoint second = per(endpoint("other", "/x", other), "ip");
            try (CountingRateLimiter limiter = limiter(blocking(), second)) {
                outcomes(limiter, 2);
                assertThat(limiter.decide(CALL).retryAfterMillis()).isEqualTo(3_600_000);
            }
        }
    }

    @Nested
    class OnADryRun {

        @Test
        void isReportedOnly() {
            try (CountingRateLimiter limiter = limiter(dryRun(blocking()))) {
                block(limiter);
                clock.advance(Duration.ofSeconds(30));
                Decision decision = limiter.decide(CALL);
                assertThat(decision.outcome()).isEqualTo(Outcome.WOULD_REFUSE);
                assertThat(decision.retryAfterMillis()).isEqualTo(30_000);
                assertThat(limiter.blocks().all()).isEmpty();
                assertThat(limiter.blocks().begun()).singleElement().matches(begun -> begun.isDryRun());
            }
        }

        @Test
        void doesNotCountForARealOneLater() {
            try (CountingRateLimiter limiter = limiter(dryRun(blocking()))) {
                assertThat(outcomes(limiter, 3)).endsWith(Outcome.WOULD_REFUSE, Outcome.WOULD_REFUSE);
                limiter.replace(TestLimits.of(blocking()));
                assertThat(outcomes(limiter, 3))
                        .containsExactly(Outcome.REFUSED, Outcome.REFUSED, Outcome.REFUSED_BLOCKED);
            }
        }

        @Test
        void neverEndsARealOne() {
            try (CountingRateLimiter limiter = limiter(blocking())) {
                block(limiter);
                limiter.replace(TestLimits.of(dryRun(blocking())));
                assertThat(outcomes(limiter, 4)).containsOnly(Outcome.WOULD_REFUSE);
                limiter.replace(TestLimits.of(blocking()));
                assertThat(outcomes(limiter, 1)).containsExactly(Outcome.REFUSED_BLOCKED);
            }
        }

        @Test
        void isNotInForceOnceTheEndpointIsEnforced() {
            try (CountingRateLimiter limiter = limiter(dryRun(blocking()))) {
                block(limiter);
                limiter.replace(TestLimits.of(blocking()));
                clock.advance(Duration.ofSeconds(2));
                assertThat(limiter.decide(CALL).outcome()).isEqualTo(Outcome.ADMITTED);
            }
        }
    }

    @Test
    void anExemptCallerIsNeverBlocked() {
        Client exempt = new Client(Map.of("ip", List.of("192.0.2.1")), true, BigDecimal.ONE, null, Map.of());
        Limits limits = TestLimits.of(blocking()).withClients(List.of(exempt));
        try (CountingRateLimiter limiter = new CountingRateLimiter(limits, clock, RateLimitListener.NONE)) {
            assertThat(outcomes(limiter, 9)).containsOnly(Outcome.EXEMPT);
            assertThat(limiter.blocks().begun()).isEmpty();
        }
    }

    @Test
    void aBlockedCallerCostsTheStoreNothing() {
        AtomicInteger told = new AtomicInteger();
        CounterStore store = new CounterStore() {
            @Override
            public CompletionStage<Batch.Reply> exchange(Batch batch) {
                told.addAndGet(batch.statements().size());
                return CompletableFuture.failedFuture(StoreException.unavailable("unavailable", null));
            }

            @Override
            public void close() {}
        };
        Limits limits = TestLimits.sharing(
                new SharingOptions(SharingOptions.OnFailure.LOCAL, Duration.ofMillis(1)), TestLimits.of(blocking()));
        try (CountingRateLimiter limiter =
                new CountingRateLimiter(limits, clock, RateLimitListener.NONE, store, "one", null)) {
            Call call = CALL;
            limiter.blocks()
                    .learn(
                            List.of(new Block(
                                    limiter.explain(call).get(0).key().withoutWindow(),
                                    clock.millis(),
                                    Long.MAX_VALUE / 2,
                                    1)),
                            clock.millis());
            assertThat(outcomes(limiter, 100)).containsOnly(Outcome.REFUSED_BLOCKED);
            assertThat(limiter.counters()).isZero();
        }
        assertThat(told).hasValue(0);
    }

    /** {@code onFailure: deny} refuses calls that no limit would. */
    @Test
    void refusalsBecauseTheStoreIsUnavailableBlockNobody() {
        CounterStore unavailable = new CounterStore() {
            @Override
            public CompletionStage<Batch.Reply> exchange(Batch batch) {
                return CompletableFuture.failedFuture(StoreException.unavailable("unavailable", null));
            }

            @Override
            public void close() {}
        };
        Limits limits = TestLimits.sharing(
                new SharingOptions(SharingOptions.OnFailure.DENY, Duration.ofMillis(1)),
                TestLimits.of(per(endpoint("e", "/x", tier(1_000)), "ip")));
        try (CountingRateLimiter limiter =
                new CountingRateLimiter(limits, clock, RateLimitListener.NONE, unavailable, "one", null)) {
            assertThat(outcomes(limiter, 30)).contains(Outcome.REFUSED).doesNotContain(Outcome.REFUSED_BLOCKED);
        }
    }
}
