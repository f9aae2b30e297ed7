package dev.sluice.internal.servlet.reply;

import static dev.sluice.internal.servlet.contract.Decisions.PRODUCT;
import static dev.sluice.internal.servlet.contract.Decisions.admitted;
import static dev.sluice.internal.servlet.contract.Decisions.decision;
import static dev.sluice.internal.servlet.contract.Decisions.endpoint;
import static dev.sluice.internal.servlet.contract.Decisions.hidden;
import static dev.sluice.internal.servlet.contract.Decisions.refused;
import static dev.sluice.internal.servlet.contract.Decisions.tier;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Decision.Shown;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.ResponseOptions;
import dev.sluice.ResponseOptions.Headers;
import dev.sluice.ResponseOptions.Reset;
import dev.sluice.internal.servlet.inflight.RememberedDecision;
import dev.sluice.servlet.FakeExchange;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import dev.sluice.tier.Windows.Unit;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("server")
class LimitHeadersTest {

    private static final Endpoint TWO_TIERS = endpoint(
            "search", Mode.ENFORCE, tier("1s", 5, Duration.ofSeconds(1)), tier("1h", 100, Duration.ofHours(1)));

    private static final Endpoint GUARD =
            hidden(endpoint("guard", Mode.ENFORCE, tier("10s", 5, Duration.ofSeconds(10))));

    private final LimitHeaders headers = new LimitHeaders();

    private Map<String, String> written(Decision decision, ResponseOptions responses) {
        FakeExchange exchange = FakeExchange.get("/product/1");
        headers.write(
                exchange.response,
                new RememberedDecision(call -> decision, decision, responses, 1_700_000_000_250L, null, null),
                false);
        return exchange.headers;
    }

    private static ResponseOptions responses(Headers style, Reset reset, boolean inDryRun) {
        return new ResponseOptions(style, reset, inDryRun, 429, 429, Duration.ZERO, null);
    }

    private static ResponseOptions style(Headers style) {
        return responses(style, Reset.DELTA, false);
    }

    @Nested
    class InTheUsualStyle {

        @Test
        void giveLimitRemainingAndReset() {
            assertThat(written(admitted(PRODUCT, 999, 6_500), ResponseOptions.DEFAULT))
                    .containsOnly(
                            entry("x-ratelimit-limit", "1000"),
                            entry("x-ratelimit-remaining", "999"),
                            entry("x-ratelimit-reset", "7"));
        }

        @ParameterizedTest
        @CsvSource({"0,0", "1,1", "999,1", "1000,1", "1001,2", "3600000,3600"})
        void roundTheResetUp(long millis, String seconds) {
            assertThat(written(admitted(PRODUCT, 1, millis), ResponseOptions.DEFAULT))
                    .containsEntry("x-ratelimit-reset", seconds);
        }

        @Test
        void giveTheResetAsATimestampIfConfigured() {
            assertThat(written(admitted(PRODUCT, 1, 9_750), responses(Headers.X_RATELIMIT, Reset.EPOCH, false)))
                    .containsEntry("x-ratelimit-reset", "1700000010");
        }

        @ParameterizedTest
        @EnumSource(names = {"X_RATELIMIT", "IETF", "BOTH"})
        void tellThatACallPassedBeyondTheLimit(Headers style) {
            Map<String, String> written =
                    written(decision(Outcome.ADMITTED_BEYOND, PRODUCT, 0, 0, 500, 0), style(style));
            assertThat(written).containsEntry("x-ratelimit-beyond", "true");
            if (style != Headers.IETF) {
                assertThat(written).containsEntry("x-ratelimit-remaining", "0");
            }
        }

        @Test
        void hideOverageFromCallersWhoSeeNoHeaders() {
            assertThat(written(decision(Outcome.ADMITTED_BEYOND, PRODUCT, 0, 0, 500, 0), style(Headers.NONE)))
                    .isEmpty();
        }

        @Test
        void neverShowANegativeRemainder() {
            assertThat(written(admitted(PRODUCT, -3, 1), ResponseOptions.DEFAULT))
                    .containsEntry("x-ratelimit-remaining", "0");
        }

        /** With its figures and its policies. */
        @Test
        void showAVisibleLimitInsteadOfAHiddenOne() {
            Decision decision = admitted(GUARD, 4, 9_000)
                    .withShown(new Shown(PRODUCT, PRODUCT.tiers().get(0), 997, 6_500, false));
            assertThat(written(decision, style(Headers.BOTH)))
                    .containsOnly(
                            entry("x-ratelimit-limit", "1000"),
                            entry("x-ratelimit-remaining", "997"),
                            entry("x-ratelimit-reset", "7"),
                            entry("RateLimit-Policy", "\"get-product\";q=1000;w=10"),
                            entry("RateLimit", "\"get-product\";r=997;t=7"));
        }

        @Test
        void showTheTierThatTheDecisionReports() {
            assertThat(written(decision(Outcome.ADMITTED, TWO_TIERS, 1, 17, 1_000, 0), ResponseOptions.DEFAULT))
                    .containsEntry("x-ratelimit-limit", "100")
                    .containsEntry("x-ratelimit-remaining", "17");
        }
    }

    @Nested
    class InTheDraftsStyle {

        /** Otherwise more calls would remain than the policy allows. */
        @Test
        void giveThePolicyWithTheCallsThatOperatorsHaveGiven() {
            Tier more = PRODUCT.tiers().get(0).plus(500);
            Decision decision = new Decision(Outcome.ADMITTED, PRODUCT, more, List.of(), 1_400, 6_500, 0, null);
            assertThat(written(decision, style(Headers.BOTH)))
                    .containsOnly(
                            entry("x-ratelimit-limit", "1500"),
                            entry("x-ratelimit-remaining", "1400"),
                            entry("x-ratelimit-reset", "7"),
                            entry("RateLimit-Policy", "\"get-product\";q=1500;w=10"),
                            entry("RateLimit", "\"get-product\";r=1400;t=7"));
        }

        @Test
        void giveThePolicyOfEachTierWithTheCallsThatOperatorsHaveGiven() {
            Tier second = TWO_TIERS.tiers().get(0);
            Tier more = TWO_TIERS.tiers().get(1).plus(50);
            Decision decision = new Decision(Outcome.ADMITTED, TWO_TIERS, second, List.of(), 4, 500, 0, null)
                    .withShownLimits(List.of(
                            new Shown(TWO_TIERS, second, 4, 500, false),
                            new Shown(TWO_TIERS, more, 140, 9_000, false)));
            assertThat(written(decision, style(Headers.IETF)))
                    .containsEntry("RateLimit-Policy", "\"search-1s\";q=5;w=1, \"search-1h\";q=150;w=3600")
                    .containsEntry("RateLimit", "\"search-1s\";r=4;t=1, \"search-1h\";r=140;t=9");
        }

        @Test
        void giveThePolicyAndTheStateOfIt() {
            assertThat(written(admitted(PRODUCT, 999, 6_500), style(Headers.IETF)))
                    .containsOnly(
                            entry("RateLimit-Policy", "\"get-product\";q=1000;w=10"),
                            entry("RateLimit", "\"get-product\";r=999;t=7"));
        }

        @Test
        void giveAPolicyForEachTierAndTheStateOfTheReportedOne() {
            assertThat(written(decision(Outcome.ADMITTED, TWO_TIERS, 1, 17, 60_000, 0), style(Headers.IETF)))
                    .containsEntry("RateLimit-Policy", "\"search-1s\";q=5;w=1, \"search-1h\";q=100;w=3600")
                    .containsEntry("RateLimit", "\"search-1h\";r=17;t=60");
        }

        @Test
        void giveTheStateOfEachLimitTheScarcestFirst() {
            Decision decision = decision(Outcome.ADMITTED, TWO_TIERS, 1, 17, 60_000, 0)
                    .withShownLimits(List.of(
                            shown(TWO_TIERS, 0, 4, 400),
                            shown(TWO_TIERS, 1, 17, 60_000),
                            shown(PRODUCT, 0, 700, 6_500)));
            assertThat(written(decision, style(Headers.IETF)))
                    .containsOnly(
                            entry(
                                    "RateLimit-Policy",
                                    "\"search-1s\";q=5;w=1, \"search-1h\";q=100;w=3600, \"get-product\";q=1000;w=10"),
                            entry(
                                    "RateLimit",
                                    "\"search-1h\";r=17;t=60, \"get-product\";r=700;t=7, \"search-1s\";r=4;t=1"));
        }

        /**
         * The refusing tier is reported although another one has fewer remaining permits in proportion, because only it
         * tells when a retry passes.
         */
        @Test
        void giveTheLimitThatRefusesFirst() {
            Decision decision = decision(Outcome.REFUSED, TWO_TIERS, 1, 80, 3_600_000, 60_000)
                    .withShownLimits(List.of(shown(TWO_TIERS, 0, 1, 400), shown(TWO_TIERS, 1, 80, 3_600_000)));
            assertThat(written(decision, style(Headers.IETF)))
                    .containsEntry("RateLimit", "\"search-1h\";r=80;t=60, \"search-1s\";r=1;t=1");
        }

        /** Readings of a call may count for different callers. */
        @Test
        void nameALimitOnce() {
            Decision decision = admitted(PRODUCT, 5, 6_500)
                    .withShownLimits(List.of(shown(PRODUCT, 0, 9, 6_500), shown(PRODUCT, 0, 5, 6_500)));
            assertThat(written(decision, style(Headers.IETF)))
                    .containsEntry("RateLimit-Policy", "\"get-product\";q=1000;w=10")
                    .containsEntry("RateLimit", "\"get-product\";r=5;t=7");
        }

        @Test
        void staySmallHoweverManyLimitsApply() {
            Tier[] tiers = IntStream.range(0, 40)
                    .mapToObj(i -> tier("t" + i, 100, Duration.ofSeconds(i + 1)))
                    .toArray(Tier[]::new);
            Endpoint many = endpoint("many", Mode.ENFORCE, tiers);
            Decision decision = decision(Outcome.ADMITTED, many, 39, 1, 1_000, 0)
                    .withShownLimits(IntStream.range(0, 40)
                            .mapToObj(i -> shown(many, i, 40 - i, 1_000))
                            .toList());
            Map<String, String> written = written(decision, style(Headers.IETF));
            assertThat(written.get("RateLimit").split(", "))
                    .hasSize(16)
                    .startsWith("\"many-t39\";r=1;t=1")
                    .endsWith("\"many-t24\";r=16;t=1");
            assertThat(written.get("RateLimit-Policy").split(", "))
                    .hasSize(16)
                    .startsWith("\"many-t24\";q=100;w=25")
                    .endsWith("\"many-t39\";q=100;w=40");
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                900 | "search-1h";r=17;t=60, "get-product";r=900;t=7
                100 | "get-product";r=100;t=7, "search-1h";r=17;t=60""")
        void keepTheItemsOfAnEarlierLimiter(long left, String state) {
            FakeExchange exchange = FakeExchange.get("/product/1");
            Decision first = admitted(PRODUCT, left, 6_500);
            RememberedDecision before =
                    new RememberedDecision(call -> first, first, style(Headers.BOTH), 0, null, null);
            headers.write(exchange.response, before, false);
            Decision second = decision(Outcome.ADMITTED, TWO_TIERS, 1, 17, 60_000, 0);
            headers.write(
                    exchange.response,
                    new RememberedDecision(call -> second, second, style(Headers.BOTH), 0, null, before),
                    false);
            assertThat(exchange.headers)
                    .containsEntry("RateLimit", state)
                    .containsEntry(
                            "RateLimit-Policy",
                            "\"get-product\";q=1000;w=10, \"search-1s\";q=5;w=1, \"search-1h\";q=100;w=3600")
                    .containsEntry("x-ratelimit-remaining", left == 100 ? "100" : "17");
        }

        private Shown shown(Endpoint endpoint, int tier, long remaining, long resetMillis) {
            return new Shown(endpoint, endpoint.tiers().get(tier), remaining, resetMillis, false);
        }

        @Test
        void leaveOutAWindowWithFractionsOfASecond() {
            Endpoint endpoint = endpoint("fast", Mode.ENFORCE, tier("1500ms", 3, Duration.ofMillis(1500)));
            assertThat(written(admitted(endpoint, 2, 10), style(Headers.IETF)))
                    .containsEntry("RateLimit-Policy", "\"fast\";q=3");
        }

        @Test
        void leaveOutACalendarWindow() {
            Limit month = new Limit.FixedWindow(3, Windows.every(Unit.MONTH, ZoneId.of("UTC")));
            Endpoint endpoint = endpoint("plan", Mode.ENFORCE, new Tier("month", month));
            assertThat(written(admitted(endpoint, 2, 10), style(Headers.IETF)))
                    .containsEntry("RateLimit-Policy", "\"plan\";q=3");
        }

        @Test
        void nameTheUnitOfSlots() {
            Limit slots = new Limit.Concurrency(20, Limit.Concurrency.Scope.FLEET);
            Endpoint endpoint = endpoint("export", Mode.ENFORCE, new Tier("concurrency", slots));
            assertThat(written(admitted(endpoint, 19, 1_000), style(Headers.IETF)))
                    .containsOnly(
                            entry("RateLimit-Policy", "\"export\";q=20;qu=\"concurrent-requests\""),
                            entry("RateLimit", "\"export\";r=19;t=1"));
        }

        @Test
        void neverHaveMoreLeftThanTheQuota() {
            Limit bucket = new Limit.TokenBucket(10, Duration.ofSeconds(1), 50);
            Endpoint endpoint = endpoint("read", Mode.ENFORCE, new Tier("1s-token-bucket", bucket));
            assertThat(written(admitted(endpoint, 49, 1_000), style(Headers.BOTH)))
                    .containsEntry("RateLimit", "\"read\";r=10;t=1")
                    .containsEntry("x-ratelimit-remaining", "49");
        }

        @Test
        void escapeANameThatNeedsIt() {
            Endpoint endpoint = endpoint("a\"b\\c é", Mode.ENFORCE, tier("1s", 3, Duration.ofSeconds(1)));
            assertThat(written(admitted(endpoint, 2, 10), style(Headers.IETF)))
                    .containsEntry("RateLimit", "\"a\\\"b\\\\c %c3%a9\";r=2;t=1");
        }

        @Test
        void neverResetLaterThanRetryAfter() {
            assertThat(written(decision(Outcome.REFUSED, PRODUCT, 0, 0, 9_000, 2_500), style(Headers.IETF)))
                    .containsEntry("RateLimit", "\"get-product\";r=0;t=3");
        }

        @Test
        void areWrittenBesideTheUsualOnesIfConfigured() {
            assertThat(written(admitted(PRODUCT, 999, 6_500), style(Headers.BOTH)))
                    .containsOnlyKeys(
                            "x-ratelimit-limit",
                            "x-ratelimit-remaining",
                            "x-ratelimit-reset",
                            "RateLimit-Policy",
                            "RateLimit");
        }
    }

    @Nested
    class AreNotWritten {

        @Test
        void ifNothingIsLimited() {
            assertThat(written(Decision.UNLIMITED, style(Headers.BOTH))).isEmpty();
        }

        @Test
        void inTheStyleNone() {
            assertThat(written(refused(PRODUCT, 1_000), style(Headers.NONE))).isEmpty();
        }

        @ParameterizedTest
        @EnumSource(Headers.class)
        void forAnEndpointThatHidesThem(Headers style) {
            assertThat(written(refused(GUARD, 1_000), style(style))).isEmpty();
            assertThat(written(admitted(GUARD, 4, 1_000), style(style))).isEmpty();
        }

        @Test
        void inADryRunUnlessConfigured() {
            Endpoint dry = endpoint("dry", Mode.DRY_RUN, tier("1s", 3, Duration.ofSeconds(1)));
            Decision over = decision(Outcome.WOULD_REFUSE, dry, 0, 0, 500, 0);
            assertThat(written(over, ResponseOptions.DEFAULT)).isEmpty();
            assertThat(written(admitted(dry, 2, 500), ResponseOptions.DEFAULT)).isEmpty();
            assertThat(written(over, responses(Headers.X_RATELIMIT, Reset.DELTA, true)))
                    .containsEntry("x-ratelimit-remaining", "0");
        }

        @ParameterizedTest
        @EnumSource(Headers.class)
        void toExemptCallers(Headers style) {
            Decision exempt = decision(Outcome.EXEMPT, PRODUCT, 0, 0, 500, 500);
            assertThat(written(exempt, style(style))).isEmpty();
            assertThat(written(exempt, responses(style, Reset.DELTA, true))).isEmpty();
        }

        @Test
        void onACommittedResponse() {
            FakeExchange exchange = FakeExchange.get("/");
            exchange.committed = true;
            Decision decision = admitted(PRODUCT, 1, 1);
            headers.write(
                    exchange.response,
                    new RememberedDecision(call -> decision, decision, ResponseOptions.DEFAULT, 0, null, null),
                    false);
            assertThat(exchange.headers).isEmpty();
        }
    }

    @Nested
    class RetryAfter {

        private String retryAfter(long millis, Duration jitter) {
            FakeExchange exchange = FakeExchange.get("/");
            Decision decision = refused(PRODUCT, millis);
            ResponseOptions responses = new ResponseOptions(Headers.NONE, Reset.DELTA, false, 429, 429, jitter, null);
            headers.writeRefusal(
                    exchange.response,
                    new RememberedDecision(call -> decision, decision, responses, 0, null, null),
                    false);
            assertThat(exchange.headers).containsEntry("Cache-Control", "no-store");
            return exchange.headers.get("Retry-After");
        }

        @ParameterizedTest
        @CsvSource({"0,1", "1,1", "1000,1", "1001,2", "86400000,86400"})
        void isInWholeSecondsRoundedUpAndAtLeastOne(long millis, String seconds) {
            assertThat(retryAfter(millis, Duration.ZERO)).isEqualTo(seconds);
        }

        @Test
        void isSpreadByJitterThatOnlyAdds() {
            Set<Integer> seen = new HashSet<>();
            for (int i = 0; i < 1_000; i++) {
                seen.add(Integer.valueOf(retryAfter(10_000, Duration.ofSeconds(3))));
            }
            assertThat(seen).isSubsetOf(10, 11, 12, 13).contains(11, 12, 13);
        }
    }

    @Test
    void areRightForEveryOneOfManyEndpoints() {
        for (int i = 1; i <= 200; i++) {
            Endpoint endpoint = endpoint("e", Mode.ENFORCE, tier("1s", i, Duration.ofSeconds(1)));
            for (int j = 0; j < 2; j++) {
                assertThat(written(admitted(endpoint, 1, 1), ResponseOptions.DEFAULT))
                        .containsEntry("x-ratelimit-limit", "" + i);
            }
        }
    }
}
