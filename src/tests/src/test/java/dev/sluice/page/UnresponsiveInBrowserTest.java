package dev.sluice.page;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.CounterKey;
import dev.sluice.Subject;
import dev.sluice.TestCall;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An operator who asks why calls are refused finds that an instance is unresponsive. Skipped without Chromium. */
@Timeout(120)
@Tag("thorough")
@Tag("server")
@Tag("store")
@Tag("browser")
class UnresponsiveInBrowserTest {

    private static final String HOSTILE = "<img src=x onerror=alert(1)>\u202E";

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    @TempDir
    private Path folder;

    /** A client that calls twice a second. */
    private static final class OneCaller implements Play {

        @Override
        public String limits() {
            return """
                endpoints:
                  - { id: orders, pathPattern: /orders, tiers: [ { period: 360d, threshold: 300 } ] }
                """;
        }

        @Override
        public Overrides setOutside() {
            return new Overrides("1", List.of(), Map.of());
        }

        @Override
        public void step(double ago, Calls calls) {
            calls.make(1, TestCall.get("/orders").of("acme"));
        }
    }

    private static void holdAndDie(String instance, long permits) {
        long period = Duration.ofDays(360).toMillis();
        long start = System.currentTimeMillis() / period * period;
        List<Subject> acme = List.of(new Subject("tenant", "header:X-Org-Id", "acme"));
        CounterKey key = new CounterKey("orders", "*", "360d", acme, start, start + period);
        try (CounterStore store = CounterStores.open(redis.patientUri())) {
            exchangeInTheEnd(
                    store,
                    batch(instance, 1, statementOf(key, 300).holding(permits).leasedFor(Duration.ofMillis(1))));
        }
    }

    @Test
    void aClientShowsWhatCountsForUnresponsiveInstances() throws Exception {
        assumeTrue(Chromium.installed().isPresent(), "there is no Chromium on the PATH: apt-get install chromium");
        try (Scene scene = new Scene(folder, 1, new OneCaller(), redis.patientUri());
                Chromium chromium = Chromium.start();
                Tab tab = chromium.open()) {
            scene.play();
            scene.goOn();
            tab.look(1280, 1180, 1, false);
            tab.show(scene.page());
            tab.await("document.querySelector('#clients tbody tr')", 30);
            tab.evaluate("document.querySelector('#clients tbody button').click()");
            tab.await("document.querySelectorAll('dialog .limit').length === 1", 10);
            String dialog = "document.querySelector('dialog').innerText";
            assertThat(tab.evaluate(dialog).asText()).doesNotContain("unresponsive");
            holdAndDie("shop-2-0b2f8c1e-5d2a-4f0e-9a3b-6c1d2e3f4a5b", 53);
            holdAndDie(HOSTILE, 1);
            tab.await(
                    "/\\n53 count as used: instance shop-2 held them, and has been unresponsive since "
                            + "\\d\\d:\\d\\d:\\d\\d\\n1 counts as used: instance <img src=x onerror=alert\\(1\\)>\\\\u202e "
                            + "held it, and has/.test(" + dialog + ")",
                    15);
            Path pictures = Files.createDirectories(Path.of("src/tests/target/pictures"));
            Files.write(pictures.resolve("page-unresponsive.png"), tab.picture());
            assertThat(tab.complaints()).isEmpty();
        }
    }
}
