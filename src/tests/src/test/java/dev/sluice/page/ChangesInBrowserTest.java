package dev.sluice.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.OverrideChange;
import dev.sluice.TestCall;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An operator gives and resets on the page. Skipped without Chromium. */
@Timeout(120)
@Tag("thorough")
@Tag("server")
@Tag("store")
@Tag("browser")
class ChangesInBrowserTest {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    @TempDir
    private Path folder;

    /** A customer that has used up the limit of a year. */
    private static final class UsedUp implements Play {

        @Override
        public String limits() {
            return """
                subjects: { tenant: [ "header:X-Org-Id" ] }
                endpoints:
                  - { id: orders, pathPattern: /orders, cost: 10, tiers: [ { period: 360d, threshold: 300 } ] }
                """;
        }

        @Override
        public Overrides setOutside() {
            return new Overrides("1", List.of(), Map.of());
        }

        @Override
        public void step(double ago, Calls calls) {
            calls.make(ago > 0 ? 1 : 0, TestCall.get("/orders").of("acme"));
        }
    }

    private static void send(Tab tab, String calls, String button) {
        tab.evaluate("(form => { const [calls, why] = form.querySelectorAll('input'); calls.value = '" + calls
                + "'; why.value = 'ticket 12 <b>'; form.querySelector('button[type=" + button + "]').click(); })"
                + "(document.querySelector('dialog .change'))");
    }

    @Test
    void anOperatorGivesAndResets() throws Exception {
        assumeTrue(Chromium.installed().isPresent(), "there is no Chromium on the PATH: apt-get install chromium");
        try (Scene scene = new Scene(folder, 60, new UsedUp(), redis.patientUri());
                Chromium chromium = Chromium.start();
                Tab tab = chromium.open()) {
            scene.play();
            tab.look(1280, 800, 1, false);
            tab.show(scene.page());
            tab.await("document.querySelector('#refused tbody tr')", 30);
            tab.evaluate("document.querySelector('#refused tbody button').click()");
            tab.await("document.querySelector('dialog .change:not([hidden])')", 10);
            String shown = "document.querySelector('dialog').innerText";
            tab.await(shown + ".includes('300 permits used, 0 left')", 10);
            tab.evaluate("document.querySelector('dialog summary').click()");
            assertThat(tab.evaluate(shown).asText()).contains("How many permits to give", "Reason, for the history");
            String said = "document.querySelector('dialog .said').innerText";
            send(tab, "0", "submit");
            tab.await(said + ".startsWith('Enter the number of calls to give as a whole number')", 10);
            assertThat(tab.evaluate("document.querySelector('dialog .said').className")
                            .asText())
                    .contains("count-bad");
            send(tab, "120", "submit");
            tab.await(said + " === 'You have given 120 permits in tier 360d.'", 10);
            send(tab, "", "button");
            tab.await(said + ".startsWith('You have reset ')", 10);
            List<OverrideChange> history = scene.history();
            assertThat(history).hasSize(2).allSatisfy(change -> {
                assertThat(change.endpoint()).isEqualTo("orders");
                assertThat(change.client()).isEqualTo("acme");
                assertThat(change.why()).isEqualTo("ticket 12 <b>");
            });
            assertThat(tab.complaints())
                    .as("the browser logs the answer 400")
                    .allSatisfy(one -> assertThat(one).contains("400"));
        }
    }
}
