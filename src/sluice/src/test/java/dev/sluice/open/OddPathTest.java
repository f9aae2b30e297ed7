package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.match.path.ForwardingCall;
import dev.sluice.limits.Explanation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** If the path identifies the caller and has several readings, the call counts for each of them. */
@Timeout(
        value = 60,
        threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a thread that waits for a counter cannot be interrupted
class OddPathTest {

    private static final String KEYS = """
        subjects:
          org: [ "path:org" ]
          user: [ principal ]
        """;

    private final List<Decision> aside = new ArrayList<>();

    private CountingRateLimiter limiter(String keysOfFile, String keysOfEndpoint) {
        String file = KEYS + keysOfFile + """

            endpoints:
              - { id: orgs, pathPattern: "/orgs/{org}/**", %s }
            """.formatted(keysOfEndpoint);
        RateLimitListener listener = new RateLimitListener() {
            @Override
            public void onDecision(Call call, Decision decision) {
                aside.add(decision);
            }
        };
        return new CountingRateLimiter(new GivenFile(file).load().limits(), new TestClock(0), listener);
    }

    private static Outcome get(CountingRateLimiter limiter, String path) {
        return limiter.decide(TestCall.get(path)).outcome();
    }

    private static List<String> counted(CountingRateLimiter limiter, Call call) {
        return limiter.explain(call).stream()
                .map(one -> one.key().subjects().toString())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/orgs/acme/../%s/x",
                "/orgs/%s/../acme/x",
                "/orgs/%s/..;/acme/x",
                "/orgs/%s/%%2e%%2e/acme/x",
                "/orgs/%s/x/../../acme/x",
                "/files/../orgs/%s/../acme",
                "/orgs/%s%%2f..%%2facme/x",
                "/orgs/%s%%5c..%%5cacme/x",
                "/orgs/%s\\..\\acme/x",
                "/orgs/%s//../acme/x"
            })
    void inventedNamesNearbyOpenNoFreshCounter(String path) {
        try (CountingRateLimiter limiter = limiter("", "per: [ org ], tiers: [ { period: 1h, threshold: 3 } ]")) {
            for (int i = 0; i < 3; i++) {
                assertThat(get(limiter, path.formatted("N" + i))).isEqualTo(Outcome.ADMITTED);
            }
            assertThat(get(limiter, path.formatted("N3"))).isEqualTo(Outcome.REFUSED);
            assertThat(get(limiter, "/orgs/acme/x")).isEqualTo(Outcome.REFUSED);
            assertThat(get(limiter, "/orgs/N4/x")).isEqualTo(Outcome.ADMITTED);
        }
    }

    @Test
    void eachOfThoseThatItMayBeIsCharged() {
        try (CountingRateLimiter limiter = limiter("", "per: [ org ], tiers: [ { period: 1h, threshold: 2 } ]")) {
            get(limiter, "/orgs/a/../b/x");
            assertThat(limiter.decide(TestCall.get("/orgs/a/x")).remaining()).isZero();
            assertThat(limiter.decide(TestCall.get("/orgs/b/x")).remaining()).isZero();
        }
    }

    @Test
    void nobodyIsChargedForACallThatAnotherReadingRefuses() {
        try (CountingRateLimiter limiter = limiter("", "per: [ org ], tiers: [ { period: 1h, threshold: 1 } ]")) {
            get(limiter, "/orgs/a/x");
            assertThat(get(limiter, "/orgs/a/../b/x")).isEqualTo(Outcome.REFUSED);
            assertThat(get(limiter, "/orgs/b/x")).isEqualTo(Outcome.ADMITTED);
        }
    }

    /** {@code //}, parameters and percent signs make a path unusual, but do not matter here. */
    @Test
    void oneCallerInSeveralReadingsIsChargedOnce() {
        try (CountingRateLimiter limiter = limiter(
                "", "per: [ org, user ], tiers: [ { period: 1h, threshold: 2 }, { period: 1d, threshold: 9 } ]")) {
            get(limiter, "/orgs//acme;v=1/y/../%78%2fy");
            Decision decision = limiter.decide(TestCall.get("/orgs/acme/x"));
            assertThat(decision.remaining()).isZero();
            assertThat(decision.outcome()).isEqualTo(Outcome.ADMITTED);
        }
    }

    /** The limiter's first reading of the query has no size; the application's has. */
    @Test
    void theReadingThatCostsMostCounts() {
        Cost bySize = new Cost(
                "by-size",
                call -> call.query("size") == null ? 1 : Long.parseLong(call.query("size")),
                Cost.Settling.NONE);
        Endpoint search = TestLimits.counting(
                TestLimits.endpoint("search", "GET /search", TestLimits.tier(10, Duration.ofHours(1))),
                Set.of(),
                bySize);
        try (CountingRateLimiter limiter =
                new CountingRateLimiter(TestLimits.of(search), new TestClock(0), RateLimitListener.NONE)) {
            Call odd = new ForwardingCall() {
                @Override
                public Call sent() {
                    return TestCall.get("/search").of("acme");
                }

                @Override
                public int queryReadings() {
                    return 2;
                }

                @Override
                public @Nullable String query(String name, int reading) {
                    return reading == 0 ? null : "7";
                }
            };
            assertThat(limiter.decide(odd).remaining()).isEqualTo(3);
            assertThat(limiter.decide(TestCall.get("/search").of("acme")).remaining())
                    .isEqualTo(2);
        }
    }

    @Test
    void theNamesOfOneReadingBelongTogether() {
        String file = KEYS.replace("subjects:", "subjects:\n  team: [ \"path:team\" ]") + """
            endpoints:
              - { id: teams, pathPattern: "/orgs/{org}/{team}", per: [ org, team ], tiers: [ { period: 1h, threshold: 3 } ] }
            """;
        try (CountingRateLimiter limiter = new CountingRateLimiter(
                new GivenFile(file).load().limits(), new TestClock(0), RateLimitListener.NONE)) {
            TestCall call = TestCall.get("/orgs/a%2fb/c/../d");
            assertThat(counted(limiter, call))
                    .hasSize(1)
                    .allMatch(key -> key.contains("value=a/b") && key.contains("value=d"));
            assertThat(counted(limiter, TestCall.get("/orgs/a/b/../../c/d"))).hasSize(1);
        }
    }

    @Test
    void aConditionHoldsIfItHoldsForOneOfThem() {
        try (CountingRateLimiter limiter =
                limiter("", "per: [], when: { org: [ acme ] }, tiers: [ { period: 1h, threshold: 3 } ]")) {
            assertThat(get(limiter, "/orgs/N0/../acme/x")).isEqualTo(Outcome.ADMITTED);
            assertThat(get(limiter, "/orgs/acme/../N1/x")).isEqualTo(Outcome.ADMITTED);
            assertThat(get(limiter, "/orgs/N2/../N3/x")).isEqualTo(Outcome.UNLIMITED);
            assertThat(limiter.decide(TestCall.get("/orgs/acme/x")).remaining()).isZero();
        }
    }

    @Test
    void aClientsFavoursAreForWhoeverIsTheClientInEveryReading() {
        String clients =
                "clients: [ { org: acme, exempt: true }, { org: big, multiply: 10 }, { org: free, mode: off } ]";
        try (CountingRateLimiter limiter = limiter(clients, "per: [ org ], tiers: [ { period: 1h, threshold: 1 } ]")) {
            for (String friend : List.of("acme", "big", "free")) {
                String path = "/orgs/" + friend + "/../of-" + friend + "/x";
                assertThat(get(limiter, path)).as(friend).isEqualTo(Outcome.ADMITTED);
                assertThat(get(limiter, path)).as(friend).isEqualTo(Outcome.REFUSED);
            }
            assertThat(limiter.decide(TestCall.get("/orgs/big/x")).remaining()).isEqualTo(8);
            assertThat(get(limiter, "/orgs/acme/../acme/x")).isEqualTo(Outcome.EXEMPT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/orgs/acme/../other/x", "/orgs/other/../acme/x"})
    void aPlanOfOneReadingRaisesNoLimit(String path) {
        String file = """
            plans: { pro: { multiply: 10 } }
            clients: [ { org: acme, plan: pro } ]
            """;
        try (CountingRateLimiter limiter = limiter(file, "per: [ ip ], tiers: [ { period: 1h, threshold: 1 } ]")) {
            assertThat(get(limiter, path)).isEqualTo(Outcome.ADMITTED);
            assertThat(get(limiter, path)).isEqualTo(Outcome.REFUSED);
            assertThat(get(limiter, "/orgs/acme/x")).isEqualTo(Outcome.ADMITTED);
        }
    }

    @Test
    void whatIsEnforcedInOneReadingAndRehearsedInAnotherIsCountedOnce() {
        String clients = "clients: [ { org: [ acme, other ], exempt: true } ]";
        try (CountingRateLimiter limiter = limiter(clients, "per: [ user ], tiers: [ { period: 1h, threshold: 5 } ]")) {
            assertThat(limiter.decide(TestCall.get("/orgs/acme/../N0/x")).remaining())
                    .isEqualTo(4);
            Decision decision = limiter.decide(TestCall.get("/orgs/N0/../acme/x"));
            assertThat(decision.outcome()).isEqualTo(Outcome.ADMITTED);
            assertThat(decision.remaining()).isEqualTo(3);
            assertThat(aside).hasSize(2);
        }
    }

    @Test
    void aDryRunSpeaksOnceOfACall() {
        try (CountingRateLimiter limiter =
                limiter("", "per: [ org ], mode: dry-run, tiers: [ { period: 1h, threshold: 1 } ]")) {
            assertThat(get(limiter, "/orgs/a/../b/x")).isEqualTo(Outcome.ADMITTED);
            assertThat(get(limiter, "/orgs/a/../b/x")).isEqualTo(Outcome.WOULD_REFUSE);
            assertThat(aside).hasSize(2);
        }
    }

    @Test
    void explainsEachOfThem() {
        try (CountingRateLimiter limiter = limiter("", "per: [ org ], tiers: [ { period: 1h, threshold: 1 } ]")) {
            assertThat(limiter.explain(TestCall.get("/orgs/a/../b/x")))
                    .extracting((Explanation one) -> one.key().subjects().get(0).value())
                    .containsExactlyInAnyOrder("a", "b");
            assertThat(counted(limiter, TestCall.get("/orgs/a/x"))).hasSize(1);
        }
    }

    /** Two calls that each hold what the other needs would wait for each other for ever. */
    @Test
    void callsThatAreEachOfTwoWaitForEachOtherInOneOrder() throws Exception {
        try (CountingRateLimiter limiter =
                limiter("", "per: [ org, user ], tiers: [ { period: 1h, threshold: 20000 } ]")) {
            List<Thread> threads = new ArrayList<>();
            for (String path : List.of("/orgs/a/../b/x", "/orgs/b/../a/x", "/orgs/a/../b/x", "/orgs/b/../a/x")) {
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        get(limiter, path);
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(get(limiter, "/orgs/a/x")).isEqualTo(Outcome.REFUSED);
            assertThat(get(limiter, "/orgs/b/x")).isEqualTo(Outcome.REFUSED);
        }
    }
}
