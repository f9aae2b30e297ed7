package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.limits.Client;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exceptions for clients, from the text of the file to the decision. */
class ClientsTest {

    private final TestClock clock = new TestClock(0);
    private final List<Outcome> told = new ArrayList<>();
    private final RateLimitListener listener = new RateLimitListener() {
        @Override
        public void onDecision(Call call, Decision decision) {
            told.add(decision.outcome());
        }
    };

    private CountingRateLimiter limiter(String text) {
        GivenFile file = new GivenFile(text);
        assertThat(file.problems()).isEmpty();
        return new CountingRateLimiter(file.load().limits(), clock, listener);
    }

    private static long passed(CountingRateLimiter limiter, Call call, int calls) {
        long passed = 0;
        for (int i = 0; i < calls; i++) {
            passed += limiter.decide(call).admitted() ? 1 : 0;
        }
        return passed;
    }

    private static TestCall shop(String tenant) {
        return TestCall.get("/shop").of(tenant);
    }

    @Nested
    class WhoTheyAre {

        private static final String FILE = """
            subjects:
              user: [ principal ]
            clients:
              - { tenant: first, multiply: 2 }
              - { tenant: [ listed-1, listed-2 ], multiply: 3 }
              - { tenant: "partner-eu-*", multiply: 4 }
              - { tenant: "partner-*", multiply: 5 }
              - { tenant: both, user: ann, multiply: 6 }
              - { user: ann, multiply: 7 }
              - { ip: 198.51.100.7, multiply: 8 }
              - { "header:X-Plan": gold, multiply: 9 }
            endpoints:
              - { id: shop, pathPattern: /shop, tiers: [ { period: 10s, threshold: 10 } ] }
            """;

        @ParameterizedTest
        @CsvSource({
            "X-Org-Id=nobody, 10",
            "X-Org-Id=first, 20",
            "X-Org-Id=First, 10",
            "X-Org-Id=listed-1, 30",
            "X-Org-Id=listed-2, 30",
            "X-Org-Id=listed-3, 10",
            "X-Org-Id=partner-eu-1, 40",
            "X-Org-Id=partner-us-1, 50",
            "X-Org-Id=both principal=ann, 60",
            "X-Org-Id=both principal=bob, 10",
            "X-Org-Id=other principal=ann, 70",
            "X-Org-Id=first principal=ann, 20",
            "ip=198.51.100.7, 80",
            "X-Org-Id=198.51.100.7, 10",
            "X-Org-Id=other X-Plan=gold, 90",
        })
        void areFoundByAnySubject(String words, int expected) {
            try (CountingRateLimiter limiter = limiter(FILE)) {
                assertThat(passed(limiter, call(words), 100)).isEqualTo(expected);
            }
        }

        /** A call from words such as {@code X-Org-Id=acme}; {@code ip=192.0.2.7} is its address. */
        private static TestCall call(String words) {
            TestCall call = TestCall.get("/shop");
            for (String word : words.split(" ", -1)) {
                String[] parts = word.split("=", 2);
                call = parts[0].equals("ip") ? call.from(parts[1]) : call.with(parts[0], parts[1]);
            }
            return call;
        }

        @ParameterizedTest
        @CsvSource({
            "ip=10.1.1.1, 100",
            "ip=10.1.1.1 X-Forwarded-For=10.1.1.1, 100",
            "ip=10.1.1.1 X-Forwarded-For=203.0.113.9, 1",
            "ip=10.1.1.1 X-Forwarded-For=garbage, 1",
            "ip=10.1.1.1 Forwarded=garbage, 1",
            "ip=10.1.1.1 Forwarded=for=_hidden, 1",
            "ip=10.1.1.1 X-Forwarded-For=203.0.113.9 Forwarded=for=10.1.1.1, 1",
            "ip=10.1.1.1 X-Forwarded-For=203.0.113.9 Forwarded=, 1",
            "ip=10.1.1.1 X-Forwarded-For=garbage X-Plan=gold, 1",
            "ip=10.2.2.2, 50",
            "ip=10.2.2.2 X-Forwarded-For=garbage, 1",
        })
        void areNoProxyWhoseCallersWriteGarbage(String words, int expected) {
            try (CountingRateLimiter limiter = limiter("""
                trustedProxies: [ 10.0.0.0/8 ]
                subjects: { machine: [ ip, "header:X-Plan" ] }
                clients:
                  - { ip: 10.1.1.1, exempt: true }
                  - { tenant: "10.*", multiply: 50 }
                  - { machine: gold, exempt: true }
                endpoints:
                  - { id: shop, pathPattern: /shop, per: [ ip ], tiers: [ { period: 10s, threshold: 1 } ] }
                """)) {
                assertThat(passed(limiter, call(words), 100)).isEqualTo(expected);
            }
        }

        @Test
        void areFoundByAVariableOfThePath() {
            try (CountingRateLimiter limiter = limiter("""
                subjects: { organisation: [ "path:org" ] }
                clients: [ { organisation: acme, multiply: 3 } ]
                endpoints:
                  - { id: orgs, pathPattern: "/orgs/{org}", per: [ organisation ], tiers: [ { period: 10s, threshold: 1 } ] }
                  - { id: any, pathPattern: "/**", tiers: [ { period: 10s, threshold: 100 } ] }
                """)) {
                assertThat(passed(limiter, TestCall.get("/orgs/acme"), 5)).isEqualTo(3);
                assertThat(passed(limiter, TestCall.get("/orgs/other"), 5)).isEqualTo(1);
            }
        }

        @Test
        void areShieldedFromALaterEntryByOneThatSaysNothing() {
            try (CountingRateLimiter limiter = limiter("""
                clients: [ { tenant: partner-test }, { tenant: "partner-*", exempt: true } ]
                endpoints:
                  - { id: shop, pathPattern: /shop, tiers: [ { period: 10s, threshold: 1 } ] }
                """)) {
                assertThat(passed(limiter, shop("partner-test"), 5)).isEqualTo(1);
                assertThat(passed(limiter, shop("partner-7"), 5)).isEqualTo(5);
            }
        }
    }

    @Nested
    class WhatTheyMay {

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "exempt: true                                                   | 100",
                    "multiply: 2                                                    | 20",
                    "multiply: 0.5                                                  | 5",
                    "multiply: 1.25                                                 | 12",
                    "multiply: 0.001                                                | 1",
                    "endpoints: { shop: [ { period: 1m, threshold: 33 } ] }         | 33",
                    "multiply: 2, endpoints: { shop: [ { period: 1m, threshold: 33 } ] } | 33",
                    "multiply: 2, endpoints: { other: [ { period: 1m, threshold: 33 } ] } | 20",
                    "endpoints: { shop: [ { period: 1m, threshold: 9 }, { period: 1s, threshold: 7 } ] } | 7",
                    "endpoints: { shop: [ { period: 1m, threshold: 9, tolerance: 100% } ] } | 18",
                    "mode: off                                                      | 100",
                    "mode: dry-run                                                  | 100",
                    "mode: dry-run, multiply: 3                                     | 100",
                    "mode: enforce                                                  | 10",
                    "exempt: false                                                  | 10",
                })
        void isWhatTheirEntrySays(String says, int expected) {
            try (CountingRateLimiter limiter = limiter("""
                clients: [ { tenant: vip, %s } ]
                endpoints:
                  - { id: shop, pathPattern: /shop, tiers: [ { period: 1m, threshold: 10 } ] }
                  - { id: other, pathPattern: /other, tiers: [ { period: 1m, threshold: 10 } ] }
                """.formatted(says))) {
                assertThat(passed(limiter, shop("vip"), 100)).isEqualTo(expected);
                assertThat(passed(limiter, shop("else"), 100)).isEqualTo(10);
            }
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "algorithm: sliding-window, period: 10s, threshold: 10   | 30",
                    "algorithm: sliding-log, period: 10s, threshold: 10      | 30",
                    "algorithm: token-bucket, period: 1h, threshold: 10, burst: 4 | 12",
                    "algorithm: leaky-bucket, period: 1h, threshold: 10      | 30",
                    "algorithm: concurrency, threshold: 10                   | 30",
                    "period: 10s, threshold: 10, tolerance: 50%              | 45",
                })
        void multipliesEveryAlgorithm(String tier, int expected) {
            try (CountingRateLimiter limiter = limiter("""
                clients: [ { tenant: vip, multiply: 3 } ]
                endpoints:
                  - { id: shop, pathPattern: /shop, tiers: [ { %s } ] }
                """.formatted(tier))) {
                assertThat(passed(limiter, shop("vip"), 100)).isEqualTo(expected);
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"[]", "[ server ]"})
        void isNotMoreOfWhatAllShare(String per) {
            try (CountingRateLimiter limiter = limiter("""
                clients: [ { tenant: vip, multiply: 3 } ]
                endpoints:
                  - { id: shop, pathPattern: /shop, per: %s, tiers: [ { period: 1m, threshold: 10 } ] }
                """.formatted(per))) {
                assertThat(passed(limiter, shop("vip"), 7)).isEqualTo(7);
                assertThat(passed(limiter, shop("else"), 100)).isEqualTo(3);
            }
        }

        @Test
        void isCountedApartWhereOthersAreCountedOtherwise() {
            try (CountingRateLimiter limiter = limiter("""
                subjects: { user: [ principal ] }
                clients: [ { tenant: vip, multiply: 2 } ]
                endpoints:
                  - { id: shop, pathPattern: /shop, per: [ user ], tiers: [ { period: 1m, threshold: 10 } ] }
                """)) {
                assertThat(passed(limiter, shop("vip").with("principal", "ann"), 100))
                        .isEqualTo(20);
                assertThat(passed(limiter, shop("vip").with("principal", "bob"), 100))
                        .isEqualTo(20);
                assertThat(passed(limiter, shop("else").with("principal", "ann"), 100))
                        .isEqualTo(10);
            }
        }
    }

    @Nested
    class WhoeverIsExempt {

        private static final String FILE = """
            clients: [ { tenant: vip, exempt: true } ]
            endpoints:
              - { id: shop, pathPattern: /shop, per: [], tiers: [ { period: 1m, threshold: 3 } ] }
              - { id: all, pathPattern: "/**", mode: dry-run, tiers: [ { period: 1m, threshold: 1 } ] }
            """;

        @Test
        void isCountedWhereTheLimitsLetIt() {
            try (CountingRateLimiter limiter = limiter(FILE)) {
                assertThat(passed(limiter, shop("vip"), 2)).isEqualTo(2);
                assertThat(passed(limiter, shop("else"), 9)).isEqualTo(1);
            }
        }

        @Test
        void isHeardOfAndNeverAsOneWhoWouldBeRefused() {
            try (CountingRateLimiter limiter = limiter(FILE)) {
                assertThat(passed(limiter, shop("vip"), 20)).isEqualTo(20);
                assertThat(told).hasSize(40).containsOnly(Outcome.EXEMPT);
            }
        }

        @Test
        void doesNotWaitForItsTurn() {
            try (CountingRateLimiter limiter = limiter("""
                clients: [ { tenant: vip, exempt: true } ]
                endpoints:
                  - id: shop
                    pathPattern: /shop
                    tiers: [ { algorithm: leaky-bucket, period: 10s, threshold: 1, queue: 5, maxQueueTime: 1m } ]
                """)) {
                for (int i = 0; i < 10; i++) {
                    Decision decision = limiter.decide(shop("vip"));
                    assertThat(decision.outcome()).isEqualTo(Outcome.EXEMPT);
                    assertThat(decision.ticket() == null ? 0 : decision.ticket().delayMillis())
                            .isZero();
                }
            }
        }
    }

    /** The mode of a client comes before that of the endpoint, and that before the file's. */
    @ParameterizedTest
    @CsvSource({
        "enforce, , , REFUSED",
        "dry-run, , , WOULD_REFUSE",
        "off, , , UNLIMITED",
        "enforce, dry-run, , WOULD_REFUSE",
        "enforce, off, , UNLIMITED",
        "dry-run, enforce, , REFUSED",
        "dry-run, off, , UNLIMITED",
        "off, enforce, , REFUSED",
        "off, dry-run, , WOULD_REFUSE",
        "enforce, , dry-run, WOULD_REFUSE",
        "enforce, , off, UNLIMITED",
        "enforce, dry-run, enforce, REFUSED",
        "enforce, off, enforce, REFUSED",
        "enforce, off, dry-run, WOULD_REFUSE",
        "dry-run, , enforce, REFUSED",
        "dry-run, enforce, off, UNLIMITED",
        "dry-run, enforce, dry-run, WOULD_REFUSE",
        "off, , enforce, REFUSED",
        "off, enforce, dry-run, WOULD_REFUSE",
    })
    void modeIsTheClientsThenTheEndpointsThenTheFiles(
            String ofFile, String ofEndpoint, String ofClient, Outcome expected) {
        String text = """
            mode: %s
            clients: [ { tenant: vip%s } ]
            endpoints:
              - { id: shop, pathPattern: /shop, tiers: [ { period: 1m, threshold: 1 } ]%s }
            """.formatted(
                        ofFile,
                        ofClient == null ? "" : ", mode: " + ofClient,
                        ofEndpoint == null ? "" : ", mode: " + ofEndpoint);
        try (CountingRateLimiter limiter = limiter(text)) {
            var unused = limiter.decide(shop("vip"));
            assertThat(limiter.decide(shop("vip")).outcome()).isEqualTo(expected);
        }
    }

    @Nested
    class AfterAReload {

        private static final String FILE = """
            clients: [ { tenant: vip, multiply: %s }, { tenant: gone, multiply: 2 } ]
            endpoints:
              - { id: shop, pathPattern: /shop, tiers: [ { period: 1m, threshold: 10 } ] }
            """;

        @Test
        void countsGoOnForWhomeverIsNamedAndWhoeverIsNotAnyMore() {
            try (CountingRateLimiter limiter = limiter(FILE.formatted("2"))) {
                assertThat(passed(limiter, shop("vip"), 15)).isEqualTo(15);
                assertThat(passed(limiter, shop("gone"), 7)).isEqualTo(7);
                limiter.replace(new GivenFile(FILE.formatted("2.0").replace("gone", "come"))
                        .load()
                        .limits());
                assertThat(passed(limiter, shop("vip"), 100)).isEqualTo(5);
                assertThat(passed(limiter, shop("gone"), 100)).isEqualTo(3);
            }
        }

        @Test
        void countsGoOnUnderAnotherLimit() {
            try (CountingRateLimiter limiter = limiter(FILE.formatted("2"))) {
                assertThat(passed(limiter, shop("vip"), 100)).isEqualTo(20);
                limiter.replace(new GivenFile(FILE.formatted("5")).load().limits());
                assertThat(passed(limiter, shop("vip"), 100)).isEqualTo(30);
            }
        }
    }

    @Test
    void explainSaysWhichClientItIs() {
        try (CountingRateLimiter limiter = limiter(WhoTheyAre.FILE)) {
            assertThat(limiter.explain(shop("partner-eu-7"))).singleElement().satisfies(one -> {
                Client client = one.client();
                assertThat(client == null ? "" : client.name()).isEqualTo("tenant: partner-eu-*");
                assertThat(one.tier().limit().threshold()).isEqualTo(40);
            });
            assertThat(limiter.explain(shop("nobody")))
                    .singleElement()
                    .satisfies(one -> assertThat(one.client()).isNull());
        }
    }

    @Nested
    class BehindOthers {

        /** Two clients with one subject, and whether the second can ever apply. */
        @ParameterizedTest
        @CsvSource({
            "acme, acme, never",
            "acme, acme2, yes",
            "acme, acme*, yes",
            "*, acme, never",
            "*, partner-*, never",
            "*, *, never",
            "partner-*, partner-7, never",
            "partner-*, partner-, never",
            "partner-*, partner, yes",
            "partner-*, partner-eu-*, never",
            "partner-*, part*, yes",
            "*-eu, partner-eu, never",
            "*-eu, partner-*-eu, never",
            "*-eu, partner-*, yes",
            "a*b, a*, yes",
            "a*b, ab, never",
            "a*b*c, a*b*b*c, never",
            "a*b*c, a*c, yes",
        })
        void areReportedIfTheyAreNeverLookedAt(String first, String second, String lookedAt) {
            List<String> problems = GivenFile.with(
                            "clients: [ { tenant: \"%s\", multiply: 2 }, { tenant: \"%s\" } ]".formatted(first, second))
                    .problems();
            assertThat(problems).hasSize(lookedAt.equals("never") ? 1 : 0);
            assertThat(problems).allMatch(problem -> problem.contains("clients[1].tenant"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{ tenant: partner-7 }, { tenant: \"partner-*\" }",
                    "{ tenant: \"*\" }, { ip: 192.0.2.7 }",
                    "{ tenant: \"*\", user: ann }, { tenant: acme }",
                    "{ tenant: acme, user: ann }, { tenant: acme, user: bob }",
                    "{ tenant: [ \"partner-*\", partner-7 ] }",
                })
        void areNotReportedIfSomebodyMayBeThem(String clients) {
            assertThat(GivenFile.with("subjects: { user: [ principal ] }\nclients: [ " + clients + " ]")
                            .problems())
                    .isEmpty();
        }

        @Test
        void areNotReportedByWhatAVariableHolds() {
            String clients = "clients: [ { tenant: \"${SECRET}\" }, { tenant: \"${SECRET}\" } ]";
            assertThat(GivenFile.with(clients).problemsWith(Map.of("SECRET", "s3cret")))
                    .singleElement()
                    .asString()
                    .contains("tenant the value of \"${SECRET}\" is already in line 1")
                    .doesNotContain("s3cret");
        }

        @Test
        void whoseEndpointIsUnknownAreNotToldTheIdThatAVariableHolds() {
            String text =
                    "endpoints: [ { id: \"${SECRET}\", pathPattern: /, tiers: [ { period: 1s, threshold: 1 } ] } ]\n"
                            + "clients: [ { tenant: a, endpoints: { %s: [ { period: 1s, threshold: 5 } ] } } ]";
            for (String unknown : List.of("s3cre", "other")) {
                assertThat(new GivenFile(text.formatted(unknown)).problemsWith(Map.of("SECRET", "s3cret")))
                        .singleElement()
                        .asString()
                        .contains("is not an endpoint of this file")
                        .doesNotContain("s3cret");
            }
        }

        @Test
        void areReportedBehindOneStarHoweverManyHaveSeveral() {
            StringBuilder text = new StringBuilder("clients:\n");
            for (int i = 0; i < 1_100; i++) {
                text.append("  - { tenant: \"*-").append(i).append("-*\" }\n");
            }
            text.append("  - { tenant: \"acme-*\" }\n  - { tenant: acme-7 }\n");
            assertThat(GivenFile.with(text.toString()).problems()).hasSize(1);
        }

        /** No value is compared with each of the others. */
        @ParameterizedTest
        @ValueSource(strings = {"t%d", "t%d-*", "*-t%d", "a%d*b%d", "*-t%d-*"})
        @Timeout(20)
        void areFoundAmongManyAtOnce(String value) {
            StringBuilder text = new StringBuilder("clients:\n");
            for (int i = 0; i < 30_000; i++) {
                text.append("  - { tenant: \"")
                        .append(value.replace("%d", "" + i))
                        .append("\" }\n");
            }
            text.append("  - { tenant: \"").append(value.replace("%d", "7")).append("\" }\n");
            assertThat(GivenFile.with(text.toString()).problems()).hasSize(1);
        }
    }

    @Test
    void tenThousandOfThemLoad() {
        StringBuilder text = new StringBuilder("clients:\n");
        for (int i = 0; i < 10_000; i++) {
            text.append("  - { tenant: t")
                    .append(i)
                    .append(", multiply: ")
                    .append(i % 7 + 2)
                    .append(" }\n");
        }
        text.append("endpoints:\n  - { id: shop, pathPattern: /shop, tiers: [ { period: 1m, threshold: 10 } ] }\n");
        try (CountingRateLimiter limiter = limiter(text.toString())) {
            assertThat(passed(limiter, shop("t9999"), 100)).isEqualTo(10 * (9999 % 7 + 2));
        }
    }
}
