package dev.sluice.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.internal.page.PageData.ClientData;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Charts draw a line for the tier of a client with the shortest period, as long as that tier exists. */
class LimitLineTest {

    private static final String FILE = """
        reload: 100ms
        subjects: { tenant: [ "header:X-Org-Id" ] }
        clients: [ { tenant: %s, multiply: 2 } ]
        endpoints:
          - { id: other, pathPattern: /other, tiers: [ { period: 1m, threshold: %d } ] }
          - { id: shop, pathPattern: /shop, tiers: [ %s { period: 1h, threshold: 1020 } ] }
        """;
    private static final String TEN_SECONDS = "{ period: 10s, threshold: 1000 },";

    private final AtomicLong now = new AtomicLong(1_795_000_000_000L);

    private final GivenFile file = new GivenFile(FILE.formatted("big", 5, TEN_SECONDS));
    private final Sluice sluice = Sluice.builder()
            .config(file)
            .clock(() -> Instant.ofEpochMilli(now.get()))
            .open();
    private final Sampler sampler = new Sampler(sluice);

    @AfterEach
    void close() {
        sluice.close();
    }

    private void call(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(sluice.decide(TestCall.get("/shop").of("acme")).admitted())
                    .isTrue();
        }
    }

    private ClientData acme() {
        return sampler.everything().traffic().clients().get(0);
    }

    /** Waits until an endpoint whose first tier has this threshold is in force. */
    private void becomes(String text, long threshold) {
        file.becomes(text);
        Eventually.await(
                "the change",
                () -> sluice.status().limits().endpoints().stream()
                        .anyMatch(endpoint -> endpoint.tiers().get(0).limit().threshold() == threshold));
    }

    @Test
    void survivesReloadsThatDoNotChangeTheLimit() {
        call(100);
        assertThat(acme().line().periodMillis()).isEqualTo(10_000);
        now.addAndGet(10_000);
        call(1);
        assertThat(acme().tier()).isEqualTo("1h"); // the tier with less left, in proportion
        assertThat(acme().line().periodMillis()).isEqualTo(10_000);

        becomes(FILE.formatted("big", 6, TEN_SECONDS), 6);
        assertThat(acme().line().periodMillis()).isEqualTo(10_000);

        becomes(FILE.formatted("big", 6, ""), 1020);
        assertThat(acme().line().periodMillis()).isEqualTo(3_600_000);
    }

    @Test
    void isForgottenIfTheClientsInTheFileChange() {
        call(100);
        now.addAndGet(10_000);
        call(1);
        assertThat(acme().line().periodMillis()).isEqualTo(10_000);

        becomes(FILE.formatted("acme", 7, TEN_SECONDS), 7);
        assertThat(acme().line().periodMillis()).isEqualTo(3_600_000);
    }
}
