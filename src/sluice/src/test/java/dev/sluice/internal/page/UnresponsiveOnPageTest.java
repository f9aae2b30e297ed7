package dev.sluice.internal.page;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.Eventually;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.LimiterDiagnostics.Account;
import dev.sluice.limits.LimiterDiagnostics.Account.Unresponsive;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import dev.sluice.spring.actuate.RateLimitsEndpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The diagnostics of one caller say what counts as used for instances that are unresponsive. */
@Tag("store")
class UnresponsiveOnPageTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<Subject> ACME = List.of(new Subject("tenant", "header:X-Org-Id", "acme"));

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private Sluice sluice;

    @BeforeEach
    void callOnce() {
        sluice = Sluice.builder()
                .config(new GivenFile("""
                    - id: api
                      pathPattern: /api
                      tiers:
                        - { period: 360d, threshold: 10 }
                        - { period: 1h, threshold: 10, algorithm: sliding-window }
                        - { threshold: 5, algorithm: concurrency }
                    """))
                .store(redis.patientUri())
                .open();
        Eventually.await(
                "a call that the store has counted",
                () -> sluice.decide(TestCall.get("/api").of("acme")).admitted()
                        && account("360d").decides() == Account.Decides.SHARED);
    }

    @AfterEach
    void close() {
        sluice.close();
    }

    private Account account(String tier) {
        return sluice.diagnostics(ACME).accounts().stream()
                .filter(one -> one.key().tier().equals(tier))
                .findFirst()
                .orElseThrow();
    }

    private void holdAndDie(String tier) {
        try (CounterStore store = CounterStores.open(redis.patientUri())) {
            exchangeInTheEnd(
                    store,
                    batch(
                            "shop-2-0b2f8c1e-5d2a-4f0e-9a3b-6c1d2e3f4a5b",
                            1,
                            statementOf(account(tier).key(), 10).holding(3).leasedFor(Duration.ofMillis(1))));
        }
    }

    @Test
    void theDiagnosticsOfACallerNameThem() {
        assertThat(account("360d").fleet().unresponsive()).isEmpty();
        Instant before = Instant.now();
        holdAndDie("360d");
        Unresponsive found =
                Objects.requireNonNull(account("360d").fleet().unresponsive()).get(0);
        assertThat(found.instance()).isEqualTo("shop-2");
        assertThat(found.permits()).isEqualTo(3);
        assertThat(found.since())
                .isBetween(before.minusSeconds(1), Instant.now().plusSeconds(1));
        assertThat(account("1h-sliding-window").fleet().unresponsive()).isEmpty();
        assertThat(account("concurrency").fleet().unresponsive()).isEmpty();
    }

    @Test
    void thoseOfAllCallersDoNotAskTheStore() {
        assertThat(sluice.diagnostics().accounts()).allMatch(one -> one.fleet().unresponsive() == null);
    }

    @Test
    void theActuatorShowsThem() {
        holdAndDie("360d");
        Map<?, ?> answer = (Map<?, ?>) new RateLimitsEndpoint(sluice).standing("tenant", "acme");
        JsonNode accounts = JSON.valueToTree(answer.get("accounts"));
        assertThat(accounts.findValues("unresponsive").toString())
                .contains("\"instance\":\"shop-2\",\"permits\":3,\"since\":\"20");
    }
}
