package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.fleet.LogLines;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.instance.reload.LimitsInForce;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.Explanation;
import dev.sluice.limits.Limits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters and reports know secret values of callers by their hashes only. */
class SecretSubjectsTest {

    private static final String KEY = "the key of all instances";
    private static final SecretDigest DIGEST = SecretDigest.keyed(KEY);

    private static final String FILE = """
        secrets: { key: "the key of all instances" }
        subjects:
          tenant: %s
        clients:
          - { tenant: vip-key, multiply: 2 }
          - { tenant: "free-*", exempt: true }
        endpoints:
          - { id: shop, pathPattern: /shop, tiers: [ { period: 1h, threshold: 2 } ] }
        """;

    private static Sluice open(String tenant, RateLimitListener listener) {
        return Sluice.builder()
                .config(new GivenFile(FILE.formatted(tenant)))
                .clock(new TestClock(0))
                .listener(listener)
                .open();
    }

    private static RateLimitListener telling(List<Decision> told) {
        return new RateLimitListener() {
            @Override
            public void onDecision(Call call, Decision decision) {
                told.add(decision);
            }
        };
    }

    private static TestCall call(String key) {
        return TestCall.get("/shop").with("X-Api-Key", key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[ \"hash(header:X-Api-Key)\" ]",
                "{ sources: [ \"header:X-Api-Key\" ], secret: true }",
                "{ sources: [ \"hash(header:X-Api-Key)\", \"header:X-Api-Key\" ], secret: true }"
            })
    void areToldByTheirHash(String tenant) {
        List<Decision> told = new ArrayList<>();
        try (LogLines log = new LogLines();
                Sluice sluice = open(tenant, telling(told))) {
            Decision decision = sluice.decide(call("k-123"));
            Subject expected = new Subject("tenant", "hash(header:X-Api-Key)", DIGEST.apply("k-123"));

            assertThat(decision.subjects()).containsExactly(expected);
            assertThat(told).singleElement().isEqualTo(decision);
            assertThat(sluice.explain(call("k-123")))
                    .singleElement()
                    .extracting(Explanation::key)
                    .satisfies(key -> assertThat(key.subjects()).containsExactly(expected))
                    .satisfies(key -> assertThat(key.text()).doesNotContain("k-123"));
            assertThat(String.join("\n", log.all())).doesNotContain("k-123", "vip-key", KEY);
        }
    }

    @Test
    void areCountedApart() {
        try (Sluice sluice = open("[ \"hash(header:X-Api-Key)\" ]", RateLimitListener.NONE)) {
            assertThat(outcomes(sluice, "a", 3)).containsExactly(Outcome.ADMITTED, Outcome.ADMITTED, Outcome.REFUSED);
            assertThat(outcomes(sluice, "b", 1)).containsExactly(Outcome.ADMITTED);
            assertThat(outcomes(sluice, DIGEST.apply("a"), 1))
                    .as("whoever sends a hash")
                    .containsExactly(Outcome.ADMITTED);
        }
    }

    /** The file names clients by their clear values. */
    @Test
    void areClientsByTheirClearValue() {
        try (Sluice sluice = open("[ \"hash(header:X-Api-Key)\" ]", RateLimitListener.NONE)) {
            assertThat(outcomes(sluice, "vip-key", 5))
                    .filteredOn(Outcome.ADMITTED::equals)
                    .hasSize(4);
            assertThat(outcomes(sluice, "free-9", 5)).containsOnly(Outcome.EXEMPT);
        }
    }

    /** Sources that are not marked as secret stay clear. */
    @Test
    void areOnlyThoseThatAreMarked() {
        try (Sluice sluice = open("[ \"hash(query:key)\", \"header:X-Api-Key\" ]", RateLimitListener.NONE)) {
            assertThat(sluice.decide(call("k-123")).subjects())
                    .containsExactly(new Subject("tenant", "header:X-Api-Key", "k-123"));
        }
    }

    /** Hashes appear in logs, so anyone could send one in a header that is not secret. */
    @Test
    void areNobodyWhoSendsTheirHashInAPlainHeader() {
        LimitsFile file = new GivenFile(FILE.formatted("[ \"hash(query:key)\", \"header:X-Api-Key\" ]")).load();
        String hash = DIGEST.apply("k-123");
        Limits limits = LimitsInForce.of(
                file,
                List.of(
                        new ClientOverride("tenant", hash, "shop", "5/1h"),
                        new ClientOverride("tenant", "a".repeat(70), "shop", "6/1h")));
        try (CountingRateLimiter limiter = new CountingRateLimiter(limits, new TestClock(0), RateLimitListener.NONE)) {
            assertThat(limiter.decide(TestCall.get("/shop").with("query:key", "k-123")))
                    .returns(5L, Decision::limit)
                    .returns(List.of(new Subject("tenant", "hash(query:key)", hash)), Decision::subjects);
            assertThat(limiter.decide(call(hash)))
                    .returns(2L, Decision::limit)
                    .extracting(decision -> decision.subjects().get(0).value())
                    .asString()
                    .startsWith("sha256-");
            assertThat(limiter.decide(call("a".repeat(70)))).returns(6L, Decision::limit);
            assertThat(limiter.decide(call("a".repeat(71)))).returns(2L, Decision::limit);
        }
    }

    @Test
    void haveAWarningWithoutAKey() {
        assertThat(new GivenFile("subjects: { tenant: [ \"hash(header:X-Api-Key)\", \"hash(query:key)\" ] "
                                + "}\nendpoints:\n"
                                + GivenFile.SMALLEST)
                        .problems())
                .singleElement()
                .asString()
                .contains("secret values are hashed without a key", "[SL-158]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"clients: [ { tenant: [ k-123, k-123 ], exempt: true } ]", "when: { tenant: [ k-123, k-123 ] }"})
    void areInNoMessage(String key) {
        String endpoint = "{ id: shop, pathPattern: /shop, tiers: [ { period: 1h, threshold: 2 } ]%s }";
        String file = "secrets: { key: \"the key of all instances\" }\n"
                + "subjects: { tenant: [ \"hash(header:X-Api-Key)\" ] }\n"
                + (key.startsWith("when") ? "" : key) + "\nendpoints: [ "
                + endpoint.formatted(key.startsWith("when") ? ", " + key : "") + " ]";
        assertThat(new GivenFile(file).problems())
                .singleElement()
                .asString()
                .contains("the value of \"***\" appears twice in this list")
                .doesNotContain("k-123");
    }

    private static List<Outcome> outcomes(Sluice sluice, String key, int calls) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            outcomes.add(sluice.decide(call(key)).outcome());
        }
        return outcomes;
    }
}
