package dev.sluice.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.limits.ClientSource;
import dev.sluice.limits.KnownClient;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsUnderTestTest {

    private static final String CALLER = "ip=192.0.2.1";

    private final LimitsUnderTest limits = new LimitsUnderTest();
    private final List<Sluice> opened = new ArrayList<>();

    private Sluice open(String yaml) {
        return open(Sluice.builder(), yaml);
    }

    private Sluice open(Sluice.Builder builder, String yaml) {
        builder.config(GivenFile.of(yaml));
        limits.customize(builder);
        Sluice sluice = builder.open();
        opened.add(sluice);
        return sluice;
    }

    private Sluice withTier(String tier) {
        return open("[ { id: login, pathPattern: /login, per: [ ip ], tiers: [ { %s } ] } ]".formatted(tier));
    }

    @AfterEach
    void close() {
        opened.forEach(Sluice::close);
    }

    private static boolean admits(Sluice sluice, Call call) {
        Decision decision = sluice.decide(call);
        if (decision.ticket() != null) {
            decision.ticket().ended(200);
        }
        return decision.admitted();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "period: 1m, threshold: 3",
                "period: 1m, threshold: 3, algorithm: sliding-window",
                "period: 1m, threshold: 3, algorithm: sliding-log",
                "period: 1m, threshold: 3, algorithm: token-bucket, burst: 3",
                "period: 1m, threshold: 3, algorithm: leaky-bucket",
                "period: 3s, threshold: 1, algorithm: leaky-bucket, queue: 2, maxQueueTime: 6s",
                "period: month, threshold: 3",
                "period: 1m, threshold: 2, tolerance: 50%",
                "threshold: 3, algorithm: concurrency",
                "period: 365d, threshold: 1000000000"
            })
    void anExhaustedCallerIsRefusedUntilTheResetAndNobodyElseIs(String tier) {
        Sluice sluice = withTier(tier);
        long all = limits.remaining("login", CALLER);
        assertThat(all).isPositive();

        limits.exhaust("login", CALLER);

        assertThat(limits.remaining("login", CALLER)).isZero();
        assertThat(limits.admits("login", CALLER)).isFalse();
        assertThat(admits(sluice, TestCall.post("/login"))).isFalse();
        assertThat(admits(sluice, TestCall.post("/login").from("192.0.2.2"))).isTrue();
        assertThat(limits.refusals("login", CALLER)).isEqualTo(1);
        assertThat(limits.refusals("login", "ip=192.0.2.2")).isZero();

        limits.reset();

        assertThat(limits.remaining("login", CALLER)).isEqualTo(all);
        assertThat(limits.admits("login", CALLER)).isTrue();
        assertThat(limits.refusals()).isZero();
        assertThat(admits(sluice, TestCall.post("/login"))).isTrue();
    }

    @Test
    void readsWithoutCounting() {
        Sluice sluice = withTier("period: 1m, threshold: 2");
        for (int look = 0; look < 5; look++) {
            assertThat(limits.admits("login", CALLER)).isTrue();
            assertThat(limits.remaining("login", CALLER)).isEqualTo(2);
        }
        assertThat(admits(sluice, TestCall.post("/login"))).isTrue();
        assertThat(limits.remaining("login", CALLER)).isEqualTo(1);
    }

    @Test
    void usesUpAllTiers() {
        Sluice sluice = open("""
            - id: login
              pathPattern: /login
              per: [ ip ]
              tiers: [ { period: 10s, threshold: 5 }, { period: 1h, threshold: 100 } ]
            """);
        limits.exhaust("login", CALLER);

        limits.clock().advance(Duration.ofSeconds(10));
        Decision refused = sluice.decide(TestCall.post("/login"));
        assertThat(refused.admitted()).isFalse();
        assertThat(refused.retryAfterMillis())
                .isEqualTo(Duration.ofSeconds(3590).toMillis());

        limits.clock().advance(Duration.ofSeconds(3590));
        assertThat(admits(sluice, TestCall.post("/login"))).isTrue();
    }

    @Test
    void usesUpWhatIsLeftAfterCalls() {
        Sluice sluice = withTier("period: 1m, threshold: 3");
        sluice.decide(TestCall.post("/login"));
        limits.exhaust("login", CALLER);
        limits.exhaust("login", CALLER);
        assertThat(limits.admits("login", CALLER)).isFalse();
        limits.clock().advance(Duration.ofMinutes(1));
        assertThat(limits.remaining("login", CALLER)).isEqualTo(3);
    }

    @Test
    void freesSlotsOfCallsInFlight() {
        Sluice sluice = withTier("threshold: 1, algorithm: concurrency");
        Decision inFlight = sluice.decide(TestCall.post("/login"));
        assertThat(limits.admits("login", CALLER)).isFalse();

        limits.reset();
        assertThat(limits.admits("login", CALLER)).isTrue();
        inFlight.ticket().ended(200);
        assertThat(limits.remaining("login", CALLER)).isEqualTo(1);
    }

    @Test
    void otherEndpointsAreNotAffected() {
        Sluice sluice = open("""
            - { id: all, pathPattern: /**, per: [ ip ], tiers: [ { period: 1m, threshold: 10 } ] }
            - { id: login, pathPattern: /login, per: [ ip ], tiers: [ { period: 1m, threshold: 3 } ] }
            """);
        limits.exhaust("login", CALLER);
        assertThat(admits(sluice, TestCall.post("/login"))).isFalse();
        assertThat(limits.remaining("all", CALLER)).isEqualTo(10);
        assertThat(limits.refusals("login", CALLER)).isEqualTo(1);
        assertThat(limits.refusals("all", CALLER)).isZero();
    }

    @Test
    void anEndpointThatCountsMethodsSeparatelyIsUsedUpForEach() {
        Sluice sluice = open("""
            - id: cart
              methods: [ GET, POST ]
              pathPattern: /cart/{id}
              per: [ ip ]
              when: { tenant: [ acme ] }
              tiers: [ { period: 1m, threshold: 3 } ]
            """);
        limits.exhaust("cart", CALLER);
        for (String method : List.of("GET", "HEAD", "POST")) {
            assertThat(admits(sluice, TestCall.get("/cart/1").by(method).of("acme")))
                    .isFalse();
        }
    }

    @Test
    void aCallThatCostsMoreThanIsLeftWouldBeRefused() {
        Sluice sluice = open("""
            - { id: export, pathPattern: /export, per: [ ip ], cost: 2, tiers: [ { period: 1m, threshold: 3 } ] }
            """);
        assertThat(limits.admits("export", CALLER)).isTrue();
        assertThat(admits(sluice, TestCall.get("/export"))).isTrue();
        assertThat(limits.remaining("export", CALLER)).isEqualTo(1);
        assertThat(limits.admits("export", CALLER)).isFalse();
    }

    @Test
    void allCallersTogetherNeedNoName() {
        Sluice sluice = open("""
            - { id: report, pathPattern: /report, per: [ server ], tiers: [ { period: 1m, threshold: 3 } ] }
            """);
        limits.exhaust("report");
        assertThat(admits(sluice, TestCall.get("/report"))).isFalse();
        assertThat(limits.refusals("report")).isEqualTo(1);
    }

    @Nested
    class Callers {

        private static final String BY_TENANT = """
            subjects: { tenant: [ "header:X-Org-Id", "hash(header:X-Api-Key)", ip ] }
            endpoints:
              - { id: search, pathPattern: /search, tiers: [ { period: 1m, threshold: 3 } ] }
            """;

        @Test
        void areFoundByAnySourceThatHasTheirValue() {
            Sluice sluice = open(BY_TENANT);
            limits.exhaust("search", "tenant=acme");
            limits.exhaust("search", "tenant=192.0.2.1");
            assertThat(admits(sluice, TestCall.get("/search").of("acme"))).isFalse();
            assertThat(admits(sluice, TestCall.get("/search").with("X-Api-Key", "acme")))
                    .isFalse();
            assertThat(admits(sluice, TestCall.get("/search"))).isFalse();
            assertThat(admits(sluice, TestCall.get("/search").of("umbrella"))).isTrue();
            assertThat(limits.refusals("search", "tenant=acme")).isEqualTo(2);
        }

        @Test
        void mayHaveAnAddressOfANetworkThatIsCountedAsOne() {
            Sluice sluice = withTier("period: 1m, threshold: 3");
            limits.exhaust("login", "ip=2001:db8::1");
            assertThat(admits(sluice, TestCall.post("/login").from("2001:db8:0:0::2")))
                    .isFalse();
        }

        @Test
        void mayStandInThePath() {
            Sluice sluice = open("""
                subjects: { user: [ "path:id" ] }
                endpoints:
                  - { id: user, pathPattern: "/user/{id}", per: [ user ], tiers: [ { period: 1m, threshold: 3 } ] }
                """);
            limits.exhaust("user", "user=42");
            assertThat(admits(sluice, TestCall.get("/user/42"))).isFalse();
            assertThat(admits(sluice, TestCall.get("/user/43"))).isTrue();
        }

        @Test
        void mayHaveNoValue() {
            Sluice sluice = open("""
                subjects: { key: [ "header:X-Api-Key" ] }
                endpoints:
                  - { id: search, pathPattern: /search, per: [ key, ip ], tiers: [ { period: 1m, threshold: 3 } ] }
                """);
            limits.exhaust("search", "key=", CALLER);
            assertThat(admits(sluice, TestCall.get("/search"))).isFalse();
            assertThat(admits(sluice, TestCall.get("/search").with("X-Api-Key", "k")))
                    .isTrue();
        }

        @Test
        void haveTheirOwnThresholds() {
            Sluice sluice = open("""
                clients:
                  - { tenant: acme, endpoints: { search: [ { period: 1m, threshold: 7 } ] } }
                  - { tenant: "big-*", multiply: 10 }
                  - { tenant: staff, exempt: true }
                  - { tenant: test, mode: off }
                endpoints:
                  - { id: search, pathPattern: /search, tiers: [ { period: 1m, threshold: 3 } ] }
                  - { id: login, pathPattern: /login, per: [ ip ], tiers: [ { period: 1m, threshold: 3 } ] }
                """);
            assertThat(limits.remaining("search", "tenant=acme")).isEqualTo(7);
            assertThat(limits.remaining("search", "tenant=big-one")).isEqualTo(30);
            assertThat(limits.remaining("login", CALLER, "tenant=big-one")).isEqualTo(30);
            limits.exhaust("search", "tenant=acme");
            limits.exhaust("search", "tenant=staff");
            assertThat(admits(sluice, TestCall.get("/search").of("acme"))).isFalse();
            assertThat(admits(sluice, TestCall.get("/search").of("staff"))).isTrue();
            assertThat(limits.admits("search", "tenant=staff")).isTrue();
            assertThatThrownBy(() -> limits.exhaust("search", "tenant=test"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("endpoint search has mode off for tenant=test, so it counts nothing");
        }

        @Test
        void haveThePlanThatTheirCallsName() {
            Sluice sluice = open("""
                plans: { pro: { multiply: 10 } }
                clients: { planFrom: [ "claim:plan" ] }
                endpoints:
                  - { id: search, pathPattern: /search, tiers: [ { period: 1m, threshold: 3 } ] }
                """);
            assertThat(limits.remaining("search", "tenant=acme", "plan=pro")).isEqualTo(30);
            limits.exhaust("search", "tenant=acme", "plan=pro");
            assertThat(admits(sluice, TestCall.get("/search").of("acme").with("claim:plan", "pro")))
                    .isFalse();
        }

        @Test
        void haveThePlanThatTheApplicationKnows() {
            ClientSource customers =
                    (source, key) -> CompletableFuture.completedFuture(Optional.of(new KnownClient("Acme", "pro")));
            Sluice sluice = open(Sluice.builder().clientSource("customers", customers), """
                plans: { pro: { multiply: 10 } }
                clients: { from: customers }
                endpoints:
                  - { id: search, pathPattern: /search, tiers: [ { period: 1m, threshold: 3 } ] }
                """);
            Eventually.await("the plan is known", () -> limits.remaining("search", "tenant=acme") == 30);
            limits.exhaust("search", "tenant=acme");
            assertThat(admits(sluice, TestCall.get("/search").of("acme"))).isFalse();
        }
    }

    @Nested
    class Blocks {

        @Test
        void areKnownAndEndWithTheReset() {
            Sluice sluice = withTier("period: 1s, threshold: 1, block: { after: 2, within: 1m, for: 15m }");
            limits.exhaust("login", CALLER);
            sluice.decide(TestCall.post("/login"));
            sluice.decide(TestCall.post("/login"));
            limits.clock().advance(Duration.ofMinutes(14));
            assertThat(limits.remaining("login", CALLER)).isEqualTo(1);
            assertThat(limits.admits("login", CALLER)).isFalse();

            limits.reset();
            assertThat(admits(sluice, TestCall.post("/login"))).isTrue();
            assertThat(admits(sluice, TestCall.post("/login"))).isFalse();
            assertThat(sluice.blocks()).as("after one refusal").isEmpty();
        }
    }

    @Nested
    class DryRuns {

        @Test
        void refuseNobody() {
            Sluice sluice = open("""
                - { id: login, mode: dry-run, pathPattern: /login, per: [ ip ], tiers: [ { period: 1m, threshold: 3 } ] }
                """);
            limits.exhaust("login", CALLER);
            assertThat(limits.admits("login", CALLER)).isTrue();
            assertThat(admits(sluice, TestCall.post("/login"))).isTrue();
            assertThat(limits.refusals("login", CALLER)).isZero();
            assertThat(limits.dryRunRefusals("login", CALLER)).isEqualTo(1);
        }
    }

    @Nested
    class Mistakes {

        private static final String LIMITS = """
            - { id: login, pathPattern: /login, per: [ ip, tenant ], tiers: [ { period: 1m, threshold: 3 } ] }
            - { id: search, pathPattern: /search, tiers: [ { period: 1m, threshold: 3 } ] }
            - { id: all, pathPattern: /**, per: [ server ], tiers: [ { period: 1m, threshold: 3 } ] }
            """;

        private void assertMistake(String message, String endpoint, String... caller) {
            assertThatThrownBy(() -> limits.exhaust(endpoint, caller))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(message);
        }

        @Test
        void sayWhatToWrite() {
            open(LIMITS);
            assertMistake(
                    "no enabled endpoint has the id \"logn\" (did you mean login?); the enabled endpoints are all, "
                            + "login, search",
                    "logn");
            assertMistake(
                    "endpoint login is keyed by tenant, which is missing; name the caller as in \"ip=192.0.2.1\", "
                            + "\"tenant=acme\"",
                    "login",
                    CALLER);
            assertMistake(
                    "endpoint search is not keyed by \"tennant\" (did you mean tenant?); name the caller as in "
                            + "\"tenant=acme\"",
                    "search",
                    "tennant=acme");
            assertMistake(
                    "endpoint all is not keyed by \"ip\"; it counts all callers together, so do not name a caller",
                    "all",
                    CALLER);
            assertMistake(
                    "\"tenant=none\" names a caller called none; for callers without tenant write \"tenant=\"",
                    "search",
                    "tenant=none");
            assertMistake(
                    "\"ip=localhost\" is not an address; write one such as ip=192.0.2.1",
                    "login",
                    "ip=localhost",
                    "tenant=a");
            assertMistake(
                    "\"192.0.2.1\" does not name a caller; write a subject and its value, such as \"ip=192.0.2.1\"",
                    "login",
                    "192.0.2.1");
            assertMistake(
                    "the caller has two values for tenant; name only one caller at a time",
                    "search",
                    "tenant=a",
                    "tenant=b");
        }

        @Test
        void withoutALimiterSayHowToGetOne() {
            limits.reset();
            assertThatThrownBy(() -> limits.remaining("login"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no limiter uses these LimitsUnderTest");
        }

        @Test
        void twoLimitersCannotShareLimitsUnderTest() {
            open(LIMITS);
            assertThatThrownBy(() -> open(LIMITS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("already belong to another limiter");
        }
    }
}
