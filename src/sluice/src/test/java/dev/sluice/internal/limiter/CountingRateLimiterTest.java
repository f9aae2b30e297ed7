package dev.sluice.internal.limiter;

import static dev.sluice.TestLimits.dryRun;
import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.perMinute;
import static dev.sluice.TestLimits.perSecond;
import static dev.sluice.TestLimits.perTenSeconds;
import static dev.sluice.TestLimits.tier;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.Call;
import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.RateLimitListener;
import dev.sluice.ResponseOptions;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CountingRateLimiterTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final long WINDOW_START = 1_627_318_780_000L;

    private final TestClock clock = new TestClock(WINDOW_START + 3_000);
    private final List<Decision> heard = new ArrayList<>();
    private CountingRateLimiter limiter = open(TestLimits.of());

    private CountingRateLimiter open(Limits limits) {
        if (limiter != null) {
            limiter.close();
        }
        heard.clear();
        limiter = new CountingRateLimiter(limits, clock, new RateLimitListener() {
            @Override
            public void onDecision(Call call, Decision decision) {
                heard.add(decision);
            }
        });
        return limiter;
    }

    @AfterEach
    void close() {
        limiter.close();
    }

    private long admitted(int calls, Call call) {
        long admitted = 0;
        for (int i = 0; i < calls; i++) {
            admitted += limiter.decide(call).admitted() ? 1 : 0;
        }
        return admitted;
    }

    /** The limits of a decision that headers show, each with its remaining calls. */
    private static List<String> shownLimits(Decision decision) {
        return decision.shownLimits().stream()
                .map(shown -> shown.endpoint().id() + ' ' + shown.tier().name() + ' ' + shown.remaining())
                .toList();
    }

    /** Not those of a guard, whose limits nobody sees, nor of a dry run. */
    @Test
    void aDecisionHasTheFiguresOfEachLimitIfHeadersShowThem() {
        Limits limits = TestLimits.of(
                endpoint("a", "/**", perSecond(2), perMinute(50)),
                dryRun(endpoint("dry", "/**", perMinute(9))),
                endpoint("b", "/x", perMinute(10)));
        Call call = TestCall.get("/x");
        open(limits);
        assertThat(shownLimits(limiter.decide(call))).isEmpty();
        open(TestLimits.styled(ResponseOptions.Headers.IETF, limits));
        assertThat(shownLimits(limiter.decide(call))).containsExactly("a PT1S 1", "a PT1M 49", "b PT1M 9");
        limiter.decide(call);
        Decision refused = limiter.decide(call);
        assertThat(refused.admitted()).isFalse();
        assertThat(shownLimits(refused)).containsExactly("a PT1S 0", "a PT1M 48", "b PT1M 8");
        assertThat(shownLimits(limiter.decide(TestCall.get("/y")))).containsExactly("a PT1S 0", "a PT1M 48");
    }

    /** Though another tier refuses it too, and the window of the one that it can never meet is a new one. */
    @Test
    void aCallThatNeverFitsIsToldSo() {
        Cost cost = new Cost("header:X-Cost", call -> Long.parseLong(call.header("X-Cost")), Cost.Settling.NONE);
        open(TestLimits.of(TestLimits.counting(
                endpoint(
                        "e", "/a", tier(3, Duration.ofMinutes(1)), new Tier("short", new Limit.FixedWindow(2, SECOND))),
                Set.of(),
                cost)));
        limiter.decide(TestCall.get("/a").with("X-Cost", "1"));
        clock.advance(Duration.ofSeconds(10));
        Decision refused = limiter.decide(TestCall.get("/a").with("X-Cost", "3"));
        assertThat(refused.admitted()).isFalse();
        assertThat(refused.neverPasses()).isTrue();
    }

    private static final TestCall GET_PRODUCT = TestCall.get("/product/1").of("acme");

    @Nested
    class OneTier {

        @Test
        void admitsItsThresholdInAWindowAndRefusesTheRest() {
            open(TestLimits.of(endpoint("get-product", "GET /product/*", perTenSeconds(5))));

            assertThat(admitted(12, GET_PRODUCT)).isEqualTo(5);
        }

        @Test
        void admitsItsThresholdAgainInTheNextWindow() {
            open(TestLimits.of(endpoint("get-product", "GET /product/*", perTenSeconds(5))));
            admitted(12, GET_PRODUCT);

            clock.set(WINDOW_START + 9_999);
            assertThat(admitted(1, GET_PRODUCT)).isZero();
            clock.set(WINDOW_START + 10_000);
            assertThat(admitted(12, GET_PRODUCT)).isEqualTo(5);
        }

        @Test
        void reportsRemainingAndReset() {
            Endpoint endpoint = endpoint("get-product", "GET /product/*", perTenSeconds(2));
            open(TestLimits.of(endpoint));
            List<Subject> acme = List.of(new Subject("tenant", "header:X-Org-Id", "acme"));

            assertThat(limiter.decide(GET_PRODUCT))
                    .isEqualTo(new Decision(Outcome.ADMITTED, endpoint, perTenSeconds(2), acme, 1, 7_000, 0, null));
            assertThat(limiter.decide(GET_PRODUCT))
                    .isEqualTo(new Decision(Outcome.ADMITTED, endpoint, perTenSeconds(2), acme, 0, 7_000, 0, null));
            assertThat(limiter.decide(GET_PRODUCT))
                    .isEqualTo(new Decision(Outcome.REFUSED, endpoint, perTenSeconds(2), acme, 0, 7_000, 7_000, null)
                            .withCost(1));
        }

        @Test
        void limitsThatWouldShareACounterAreRefused() {
            Endpoint twice = endpoint("twice", "/a", perSecond(1), perMinute(1), perSecond(2));

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limiter.replace(TestLimits.of(twice)))
                    .withMessageContaining("endpoint twice have the same name and would share their counters: [");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limiter.replace(
                            TestLimits.of(endpoint("a", "/a", perSecond(1)), endpoint("a", "/b", perSecond(1)))))
                    .withMessageContaining("the id a ");
        }

        @Test
        void aPathThatCanBeReadInSeveralWaysIsCountedOnce() {
            open(TestLimits.of(
                    endpoint("one-of-all", "GET /**", perTenSeconds(10)),
                    endpoint("below-something", "GET /*/**", perTenSeconds(5))));
            Call odd = TestCall.get("/x/a%2fb/../c").of("acme");

            assertThat(limiter.decide(odd).remaining()).isEqualTo(4);
            assertThat(admitted(12, odd)).isEqualTo(4);
            assertThat(limiter.decide(TestCall.get("/").of("acme")).remaining()).isEqualTo(4);
        }

        @Test
        void aRetryPassesAfterTheRetryTime() {
            open(TestLimits.of(endpoint("get-product", "GET /product/*", perTenSeconds(1))));
            admitted(1, GET_PRODUCT);

            clock.advance(Duration.ofMillis(limiter.decide(GET_PRODUCT).retryAfterMillis()));

            assertThat(limiter.decide(GET_PRODUCT).admitted()).isTrue();
        }

        @Test
        void ignoresOtherCalls() {
            open(TestLimits.of(endpoint("get-product", "GET /product/*", perTenSeconds(1))));

            assertThat(limiter.decide(TestCall.get("/other"))).isEqualTo(Decision.UNLIMITED);
            assertThat(limiter.decide(TestCall.post("/product/1"))).isEqualTo(Decision.UNLIMITED);
        }
    }

    @Nested
    class Clocks {

        @Test
        void aSmallStepBackCountsInTheLaterWindow() {
            open(TestLimits.of(endpoint("get-product", "GET /product/*", perTenSeconds(5))));
            clock.set(WINDOW_START + 10_001);
            admitted(3, GET_PRODUCT);

            clock.set(WINDOW_START + 9_990);

            assertThat(admitted(12, GET_PRODUCT)).isEqualTo(2);
            assertThat(limiter.decide(GET_PRODUCT).retryAfterMillis()).isEqualTo(10_010);
        }

        @Test
        void aMistakenJumpForwardIsForgottenWhenTheClockComesBack() {
            open(TestLimits.of(endpoint("get-product", "GET /product/*", perTenSeconds(5))));
            clock.advance(Duration.ofDays(1));
            admitted(12, GET_PRODUCT);

            clock.set(WINDOW_START);

            assertThat(admitted(12, GET_PRODUCT)).isEqualTo(5);
        }

        @Test
        void aLongSilenceOpensOneFreshWindow() {
            open(TestLimits.of(endpoint("get-product", "GET /product/*", perTenSeconds(5))));
            admitted(12, GET_PRODUCT);
            clock.advance(Duration.ofDays(400));

            assertThat(admitted(12, GET_PRODUCT)).isEqualTo(5);
        }
    }

    @Nested
    class WhoShares {

        @Test
        void tenantsDoNot() {
            open(TestLimits.of(endpoint("get-product", "GET /product/*", perTenSeconds(5))));
            admitted(12, GET_PRODUCT);

            assertThat(admitted(12, GET_PRODUCT.of("other"))).isEqualTo(5);
        }

        @Test
        void aHeaderAndAnEqualAddressDoNot() {
            open(TestLimits.of(endpoint("get-product", "GET /product/*", perTenSeconds(5))));
            admitted(12, TestCall.get("/product/1").of("192.0.2.1"));

            assertThat(admitted(12, TestCall.get("/product/1").from("192.0.2.1")))
                    .isEqualTo(5);
        }

        @Test
        void aHashAndAnEqualNameDoNot() {
            open(TestLimits.of(endpoint("get-product", "GET /product/*", perTenSeconds(5))));
            admitted(12, GET_PRODUCT.of("x".repeat(65)));
            String digest = heard.get(0).subjects().get(0).value();

            assertThat(digest).startsWith("sha256-").hasSizeGreaterThan(64);
            assertThat(admitted(12, GET_PRODUCT.of(digest))).isEqualTo(5);
            assertThat(admitted(12, GET_PRODUCT.of("x".repeat(65)))).isZero();
        }

        @Test
        void pathsOfOneEndpointDo() {
            open(TestLimits.of(endpoint("get-product", "GET /product/*", perTenSeconds(5))));
            admitted(3, GET_PRODUCT);

            assertThat(admitted(12, TestCall.get("/product/2").of("acme"))).isEqualTo(2);
        }

        @Test
        void namedMethodsDoNotButAnyMethodsDo() {
            open(TestLimits.of(
                    endpoint("named", "GET POST /named", perTenSeconds(5)), endpoint("any", "/any", perTenSeconds(5))));

            assertThat(admitted(12, TestCall.get("/named"))).isEqualTo(5);
            assertThat(admitted(12, TestCall.get("/named").by("HEAD"))).isZero();
            assertThat(admitted(12, TestCall.post("/named"))).isEqualTo(5);
            assertThat(admitted(4, TestCall.get("/any"))).isEqualTo(4);
            assertThat(admitted(4, TestCall.post("/any"))).isEqualTo(1);
            assertThat(admitted(4, TestCall.get("/any").by("BREW"))).isZero();
        }

        @Test
        void endpointsThatDifferOnlyByIdDoNot() {
            open(TestLimits.of(endpoint("one", "/a", perTenSeconds(5)), endpoint("two", "/b", perTenSeconds(5))));
            admitted(12, TestCall.get("/a"));

            assertThat(admitted(12, TestCall.get("/b"))).isEqualTo(5);
        }

        @Test
        void severalSubjectsTogetherAreOneCaller() {
            open(TestLimits.of(TestLimits.per(endpoint("e", "/a", perTenSeconds(5)), "tenant", "user")));
            TestCall anonymous = TestCall.get("/a").of("acme");

            assertThat(admitted(12, anonymous.with("principal", "ann"))).isEqualTo(5);
            assertThat(admitted(12, anonymous.with("principal", "bob"))).isEqualTo(5);
            assertThat(admitted(12, anonymous)).isEqualTo(5);
            assertThat(admitted(12, anonymous)).isZero();
            assertThat(heard.get(heard.size() - 1).subjects())
                    .containsExactly(
                            new Subject("tenant", "header:X-Org-Id", "acme"), new Subject("user", Subject.NONE, ""));
        }

        @Test
        void allCallersTogetherWithoutSubjects() {
            open(TestLimits.of(TestLimits.per(endpoint("e", "/a", perTenSeconds(5)))));
            admitted(3, TestCall.get("/a").of("acme"));

            assertThat(admitted(12, TestCall.get("/a").of("other"))).isEqualTo(2);
        }
    }

    @Nested
    class SeveralTiers {

        @Test
        void mustAllPass() {
            open(TestLimits.of(endpoint("e", "/a", perSecond(3), perMinute(5))));

            assertThat(admitted(10, TestCall.get("/a"))).isEqualTo(3);
            clock.advance(Duration.ofSeconds(1));
            assertThat(admitted(10, TestCall.get("/a"))).isEqualTo(2);
            clock.advance(Duration.ofSeconds(1));
            assertThat(admitted(10, TestCall.get("/a"))).isZero();
        }

        @Test
        void takeNothingFromOneWhenAnotherRefuses() {
            open(TestLimits.of(endpoint("e", "/a", perSecond(3), perMinute(5))));

            admitted(1_000, TestCall.get("/a"));
            clock.advance(Duration.ofSeconds(1));

            assertThat(admitted(1, TestCall.get("/a"))).isEqualTo(1);
        }

        @Test
        void takeNothingFromOneEndpointWhenAnotherRefuses() {
            open(TestLimits.of(endpoint("all", "/**", perMinute(5)), endpoint("some", "/a", perMinute(2))));

            assertThat(admitted(10, TestCall.get("/a"))).isEqualTo(2);
            assertThat(admitted(10, TestCall.get("/b"))).isEqualTo(3);
        }

        @Test
        void reportTheTierWithTheLeastLeft() {
            open(TestLimits.of(endpoint("e", "/a", perSecond(3), perMinute(100))));

            assertThat(limiter.decide(TestCall.get("/a")).tier()).isEqualTo(perSecond(3));

            open(TestLimits.of(endpoint("e", "/a", perSecond(100), perMinute(3))));
            assertThat(limiter.decide(TestCall.get("/a")))
                    .extracting(Decision::tier, Decision::remaining)
                    .containsExactly(perMinute(3), 2L);
        }

        @Test
        void reportOverageEvenIfAnotherTierIsUsedUp() {
            Tier soft =
                    new Tier("1m", new Limit.FixedWindow(1, Duration.ofMinutes(1)), new Overage.Soft(1), Sync.DEFAULT);
            open(TestLimits.of(
                    endpoint("hard", "GET /product/*", perMinute(2)), endpoint("soft", "GET /product/*", soft)));

            assertThat(limiter.decide(GET_PRODUCT).outcome()).isEqualTo(Outcome.ADMITTED);
            assertThat(limiter.decide(GET_PRODUCT).outcome()).isEqualTo(Outcome.ADMITTED_BEYOND);
        }

        @Test
        void reportARetryTimeThatSatisfiesAll() {
            open(TestLimits.of(endpoint("e", "/a", perSecond(1), tier(1, Duration.ofHours(1)), perMinute(1))));
            admitted(1, TestCall.get("/a"));

            Decision refused = limiter.decide(TestCall.get("/a"));
            clock.advance(Duration.ofMillis(refused.retryAfterMillis()));

            assertThat(refused.tier()).isEqualTo(tier(1, Duration.ofHours(1)));
            assertThat(limiter.decide(TestCall.get("/a")).admitted()).isTrue();
        }
    }

    @Nested
    class DryRun {

        @Test
        void countsAndReportsButNeverRefuses() {
            open(TestLimits.of(dryRun(endpoint("e", "/a", perTenSeconds(2)))));

            assertThat(admitted(5, TestCall.get("/a"))).isEqualTo(5);
            assertThat(heard)
                    .extracting(Decision::outcome)
                    .containsExactly(
                            Outcome.ADMITTED,
                            Outcome.ADMITTED,
                            Outcome.WOULD_REFUSE,
                            Outcome.WOULD_REFUSE,
                            Outcome.WOULD_REFUSE);
        }

        @Test
        void leavesTheDecisionToAnEnforcedEndpoint() {
            open(TestLimits.of(
                    dryRun(endpoint("rehearsed", "/a", perTenSeconds(1))), endpoint("real", "/a", perTenSeconds(2))));

            assertThat(admitted(5, TestCall.get("/a"))).isEqualTo(2);
            assertThat(heard.stream().map(d -> idOf(d) + " " + d.outcome()))
                    .containsExactly(
                            "rehearsed ADMITTED",
                            "real ADMITTED",
                            "rehearsed WOULD_REFUSE",
                            "real ADMITTED",
                            "real REFUSED",
                            "real REFUSED",
                            "real REFUSED");
        }

        @Test
        void offDecidesNothing() {
            Endpoint e = endpoint("e", "/a", perTenSeconds(2));
            open(TestLimits.of(
                    new Endpoint(e.id(), e.methods(), e.pathPatterns().get(0), e.per(), Mode.OFF, e.tiers())));

            assertThat(limiter.decide(TestCall.get("/a"))).isEqualTo(Decision.UNLIMITED);
        }

        private String idOf(Decision decision) {
            Endpoint endpoint = decision.endpoint();
            return endpoint == null ? "none" : endpoint.id();
        }
    }

    @Nested
    class Replacing {

        @Test
        void keepsTheCountsOfTiersThatDidNotChange() {
            open(TestLimits.of(endpoint("e", "GET /a", perTenSeconds(5), perMinute(100))));
            admitted(4, TestCall.get("/a"));

            limiter.replace(TestLimits.of(
                    endpoint("new", "/b", perSecond(1)), endpoint("e", "GET POST /**", perTenSeconds(5))));

            assertThat(admitted(12, TestCall.get("/a"))).isEqualTo(1);
        }

        @Test
        void appliesTheNewEndpoints() {
            open(TestLimits.of(endpoint("e", "/a", perTenSeconds(1))));
            admitted(1, TestCall.get("/a"));

            limiter.replace(TestLimits.of(dryRun(endpoint("e", "/a", perTenSeconds(1)))));

            assertThat(limiter.decide(TestCall.get("/a")).outcome()).isEqualTo(Outcome.WOULD_REFUSE);
        }
    }

    @Nested
    class AFloodOfMadeUpTenants {

        @Test
        void evictsNoUsedUpCounter() {
            open(TestLimits.atMostCounters(1_000, endpoint("login", "POST /login", perMinute(5))));
            TestCall attacker = TestCall.post("/login").of("attacker");
            admitted(5, attacker);

            for (int i = 0; i < 200_000; i++) {
                limiter.decide(TestCall.post("/login").of("made-up-" + i));
            }

            assertThat(limiter.decide(attacker).admitted()).isFalse();
        }

        @Test
        void keepsMemoryBounded() {
            open(TestLimits.atMostCounters(1_000, endpoint("login", "POST /login", perMinute(1))));

            for (int i = 0; i < 200_000; i++) {
                limiter.decide(TestCall.post("/login").of("made-up-" + i));
            }

            assertThat(limiter.counters()).isLessThanOrEqualTo(1_000);
        }
    }

    @Test
    void idleCountersAreRemoved() {
        open(TestLimits.of(endpoint("e", "/a", perTenSeconds(5))));
        admitted(1, TestCall.get("/a"));

        clock.advance(Duration.ofSeconds(16));
        limiter.sweep();
        assertThat(limiter.counters()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(1));
        limiter.sweep();
        assertThat(limiter.counters()).isZero();
        assertThat(admitted(12, TestCall.get("/a"))).isEqualTo(5);
    }

    @Test
    void explainsWhichCountersACallGoesTo() {
        open(TestLimits.of(
                endpoint("e", "GET /a", perTenSeconds(5), perMinute(100)), endpoint("f", "/**", perTenSeconds(5))));

        assertThat(limiter.explain(TestCall.get("/a").of("acme")))
                .extracting(explanation ->
                        explanation.endpoint().id() + " " + explanation.key().text())
                .containsExactlyInAnyOrder(
                        "e sluice:{6/16}:tenant=header%3aX-Org-Id=acme:e:GET:PT10S:1627318780000:1627318790000",
                        "e sluice:{15/16}:tenant=header%3aX-Org-Id=acme:e:GET:PT1M:1627318740000:1627318800000",
                        "f sluice:{7/16}:tenant=header%3aX-Org-Id=acme:f:*:PT10S:1627318780000:1627318790000");
        assertThat(limiter.decide(TestCall.get("/a").of("acme")).remaining()).isEqualTo(4);
    }

    @Test
    void limitsThatCannotBeCompiledLeaveNothingRunning() {
        List<String> closed = new ArrayList<>();
        CounterStore store = new CounterStore() {
            @Override
            public CompletionStage<Batch.Reply> exchange(Batch batch) {
                return CompletableFuture.failedFuture(new IllegalStateException("nobody is there"));
            }

            @Override
            public void close() {
                closed.add("store");
            }
        };
        Limits twice = TestLimits.of(
                endpoint("e", "/a", TestLimits.perMinute(1)), endpoint("e", "/b", TestLimits.perMinute(1)));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CountingRateLimiter(
                        twice, InstantSource.system(), RateLimitListener.NONE, store, "given-up", null));
        assertThat(closed).containsExactly("store");
    }

    /** In a process that has just started, threads load classes after they have read the clock. */
    @Test
    void aCallWhoseThreadWasDelayedCountsAtThePresentTime() {
        AtomicLong readBefore = new AtomicLong();
        InstantSource late =
                () -> Instant.ofEpochMilli(readBefore.get() > 0 ? readBefore.getAndSet(0) : 1_627_318_801_000L);
        Tier queue = new Tier("t", new Limit.LeakyBucket(60, Duration.ofMinutes(1), 2, Duration.ofMinutes(1)));
        try (CountingRateLimiter queueing = new CountingRateLimiter(
                TestLimits.of(TestLimits.endpoint("q", "/q", queue)), late, RateLimitListener.NONE)) {
            for (int i = 0; i < 2; i++) {
                assertThat(queueing.decide(TestCall.get("/q").of("acme")).admitted())
                        .isTrue();
            }
            readBefore.set(1_627_318_800_000L);
            assertThat(queueing.decide(TestCall.get("/q").of("acme")).admitted())
                    .isTrue();
            assertThat(queueing.decide(TestCall.get("/q").of("acme")).admitted())
                    .isFalse();
        }
    }
}
