package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.TestClock;
import dev.sluice.fleet.LogLines;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Code that calls limiter.run, and does not pass what the endpoints are keyed by. */
class UnfitSubjectsTest {

    private static final String LIMITS = """
        subjects:
          tenant: [ "hash(header:X-Api-Key)", ip ]
          user: [ principal ]
          elsewhere: [ country, "claim:sub" ]
        secrets: { key: 0123456789abcdef }
        clients: [ { user: vip, multiply: 2 } ]
        endpoints:
          - { id: report, on: report, per: [ "argument:customerId" ], cost: "argument:rows", tiers: [ { period: 1h, threshold: 9 } ] }
          - { id: tenants, on: tenants, tiers: [ { period: 1h, threshold: 9 } ] }
          - { id: elsewhere, on: elsewhere, per: [ elsewhere, server ], tiers: [ { period: 1h, threshold: 9 } ] }
          - { id: all, on: all, per: [], tiers: [ { period: 1h, threshold: 9 } ] }
          - { id: users, pathPattern: /, per: [ user ], tiers: [ { period: 1h, threshold: 9 } ] }
        """;

    /** The warnings about three calls that give the same. */
    private static List<String> warnings(String name, Map<String, ?> given) {
        try (LogLines log = new LogLines();
                Sluice sluice = Sluice.builder()
                        .config(new GivenFile(LIMITS))
                        .clock(new TestClock(0))
                        .open()) {
            for (int i = 0; i < 3; i++) {
                sluice.run(name, given, () -> {});
            }
            return log.with("limiter.run(");
        }
    }

    @Test
    void warnsOnceOfAMissingSubject() {
        assertThat(warnings("report", Map.of("customerId", 7, "argument:rows", 1)))
                .singleElement()
                .asString()
                .contains(
                        "WARN",
                        ": limiter.run(\"report\", …) does not pass argument:customerId, which the endpoint report "
                                + "is keyed by, so all these calls share one counter. It passes argument:rows, "
                                + "customerId; pass a value for \"argument:customerId\", or null if there is none");
    }

    @Test
    void warnsOfAMissingCost() {
        assertThat(warnings("report", Map.of("argument:customerId", 7, "rows", 1)))
                .singleElement()
                .asString()
                .contains("does not pass argument:rows, which is the cost at the endpoint report, so each of these "
                        + "calls costs 1. It passes argument:customerId, rows; pass a value for \"argument:rows\"");
    }

    @Test
    void warnsIfNothingIsGiven() {
        assertThat(warnings("tenants", Map.of()))
                .singleElement()
                .asString()
                .contains("does not pass tenant, which the endpoint tenants is keyed by", "It passes nothing;");
    }

    @Test
    void warnsOfANameThatNothingReads() {
        assertThat(warnings("tenants", Map.of("tenant", "acme", "usr", "ann")))
                .singleElement()
                .asString()
                .contains("gives usr, which is neither a subject nor a source, so no endpoint is keyed by it; did you "
                        + "mean user?");
    }

    @Test
    void whatFitsIsNot() {
        assertThat(warnings("report", Map.of("argument:customerId", Optional.empty(), "argument:rows", 1)))
                .isEmpty();
        assertThat(warnings("tenants", Map.of("tenant", "acme", "user", "ann"))).isEmpty();
        assertThat(warnings("tenants", Collections.singletonMap("tenant", null)))
                .isEmpty();
        assertThat(warnings("tenants", Map.of("header:x-api-key", "acme"))).isEmpty();
        assertThat(warnings("tenants", Map.of("hash(header:X-Api-Key)", "acme")))
                .isEmpty();
        assertThat(warnings("tenants", Map.of("ip", "10.0.0.1"))).isEmpty();
        assertThat(warnings("elsewhere", Map.of())).isEmpty();
        assertThat(warnings("all", Map.of())).isEmpty();
    }
}
