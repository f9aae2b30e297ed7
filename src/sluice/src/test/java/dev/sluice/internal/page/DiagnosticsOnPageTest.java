package dev.sluice.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.limits.LimiterDiagnostics;
import dev.sluice.open.Sluice;
import dev.sluice.spring.actuate.RateLimitsEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JSON of the page and the actuator show the diagnostics of an instance with the same names. */
class DiagnosticsOnPageTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String WARNING = "redis://host may evict counters";

    @TempDir
    private Path directory;

    private Sluice sluice;

    @BeforeEach
    void callOnce() throws IOException {
        Path file = Files.writeString(directory.resolve("rate-limits.yml"), """
            - { id: api, pathPattern: /api, tiers: [ { period: 360d, threshold: 10, sync: strict } ] }
            """);
        sluice = Sluice.builder()
                .config(file.toString())
                .store(new WarningStore())
                .open();
        sluice.decide(TestCall.get("/api").of("acme"));
    }

    @AfterEach
    void close() {
        sluice.close();
    }

    /** A store that counts, and warns that it is misconfigured. */
    private static final class WarningStore implements CounterStore {

        private final CounterStore counts = new InMemoryCounterStore(InstantSource.system(), 1_000);

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            return counts.exchange(batch);
        }

        @Override
        public String warning() {
            return WARNING;
        }

        @Override
        public void close() {
            counts.close();
        }
    }

    private static JsonNode read(Record data) throws IOException {
        return JSON.readTree(JsonText.of(data));
    }

    private static List<Subject> acme() {
        return List.of(new Subject("tenant", "header:X-Org-Id", "acme"));
    }

    @Test
    void dataJsonContainsTheDiagnostics() throws IOException {
        Sampler sampler = new Sampler(sluice);
        JsonNode found = read(sampler.diagnosed()).get("diagnostics").get("background");
        assertThat(found.get("state").asText()).isEqualTo("running");
        assertThat(found.get("accounts").get("all").asInt()).isEqualTo(1);
        assertThat(read(sampler.everything()).has("diagnostics")).isFalse();
        assertThat(read(sampler.takeChanges()).has("diagnostics")).isFalse();
    }

    @Test
    void theStoresWarningIsShownWithItsState() throws IOException {
        Sampler sampler = new Sampler(sluice);
        JsonNode found = read(sampler.diagnosed());
        assertThat(found.get("store").get("warning").asText()).isEqualTo(WARNING);
        assertThat(found.get("store").get("up").asBoolean()).isTrue();
        assertThat(found.get("diagnostics")
                        .get("background")
                        .get("storeWarning")
                        .asText())
                .isEqualTo(WARNING);
        assertThat(sluice.diagnostics(acme()).background().storeWarning()).isEqualTo(WARNING);
    }

    @Test
    void anAccountIsShownUnderItsKey() throws IOException {
        LimiterDiagnostics found = sluice.diagnostics(acme());
        JsonNode account = read(found).get("accounts").get(0);
        assertThat(account.get("key").asText())
                .matches("sluice:\\{\\d+/16}:tenant=header%3aX-Org-Id=acme:api:\\*:360d:\\d+:\\d+");
        assertThat(account.get("here").get("used").asInt()).isEqualTo(1);
        assertThat(account.get("fleet").get("left").asInt()).isEqualTo(9);
        assertThat(account.get("decides").asText()).isEqualTo("shared");
    }

    @Test
    @SuppressWarnings("unchecked")
    void theActuatorShowsTheSame() throws IOException {
        RateLimitsEndpoint endpoint = new RateLimitsEndpoint(sluice);
        JsonNode all = JSON.valueToTree(endpoint.inForce().get("diagnostics"));
        assertThat(all.get("background").get("state").asText()).isEqualTo("running");
        Map<String, Object> ofAcme = (Map<String, Object>) endpoint.standing("tenant", "acme");
        JsonNode shown = JSON.valueToTree(ofAcme.get("accounts")).get(0);
        JsonNode onPage = read(sluice.diagnostics(acme())).get("accounts").get(0);
        assertThat(shown.fieldNames()).toIterable().containsExactlyElementsOf(() -> onPage.fieldNames());
        assertThat(shown.get("key")).isEqualTo(onPage.get("key"));
    }
}
