package dev.sluice.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.TestCall;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * While somebody scans from many addresses, an operator finds the callers that are refused most often, the limit and
 * the beginning, all without scrolling. Skipped without Chromium.
 */
@Timeout(300)
@Tag("thorough")
@Tag("server")
@Tag("browser")
class RefusedInBrowserTest {

    private static final int ADDRESSES = 500;

    @TempDir
    private static Path folder;

    private static Scene scene;
    private static Chromium chromium;
    private Tab tab;

    /** Customers that are refused now or were refused before, calls that cost rows, and a scan. */
    private static final class Scan implements Play {

        private int calls;

        @Override
        public String limits() {
            return """
                subjects: { tenant: [ "header:X-Org-Id" ] }
                endpoints:
                  - id: product
                    pathPattern: /product
                    tiers: [ { period: 10s, threshold: 20 }, { period: 1h, threshold: 50000 } ]
                  - { id: export, pathPattern: /export, cost: "header:X-Rows", tiers: [ { period: 1h, threshold: 90000 } ] }
                  - { id: login, pathPattern: /login, per: [ ip ], tiers: [ { period: 1h, threshold: 2 } ] }
                """;
        }

        @Override
        public Overrides setOutside() {
            return new Overrides("1", List.of(), Map.of());
        }

        @Override
        public void step(double ago, Calls made) {
            made.make(ago < 150 ? 12 : 0.5, TestCall.get("/product").of("still-refused"));
            made.make(ago > 300 && ago < 350 ? 9 : 0, TestCall.get("/product").of("was-refused"));
            made.make(0.5, TestCall.get("/product").of("never-refused"));
            made.make(2, TestCall.get("/export").of("exporter").with("X-Rows", "1000"));
            for (int i = 0; i < 20; i++) {
                calls++;
                made.make(
                        ago > 0 ? 1 : 0,
                        TestCall.get("/login").from("198.51." + calls % ADDRESSES / 100 + "." + calls % 100));
            }
        }
    }

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(Chromium.installed().isPresent(), "there is no Chromium on the PATH: apt-get install chromium");
        scene = new Scene(folder, 400, new Scan());
        scene.play();
        scene.goOn();
        chromium = Chromium.start();
    }

    @AfterAll
    static void stop() throws Exception {
        if (chromium != null) {
            chromium.close();
        }
        if (scene != null) {
            scene.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        tab = chromium.open();
        show(1280, 800, false);
    }

    private void show(int width, int height, boolean isDark) throws InterruptedException {
        tab.look(width, height, 1, isDark);
        tab.show(scene.page());
        tab.await("document.querySelectorAll('#refused tbody tr').length === 3", 30);
    }

    @AfterEach
    void nothingIsWrong() {
        try {
            assertThat(tab.complaints()).isEmpty();
        } finally {
            tab.close();
        }
    }

    /** The texts of a row's cells. */
    private List<String> cells(String table, int row) {
        return new ObjectMapper()
                .convertValue(
                        tab.evaluate("[...document.querySelectorAll('#" + table + " tbody tr')[" + row
                                + "].cells].map(cell => cell.innerText.trim())"),
                        new TypeReference<>() {});
    }

    /** An edge of the first element that matches, from the top of the page as it opens. */
    private int edge(String selector, String edge) {
        return tab.evaluate("document.querySelector('" + selector + "').getBoundingClientRect()." + edge)
                .asInt();
    }

    @ParameterizedTest
    @CsvSource({"1280, 800, false", "1280, 800, true", "1176, 800, false"})
    void whoIsRefusedMostByWhichLimitAndSinceWhenStandsAboveTheFold(int width, int height, boolean isDark)
            throws Exception {
        show(width, height, isDark);
        assertThat(tab.evaluate("scrollY").asInt()).isZero();
        assertThat(edge("#refused tbody tr:last-child", "bottom")).isBetween(100, height / 2);
        assertThat(edge("#refused tbody tr:last-child", "right")).isLessThan(width);
        assertThat(edge("#addresses tbody tr", "bottom")).isLessThan(height);
        tab.await("document.querySelector('#refused tbody tr').cells[0].innerText === 'still-refused'", 5);
        List<String> first = cells("refused", 0);
        assertThat(first.subList(0, 3)).containsExactly("still-refused", "product, tier 10s", "20 calls in 10s");
        assertThat(Integer.parseInt(first.get(3).replace(",", ""))).isGreaterThan(100);
        assertThat(first.get(4)).matches("[\\d.]+ /s");
        assertThat(first.get(5)).matches("\\d\\d:\\d\\d:\\d\\d");
        assertThat(first.get(6)).isEqualTo("still refused");
        assertThat(first.get(7)).matches("in \\d+s|has reset");
    }

    @Test
    void whoIsNoLongerRefusedComesLaterAndShowsUntilWhen() {
        List<String> last = cells("refused", 2);
        assertThat(last.subList(0, 3)).containsExactly("was-refused", "product, tier 10s", "20 calls in 10s");
        assertThat(last.get(5)).matches("\\d\\d:\\d\\d:\\d\\d");
        assertThat(last.get(6)).matches("\\d\\d:\\d\\d:\\d\\d").isGreaterThan(last.get(5));
        assertThat(last.get(7)).isEqualTo("has reset");
    }

    @Test
    void aScanFromManyAddressesStandsApartAndHidesNoCustomer() throws Exception {
        assertThat(tab.evaluate("document.querySelector('#refused').innerText").asText())
                .contains("still-refused", "was-refused", "exporter")
                .doesNotContain("198.51.");
        assertThat(tab.evaluate("document.querySelector('#clients').innerText").asText())
                .contains("still-refused", "never-refused", "exporter")
                .doesNotContain("198.51.");
        assertThat(cells("addresses", 0).get(0)).startsWith("address 198.51.");
        tab.await("document.querySelector('#addresses-note').innerText.includes(' of 100 addresses')", 20);
        assertThat(tab.evaluate("document.querySelector('#addresses-note').innerText")
                        .asText())
                .matches("The limits refused [\\d,]+ calls of 100 addresses and logins since .+");
        JsonNode clients = new ObjectMapper()
                .readTree(scene.get("data.json"))
                .get("traffic")
                .get("clients");
        assertThat(clients).hasSize(104);
    }

    @Test
    void aLimitOfCostsNamesItsUnit() {
        String exporter = "[...document.querySelectorAll('#refused tbody tr')].find(row => row.innerText.includes("
                + "'exporter'))";
        assertThat(tab.evaluate(exporter + ".cells[2].innerText").asText()).isEqualTo("90,000 permits in 1h");
        assertThat(tab.evaluate("document.querySelector('#endpoints').innerText")
                        .asText())
                .contains("20 calls in 10s", "90,000 permits in 1h");
        assertThat(tab.evaluate("[...document.querySelectorAll('.legend .limits')].map(one => one.innerText).join()")
                        .asText())
                .as("a chart of calls has no line for a limit of permits")
                .contains("20 calls")
                .doesNotContain("90,000");
    }

    @Test
    void aLoginIsCalledAFingerprint() {
        assertThat(tab.evaluate(
                                "import('./format.js').then(({ callerName }) => callerName({ caller: ["
                                        + "{ name: 'login', source: 'hash(login)', value: '#0123456789abcdef0123456789abcdef' }] }))")
                        .asText())
                .isEqualTo("login fingerprint #0123456789a…");
    }

    /** Nobody calls. */
    private static final class Silence implements Play {

        @Override
        public String limits() {
            return Play.limits(100, "umbrella");
        }

        @Override
        public Overrides setOutside() {
            return new Overrides("1", List.of(), Map.of());
        }

        @Override
        public void step(double ago, Calls calls) {}
    }

    private static void filter(Tab tab, String name) {
        tab.evaluate("(s => { s.value = '" + name + "'; s.dispatchEvent(new Event('input', { bubbles: true })) })"
                + "(document.querySelector('#filter-client'))");
    }

    @Test
    void anEmptyPageSaysWhatThatMeans() throws Exception {
        try (Scene silent = new Scene(Files.createDirectories(folder.resolve("silent")), 1, new Silence());
                Tab other = chromium.open()) {
            silent.play();
            other.look(1280, 800, 1, false);
            other.show(silent.page());
            other.await("document.querySelector('#clients-note')?.innerText", 30);
            assertThat(other.evaluate("document.querySelector('main').innerText")
                            .asText())
                    .containsPattern(
                            "Refused most\\s+No client was refused since [\\d:]+, when this instance began to watch.")
                    .contains(
                            "No client has called this instance in the last minute.",
                            "No call was allowed in the last fifteen minutes.",
                            "No limits are set outside the file, so the limits in the file apply to every client.")
                    .doesNotContain("Addresses and logins", "matching", "Until");
            filter(other, "x");
            other.await("document.querySelector('#filtered').innerText === '0 of 0 callers match the filter.'", 5);
            assertThat(other.evaluate("document.querySelector('main').innerText")
                            .asText())
                    .contains(
                            "No client that matches the filter was refused since",
                            "No client that matches the filter has called this instance in the last minute.");
            assertThat(other.complaints()).isEmpty();
        }
    }
}
