package dev.sluice.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.TestCall;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
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

/** The page in a browser, while calls arrive. Skipped without Chromium. */
@Timeout(300)
@Tag("thorough")
@Tag("server")
@Tag("browser")
class PageInBrowserTest {

    private static final String SHOWN =
            "document.querySelector('#clients tbody tr') && document.querySelector('canvas')";
    private static final int DESK = 1280;

    @TempDir
    private static Path folder;

    private static Scene scene;
    private static Chromium chromium;
    private Tab tab;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(Chromium.installed().isPresent(), "there is no Chromium on the PATH: apt-get install chromium");
        scene = new Scene(folder, 890);
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
        show(DESK, false);
    }

    private void show(int width, boolean isDark) throws InterruptedException {
        tab.look(width, width == DESK ? 1180 : 844, width == DESK ? 1 : 2, isDark);
        tab.show(scene.page());
        tab.await(SHOWN, 30);
    }

    @AfterEach
    void nothingIsWrong() {
        try {
            assertThat(tab.complaints())
                    .as("errors, console, reports of the policy")
                    .isEmpty();
            assertThat(tab.requests())
                    .hasSizeGreaterThan(10)
                    .allSatisfy(address -> assertThat(address).startsWith(scene.page()));
        } finally {
            tab.close();
        }
    }

    private static String row(String name) {
        return row("clients", name);
    }

    private static String row(String table, String name) {
        return "[...document.querySelectorAll('#" + table + " tbody tr')].find(row => row.cells[0].innerText.includes('"
                + name + "'))";
    }

    /** The page shows ninety intervals of ten seconds; the scene fills all but one. */
    @Test
    void fifteenMinutesAreShown() throws Exception {
        JsonNode data = new ObjectMapper().readTree(scene.get("data.json"));
        assertThat(data.get("traffic").get("clients"))
                .anySatisfy(client -> assertThat(client.get("history")).hasSizeGreaterThan(80));
        tab.await("document.querySelector('#watched').hidden", 15);
    }

    @Test
    void chartsMove() throws Exception {
        String refusals = "document.querySelectorAll('.plot canvas')[1].toDataURL()";
        String before = tab.evaluate(refusals).asText();
        assertThat(before).startsWith("data:image/png").hasSizeGreaterThan(2000);
        tab.await(refusals + " !== '" + before + "'", 5);
        String allowed = "document.querySelectorAll('.plot canvas')[0].toDataURL()";
        String earlier = tab.evaluate(allowed).asText();
        tab.await(allowed + " !== '" + earlier + "'", 15);
    }

    @Test
    void noDataIsShownForTheTimeBeforeTheInstanceBeganToWatch() throws Exception {
        try (Scene young = new Scene(Files.createDirectories(folder.resolve("young")), 100);
                Tab other = chromium.open()) {
            young.play();
            young.goOn(); // so that there are calls wherever the chart is pointed at, however late that is
            other.look(DESK, 1180, 1, false);
            other.show(young.page());
            other.await(SHOWN, 30);
            other.await("document.querySelector('#watched').innerText.startsWith('The charts begin at ')", 5);
            long since = Instant.parse(new ObjectMapper()
                            .readTree(young.get("data.json"))
                            .get("watch")
                            .get("since")
                            .asText())
                    .toEpochMilli();
            String values =
                    "[...document.querySelectorAll('.chart:not([hidden]) .legend .value')].map(one => one.innerText)";
            for (double place : new double[] {0.01, 0.5, 0.9}) {
                pointAt(other, place);
                other.await(values + ".length > 8 && " + values + ".every(value => value.endsWith(' /s'))", 15);
                if (place > 0.01) { // the instance watches before its first call, which may come a second later
                    other.await(values + ".some(value => parseFloat(value) > 0)", 15);
                }
            }
            pointAt(other, 0.01);
            String pointed = "document.querySelector('.chart .of').innerText.split(', at ')[1]";
            other.await(pointed, 5);
            assertThat(secondsBetween(other, since, pointed)).isBetween(0, 20);
            other.evaluate(row("globex") + ".querySelector('button').click()");
            String refused = "document.querySelector('dialog').innerText.match(/Refused since\\s+([\\d:]+)/)?.[1]";
            other.await(refused, 5);
            assertThat(secondsBetween(other, since, refused)).isBetween(0, 20);
        }
    }

    /** A dry run of a limit with a long name. */
    private static final class DryRunOfADay implements Play {

        @Override
        public String limits() {
            return """
                trustedProxies: [ 127.0.0.1 ]
                endpoints:
                  - id: search
                    pathPattern: /search
                    mode: dry-run
                    tiers: [ { period: day, zone: Europe/Berlin, threshold: 300000 } ]
                """;
        }

        @Override
        public Overrides setOutside() {
            return new Overrides("1", List.of(), Map.of());
        }

        @Override
        public void step(double ago, Calls calls) {
            calls.make(1, TestCall.get("/search").of("acme"));
        }
    }

    @Test
    void theNameOfALimitStaysInTheMarginBesideItsChart() throws Exception {
        try (Scene dry = new Scene(Files.createDirectories(folder.resolve("dry")), 100, new DryRunOfADay());
                Tab other = chromium.open()) {
            dry.play();
            other.look(DESK, 1180, 1, false);
            other.show(dry.page());
            other.await(SHOWN, 30);
            other.evaluate("(canvas => { const fillText = canvas.fillText; window.written = [];"
                    + "canvas.fillText = function (text, x, y) { if (text.startsWith('300,000')) {"
                    + "const over = this.canvas.parentElement.querySelector('.u-over').getBoundingClientRect();"
                    + "const left = x + this.canvas.getBoundingClientRect().left;"
                    + "written.push({ text, gap: left - over.right,"
                    + "room: this.canvas.getBoundingClientRect().right - left - this.measureText(text).width }); }"
                    + "fillText.call(this, text, x, y); } })(CanvasRenderingContext2D.prototype)");
            other.evaluate("document.querySelector('#filters').dispatchEvent(new Event('input'))");
            other.await("written.length > 0", 15);
            assertThat(other.evaluate("written[0].text").asText())
                    .startsWith("300,000 calls")
                    .endsWith("…");
            assertThat(other.evaluate("written[0].gap").asDouble()).isPositive();
            assertThat(other.evaluate("written[0].room").asDouble()).isPositive();
        }
    }

    /**
     * Two limits for the same calls, of which the same one always has fewer remaining permits in proportion; and a
     * queue.
     */
    private static final class LimitsTogether implements Play {

        @Override
        public String limits() {
            return """
                endpoints:
                  - { id: ample, pathPattern: /api/**, tiers: [ { period: 1h, threshold: 9000 } ] }
                  - { id: scarce, pathPattern: /api/one, tiers: [ { period: 1h, threshold: 4000 } ] }
                  - id: queued
                    pathPattern: /queued
                    tiers: [ { period: 1s, threshold: 10, algorithm: leaky-bucket, queue: 2, maxQueueTime: 5s } ]
                """;
        }

        @Override
        public Overrides setOutside() {
            return new Overrides("1", List.of(), Map.of());
        }

        @Override
        public void step(double ago, Calls calls) {
            calls.make(2, TestCall.get("/api/one").of("acme"));
            calls.make(1, TestCall.get("/queued").of("acme"));
        }
    }

    @Test
    void anEndpointShowsAllCallsThatItAllowedAndItsQueue() throws Exception {
        try (Scene together =
                        new Scene(Files.createDirectories(folder.resolve("together")), 100, new LimitsTogether());
                Tab other = chromium.open()) {
            together.play();
            other.look(DESK, 1180, 1, false);
            other.show(together.page());
            other.await(SHOWN, 30);
            String allowed = "Object.fromEntries([...document.querySelectorAll('#endpoints tbody tr')]"
                    + ".map(row => [row.cells[0].innerText.split('\\n')[0], parseInt(row.cells[4].innerText)]))";
            other.await(allowed + ".scarce > 200", 5);
            assertThat(other.evaluate(allowed + ".ample").asInt())
                    .isEqualTo(other.evaluate(allowed + ".scarce").asInt());
            assertThat(other.evaluate("parseFloat(document.querySelector('#tile-allowed').innerText)")
                            .asDouble())
                    .as("each call counts once; twice, it would be about 7 a second")
                    .isLessThan(6);
            assertThat(other.evaluate("document.querySelector('#endpoints').innerText")
                            .asText())
                    .contains("10 calls in 1s by leaky-bucket, queue 2, maxQueueTime 5s");
        }
    }

    /** From a moment to a time of day that the page shows. */
    private static int secondsBetween(Tab other, long millis, String shown) {
        return other.evaluate("(([hours, minutes, seconds], from) => (hours - from.getHours()) * 3600 + (minutes - "
                        + "from.getMinutes()) * 60 + seconds - from.getSeconds())(" + shown
                        + ".split(':').map(Number), new Date(" + millis + "))")
                .asInt();
    }

    /** Moves the pointer into the first chart, at this fraction of its width. */
    private static void pointAt(Tab other, double part) {
        String rectangle = "document.querySelector('.u-over').getBoundingClientRect()";
        other.moveTo(
                other.evaluate(rectangle + ".left + " + part + " * " + rectangle + ".width")
                        .asDouble(),
                other.evaluate(rectangle + ".top + 80").asDouble());
    }

    @Test
    void aLimitIsLabelledWithItsClients() throws Exception {
        String limits =
                "[...document.querySelectorAll('.legend .limits')].map(one => one.innerText.replace('\\n', ' '))";
        tab.await(limits + ".includes('Limit 400 calls in 10s umbrella Ltd at get-product')", 12);
        String styles = "(client => [...[...document.querySelectorAll('.chart:nth-child(1) .legend li')].find(one =>"
                + " one.innerText.includes(client)).querySelectorAll('path')].map(one => one.className.baseVal))";
        assertThat(tab.evaluate(styles + "('400 calls in 10s')"))
                .hasSizeGreaterThan(2)
                .allSatisfy(style -> assertThat(style).isEqualTo(tab.evaluate(styles + "('umbrella')[0]")));
        JsonNode shared = tab.evaluate(styles + "('200 calls in 10s')");
        assertThat(shared).contains(tab.evaluate(styles + "('globex')[0]"), tab.evaluate(styles + "('initech')[0]"));
    }

    @Test
    void aRefusedClientAppearsWithinTwoSeconds() throws Exception {
        for (int i = 0; i < 300; i++) {
            scene.logIn("198.51.100.99"); // refused more often than others, because the chart shows only few clients
        }
        tab.await("Number(" + row("addresses", "address 198.51.100.99") + "?.cells[3].innerText) > 0", 2);
        tab.await(
                "[...document.querySelectorAll('.chart:nth-child(2) .legend li')].some(item => item.innerText.includes("
                        + "'198.51.100.99'))",
                12);
    }

    @Test
    void hostileNamesAreShownAsText() throws Exception {
        String markup = "<img src=x onerror=alert(1)><b>x";
        String turned = "eve\u202Eevil\u2066\u200B\u0007";
        String script = "'\"></td><script>alert(2)</script>";
        for (int i = 0; i < 250; i++) {
            scene.decideFor(markup);
            scene.decideFor(turned);
            scene.decideFor(script);
            scene.decideFor("W".repeat(64));
            scene.decideFor("x".repeat(10_240));
        }
        tab.await(row("<img src=x onerror=alert(1)><b>x"), 4);
        tab.await(row("eve\\\\u202eevil\\\\u2066\\\\u200b\\\\u0007"), 4);
        tab.await(row("</td><script>alert(2)</script>"), 4);
        tab.await(row("sha256-"), 4);
        assertThat(tab.evaluate("document.querySelectorAll('img').length").asInt())
                .isEqualTo(1);
        assertThat(tab.evaluate("document.querySelectorAll('main b, main script').length")
                        .asInt())
                .isZero();
        assertThat(tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
                        .asBoolean())
                .isTrue();
        tab.evaluate(row("<img src=x onerror=alert(1)>") + ".querySelector('button').click()");
        tab.await("document.querySelector('dialog[open] h2').innerText.includes('<img src=x')", 2);
        assertThat(tab.evaluate("document.querySelectorAll('dialog img').length")
                        .asInt())
                .isZero();
    }

    @Test
    void theKeyboardOpensAClient() throws Exception {
        tab.evaluate("document.querySelector('#filter-client').focus()");
        String inTable = "document.querySelector('#refused').contains(document.activeElement)";
        for (int i = 0; i < 60 && !tab.evaluate(inTable).asBoolean(); i++) {
            tab.press("Tab", 9);
        }
        String name = tab.evaluate("document.activeElement.innerText").asText();
        tab.press("Enter", 13);
        tab.await("document.querySelector('dialog').open", 2);
        tab.await("document.querySelector('dialog').contains(document.activeElement)", 2);
        assertThat(tab.evaluate("document.querySelector('#client-title').innerText")
                        .asText())
                .contains(name);
        tab.await("document.querySelectorAll('dialog .limit').length > 0", 5);
        tab.press("Escape", 27);
        tab.await("!document.querySelector('dialog').open", 2);
        assertThat(tab.evaluate("document.activeElement.innerText").asText()).isEqualTo(name);
    }

    @Test
    void aClientIsCalledByItsNameAndItsKey() throws Exception {
        tab.await(row("umbrella Ltd") + " !== undefined", 12);
        tab.evaluate(row("umbrella Ltd") + ".querySelector('button').click()");
        assertThat(tab.evaluate("document.querySelector('#client-title').innerText")
                        .asText())
                .isEqualTo("umbrella Ltd (tenant=umbrella)");
    }

    @Test
    void rowsAreSortedAgainThoughTheFocusRestsOnOne() throws Exception {
        String rows = "document.querySelector('#clients tbody')";
        tab.evaluate(rows + ".querySelector('button').focus()");
        String focused = tab.evaluate("document.activeElement.innerText").asText();
        String last =
                tab.evaluate(rows + ".lastElementChild.dataset.moved = 'yes'").asText();
        assertThat(last).isEqualTo("yes");
        tab.evaluate(rows + ".prepend(" + rows + ".lastElementChild)");
        tab.await(rows + ".firstElementChild.dataset.moved === undefined", 30);
        assertThat(tab.evaluate("document.activeElement.innerText").asText()).isEqualTo(focused);
    }

    @Test
    void aClientShowsEachOfItsLimitsAndItsLastRefusals() throws Exception {
        for (int i = 0; i < 450; i++) {
            scene.decideFor("globex"); // a busy machine may have made few over HTTP for a minute
        }
        tab.evaluate(row("globex") + ".querySelector('button').click()");
        tab.await("document.querySelectorAll('dialog .limit').length === 2", 5);
        assertThat(tab.evaluate("document.querySelector('dialog').innerText").asText())
                .contains("GET: 200 calls in 10s", "GET: 50,000 calls in 1h", "calls used,", "left", "Last refusals");
        tab.await(
                "/Refused since\\s+(\\w+ \\d+, \\d+, )?\\d\\d:\\d\\d:\\d\\d\\s+(?!or earlier)/"
                        + ".test(document.querySelector('dialog').innerText)",
                5);
        tab.await("document.querySelectorAll('dialog tbody tr').length > 2", 5);
        tab.await(
                "[...document.querySelectorAll('dialog tbody tr')].every(row => row.cells[1].innerText ==="
                        + " 'get-product' && row.cells[2].innerText === '200 calls in 10s')",
                5);
    }

    @Test
    void filtersShowOneEndpointOrSomeClients() throws Exception {
        tab.evaluate("(s => { s.value = 'search'; s.dispatchEvent(new Event('input', { bubbles: true })) })"
                + "(document.querySelector('#filter-endpoint'))");
        tab.await(row("hooli") + " && !" + row("globex"), 2);
        tab.evaluate("(s => { s.value = 'STA'; s.dispatchEvent(new Event('input', { bubbles: true })) })"
                + "(document.querySelector('#filter-client'))");
        tab.await(row("stark") + " && !" + row("hooli"), 2);
        assertThat(tab.evaluate("document.querySelector('#filtered').innerText").asText())
                .startsWith("1 of ");
        tab.await("Number(document.querySelector('#tile-near').innerText) > 0", 15); // of all clients
    }

    @Test
    void aRefusedReloadIsShownWithItsReason() throws Exception {
        scene.change(limits -> limits.replace("period: 1h", "period: 10 mins"));
        tab.await("document.querySelector('#banners').innerText.includes('was refused at')", 10);
        assertThat(tab.evaluate("document.querySelector('#banners').innerText").asText())
                .contains("/etc/shop/rate-limits.yml", "10 mins", "is not a duration", "SL-104");
        scene.change(limits -> limits.replace("period: 1h, threshold: 50000", "period: 1h, threshold: 60000"));
        tab.await("document.querySelector('#endpoints').innerText.includes('60,000 calls in 1h')", 10);
        assertThat(tab.evaluate("document.querySelector('#banners').innerText").asText())
                .isEmpty();
        scene.change(limits -> limits);
        tab.await("document.querySelector('#endpoints').innerText.includes('50,000 calls in 1h')", 10);
    }

    @ParameterizedTest
    @CsvSource({"1280, false", "1280, true", "390, false", "390, true"})
    void itIsAccessible(int width, boolean isDark) throws Exception {
        show(width, isDark);
        assertThat(violations()).isEmpty();
        tab.evaluate("document.querySelector('#clients tbody button').click()");
        tab.await("document.querySelectorAll('dialog .limit').length > 0", 5);
        assertThat(violations()).isEmpty();
    }

    /** The violations that axe finds of WCAG 2.2, levels A and AA, and of best practices. */
    private String violations() throws Exception {
        try (InputStream axe = PageInBrowserTest.class.getResourceAsStream("/axe.min.js")) {
            tab.evaluate(new String(axe.readAllBytes(), StandardCharsets.UTF_8) + "; 0");
        }
        JsonNode found = tab.evaluate(
                "axe.run({ preload: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa',"
                        + " 'best-practice'] }).then(result => ({ passed: result.passes.length, found:"
                        + " result.violations.map(one => one.id + ': ' + one.nodes.map(node => node.html).join('"
                        + " ')).join('; ') }))");
        assertThat(found.get("passed").asInt())
                .as("rules that found what they look at")
                .isGreaterThan(15);
        return found.get("found").asText();
    }

    @ParameterizedTest
    @CsvSource({"1280", "768", "390", "320"})
    void nothingIsCutOffAtAnyWidth(int width) throws Exception {
        show(width, false);
        assertThat(tab.evaluate("document.documentElement.scrollWidth - innerWidth")
                        .asInt())
                .isLessThanOrEqualTo(0);
        if (width > 320) {
            assertThat(tab.evaluate("[...document.querySelectorAll('.wide')].filter(table => table.scrollWidth > "
                                    + "table.clientWidth).map(table => table.innerText).join()")
                            .asText())
                    .as("tables that have to be scrolled")
                    .isEmpty();
        }
    }

    @Test
    void aLimitSetOutsideTheFileShowsByWhomAndWhy() throws Exception {
        String own = "document.querySelector('#own').innerText";
        tab.await(own + ".includes('by eve@ops-1')", 5);
        assertThat(tab.evaluate(own).asText())
                .contains("tenant=globex", "1,200 calls in 1m", "autumn sale until the evening")
                .contains("removed", "by <img src=x onerror=alert(1)>");
        tab.evaluate(row("globex") + ".querySelector('button').click()");
        tab.await("document.querySelector('dialog').innerText.includes('Set outside the file')", 5);
        assertThat(tab.evaluate("document.querySelector('dialog').innerText").asText())
                .contains("create-order\n1,200 calls in 1m\nuntil ", "by eve@ops-1\nautumn sale until the evening");
    }

    /** Proves that errors of a page are noticed. */
    @Test
    void errorsOfThePageAreNoticed() throws Exception {
        try (Tab other = chromium.open()) {
            other.show(scene.page());
            other.await(SHOWN, 30);
            other.evaluate("document.body.setAttribute('style', 'color: red')");
            other.evaluate("setTimeout(() => { throw new Error('on purpose') })");
            other.evaluate("fetch('http://127.0.0.1:1/').catch(() => 0)");
            other.await("true", 1);
            assertThat(other.complaints().toString()).contains("on purpose", "style-src", "connect-src");
        }
    }
}
