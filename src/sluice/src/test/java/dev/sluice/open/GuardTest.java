package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Decision.Shown;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.internal.limiter.CountingRateLimiter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** An endpoint with {@code headers: none} decides like any other, but callers read the limits of others. */
class GuardTest {

    private static final String BOUGHT =
            "  - { id: plan, pathPattern: /**, tiers: [ { period: 1h, threshold: 100, tolerance: 10%% } ] }\n";
    private static final String GUARD =
            "  - { id: guard, pathPattern: /search, headers: none, tiers: [ { period: 10s, threshold: %d } ] }\n";

    private final TestClock clock = new TestClock(1_627_318_780_000L);
    private CountingRateLimiter limiter =
            new CountingRateLimiter(limits(BOUGHT, 5).load().limits(), clock, RateLimitListener.NONE);

    private static GivenFile limits(String others, int guard) {
        return GivenFile.of("endpoints:\n" + (others + GUARD).formatted(guard));
    }

    private void open(String others, int guard) {
        limiter.close();
        limiter = new CountingRateLimiter(limits(others, guard).load().limits(), clock, RateLimitListener.NONE);
    }

    @AfterEach
    void close() {
        limiter.close();
    }

    private Decision decide(String path) {
        return limiter.decide(TestCall.get(path).of("acme"));
    }

    @Test
    void admitsWhileCallersReadWhatTheyBought() {
        Decision decision = decide("/search");

        assertThat(decision.endpoint().id()).as("for meters and the page").isEqualTo("guard");
        assertThat(decision.remaining()).isEqualTo(4);
        Shown told = decision.shown();
        assertThat(told.endpoint().id()).isEqualTo("plan");
        assertThat(told.tier().limit().threshold()).isEqualTo(100);
        assertThat(told.remaining()).isEqualTo(99);
        assertThat(told.resetAfterMillis()).isEqualTo(decide("/other").resetAfterMillis());
        assertThat(told.isBeyond()).isFalse();
    }

    @Test
    void refusesAndTellsNothingOfAnyLimit() {
        for (int call = 0; call < 5; call++) {
            assertThat(decide("/search").admitted()).isTrue();
        }
        Decision refused = decide("/search");

        assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(refused.endpoint().id()).isEqualTo("guard");
        assertThat(refused.retryAfterMillis()).isEqualTo(10_000);
        assertThat(refused.shown()).isNull();
        assertThat(decide("/other").shown().remaining()).as("it took nothing").isEqualTo(94);
    }

    @Test
    void whatCallersBoughtRefusesAsItself() {
        open(BOUGHT, 1_000);
        for (int call = 0; call < 110; call++) {
            assertThat(decide("/search").shown().isBeyond()).isEqualTo(call >= 100);
        }
        Decision refused = decide("/search");

        assertThat(refused.endpoint().id()).isEqualTo("plan");
        assertThat(refused.shown().remaining()).isZero();
        assertThat(refused.shown().tier().limit().threshold()).isEqualTo(100);
    }

    /** The guard has less left in proportion, and the plan is used over its threshold. */
    @Test
    void callersReadThatTheyAreBeyondWhatTheyBoughtThoughTheGuardIsScarcer() {
        open("  - { id: plan, pathPattern: /**, tiers: [ { period: 1h, threshold: 2, tolerance: 100%% } ] }\n", 4);
        decide("/other");
        decide("/other");

        assertThat(decide("/search").shown().isBeyond()).isTrue();
    }

    @Test
    void aloneTellsNothing() {
        open("", 5);

        assertThat(decide("/search").shown()).isNull();
        assertThat(decide("/search").admitted()).isTrue();
    }

    @Test
    void staysOneForClientsWithLimitsOfTheirOwn() {
        limiter.replace(
                GivenFile.of("clients: [ { tenant: acme, multiply: 2 } ]\nendpoints:\n" + (BOUGHT + GUARD).formatted(5))
                        .load()
                        .limits());
        Decision decision = decide("/search");

        assertThat(decision.endpoint().id()).isEqualTo("guard");
        assertThat(decision.remaining()).isEqualTo(9);
        assertThat(decision.shown().tier().limit().threshold()).isEqualTo(200);
    }

    private static final String LOGINS =
            "  - { id: logins, pathPattern: /search, count: { status: [ 401 ] }, %s tiers: [ { period: 1h, threshold:"
                    + " 2 } ] }\n";

    /** Nobody bought failed logins. */
    @Nested
    class ThatCountsSomeAnswers {

        private void open(String headers) {
            GuardTest.this.open(BOUGHT + LOGINS.formatted(headers), 1_000);
        }

        private Decision refused() {
            decide("/search").ended(401);
            decide("/search").ended(401);
            return decide("/search");
        }

        @Test
        void tellsNothingUntilItRefuses() {
            open("");

            Decision decision = decide("/search");
            assertThat(decision.endpoint().id()).isEqualTo("logins");
            assertThat(decision.shown().endpoint().id()).isEqualTo("plan");
            assertThat(decision.shown().remaining()).isEqualTo(99);
            decision.ended(200);
            Decision refused = refused();
            assertThat(refused.admitted()).isFalse();
            assertThat(refused.shown().endpoint().id()).isEqualTo("logins");
            assertThat(refused.shown().tier().limit().threshold()).isEqualTo(2);
        }

        @Test
        void tellsItsLimitIfTheFileSaysSo() {
            open("headers: shown,");

            assertThat(decide("/search").shown().endpoint().id()).isEqualTo("logins");
        }

        @Test
        void tellsNothingAtAllIfTheFileSaysSo() {
            open("headers: none,");

            Decision refused = refused();
            assertThat(refused.admitted()).isFalse();
            assertThat(refused.shown()).isNull();
        }
    }

    @Test
    void aLimitOfAllAnswersMayTellOnlyInItsRefusals() {
        open(BOUGHT.replace("/**,", "/**, headers: refusals,").replace("100", "1"), 1_000);

        assertThat(decide("/other").shown()).isNull();
        assertThat(decide("/other").shown().remaining()).isZero();
    }
}
