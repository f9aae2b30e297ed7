package dev.sluice.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.Eventually;
import dev.sluice.config.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.servlet.contract.Application;
import dev.sluice.servlet.contract.SmallApplication;
import dev.sluice.servlet.contract.WebServer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Access to the page, its answers and its events, the same in every container. */
@Timeout(120)
abstract class PageContract {

    private static final String LIMITS = """
            endpoints:
              - { id: everything, pathPattern: /**, tiers: [ { period: 366d, threshold: 3 } ] }
            """;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final WebServer.Make make;
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private Path file;
    private Sluice sluice;
    private WebServer server;

    PageContract(WebServer.Make make) {
        this.make = make;
    }

    @BeforeEach
    void openLimiter() throws IOException {
        file = Files.writeString(folder.resolve("rate-limits.yml"), LIMITS);
        sluice = Sluice.builder().config(file.toString()).server("here").open();
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
        sluice.close();
    }

    /** Tells the container a caller's role, as a login would. */
    private static final class RoleFromHeader extends HttpFilter {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doFilter(
                HttpServletRequest request,
                jakarta.servlet.http.HttpServletResponse response,
                jakarta.servlet.FilterChain chain)
                throws IOException, jakarta.servlet.ServletException {
            chain.doFilter(
                    new HttpServletRequestWrapper(request) {
                        @Override
                        public boolean isUserInRole(String role) {
                            return role.equals(request.getHeader("Role"));
                        }
                    },
                    response);
        }
    }

    private void start(SluicePage page) throws Exception {
        server = make.start(Application.at("/shop", (classes, context) -> {
            SmallApplication.addFilter(context, "login", new RoleFromHeader(), "/*");
            SmallApplication.addFilter(context, "limits", new RateLimitFilter(sluice), "/*");
            SmallApplication.addServlet(
                    context,
                    "/hello",
                    (request, response) -> response.getWriter().print("hello"));
            SmallApplication.addServlet(
                    context,
                    "/_sluicer",
                    (request, response) -> response.getWriter().print("another"));
            map(context.addServlet("page", page));
        }));
        assertThat(get("/_sluice/x").statusCode()).as("Undertow starts it now").isIn(403, 404);
    }

    private static void map(ServletRegistration.Dynamic page) {
        page.setAsyncSupported(true);
        page.setLoadOnStartup(1);
        page.addMapping("/_sluice/*");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/shop" + path));
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = request(path);
        return http.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private int hello(String tenant) throws Exception {
        return get("/hello", "X-Org-Id", tenant).statusCode();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/index.html",
                "/page.js",
                "/uPlot.min.css",
                "/data.json",
                "/events",
                "/client.json?id=1",
                "/x"
            })
    void nobodyMayReadItUntilItIsToldWho(String path) throws Exception {
        start(SluicePage.of(sluice));
        assertThat(hello("acme")).isEqualTo(200);
        HttpResponse<String> answer = get("/_sluice" + path, "Role", "operator");
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).isEqualTo("You may not read this page.\n");
        assertThat(answer.headers().map().toString()).doesNotContain("acme", "everything");
    }

    @Test
    void whoeverHasARoleMayReadIt() throws Exception {
        start(SluicePage.of(sluice).roles("operator", "support"));
        for (String path : List.of("/_sluice/", "/_sluice/data.json")) {
            assertThat(get(path).statusCode()).isEqualTo(403);
            assertThat(get(path, "Role", "customer").statusCode()).isEqualTo(403);
            assertThat(get(path, "Role", "operator").statusCode()).isEqualTo(200);
            assertThat(get(path, "Role", "support").statusCode()).isEqualTo(200);
        }
        assertThat(get("/_sluice/events").statusCode()).isEqualTo(403);
    }

    @Test
    void itsAnswersAreProtected() throws Exception {
        start(SluicePage.of(sluice).open());
        for (String path : List.of("/_sluice/", "/_sluice/data.json", "/_sluice/page.js", "/_sluice/nothing")) {
            HttpResponse<String> answer = get(path);
            assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe", "http");
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        }
        assertThat(get("/_sluice/data.json").headers().firstValue("Cache-Control"))
                .contains("no-store");
    }

    @Test
    void itIsMadeOfFilesThatBrowsersKeep() throws Exception {
        start(SluicePage.of(sluice).open());
        HttpResponse<String> page = get("/_sluice/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
        assertThat(page.body()).contains("<title>Sluice</title>").doesNotContain("<style", "style=", "onclick", "http");
        String tag = page.headers().firstValue("ETag").orElseThrow();
        assertThat(get("/_sluice/", "If-None-Match", tag).statusCode()).isEqualTo(304);
        assertThat(get("/_sluice/nothing.js").statusCode()).isEqualTo(404);
        assertThat(get("/_sluice/%2e%2e/WEB-INF/web.xml").statusCode()).isIn(400, 404);
    }

    @Test
    void itsAddressWithoutTheSlashLeadsThere() throws Exception {
        start(SluicePage.of(sluice).open());
        HttpResponse<String> answer = get("/_sluice");
        assertThat(answer.statusCode()).isEqualTo(302);
        assertThat(answer.request()
                        .uri()
                        .resolve(answer.headers().firstValue("Location").orElseThrow())
                        .getPath())
                .isEqualTo("/shop/_sluice/");
    }

    @Test
    void itCanOnlyBeRead() throws Exception {
        start(SluicePage.of(sluice).open());
        for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS")) {
            HttpResponse<String> answer = http.send(
                    request("/_sluice/data.json")
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(405);
        }
        HttpResponse<String> head = http.send(
                request("/_sluice/events")
                        .method("HEAD", HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
        assertThat(head.statusCode()).isEqualTo(501);
    }

    @Test
    void itIsNotLimitedItself() throws Exception {
        start(SluicePage.of(sluice).open());
        for (int i = 0; i < 10; i++) {
            assertThat(get("/_sluice/data.json", "X-Org-Id", "acme").statusCode())
                    .isEqualTo(200);
        }
        assertThat(List.of(hello("acme"), hello("acme"), hello("acme"), hello("acme")))
                .containsExactly(200, 200, 200, 429);
        assertThat(get("/_sluice/data.json", "X-Org-Id", "acme").statusCode()).isEqualTo(200);
        assertThat(get("/_sluicer", "X-Org-Id", "acme").statusCode()).isEqualTo(429);
    }

    @Test
    void itsDataSayWhoWasRefused() throws Exception {
        start(SluicePage.of(sluice).open());
        for (int i = 0; i < 5; i++) {
            hello("acme");
        }
        hello("<b>&\"globex");
        JsonNode data = JSON.readTree(get("/_sluice/data.json").body());
        assertThat(data.get("diagnostics").get("accounts")).isEmpty();
        assertThat(data.get("instance").asText()).isEqualTo("here");
        assertThat(data.get("store").get("shared").asBoolean()).isFalse();
        assertThat(data.get("endpoints")
                        .get(0)
                        .get("tiers")
                        .get(0)
                        .get("threshold")
                        .asInt())
                .isEqualTo(3);
        JsonNode client = client(data, "acme");
        assertThat(client.get("used").asInt()).isEqualTo(3);
        assertThat(client.get("limit").asInt()).isEqualTo(3);
        assertThat(client.get("refusals").get(0).get("tier").asText()).isEqualTo("366d");
        assertThat(sum(client, 1)).isEqualTo(3);
        assertThat(sum(client, 2)).isEqualTo(2);
        assertThat(client(data, "<b>&\"globex").get("used").asInt()).isEqualTo(1);
        JsonNode standing = JSON.readTree(
                        get("/_sluice/client.json?id=" + client.get("id")).body())
                .get("standings")
                .get(0);
        assertThat(standing.get("left").asInt()).isZero();
        assertThat(standing.get("endpoint").asText()).isEqualTo("everything");
        assertThat(get("/_sluice/client.json?id=999").statusCode()).isEqualTo(404);
        assertThat(get("/_sluice/client.json?id=x").statusCode()).isEqualTo(404);
    }

    private static JsonNode client(JsonNode data, String tenant) {
        for (JsonNode client : data.get("clients")) {
            if (client.get("caller").get(0).get("value").asText().equals(tenant)) {
                return client;
            }
        }
        throw new AssertionError(tenant + " is not in " + data);
    }

    /** Calls of one kind in all of a history. */
    private static long sum(JsonNode item, int kind) {
        long sum = 0;
        for (JsonNode bucket : item.get("history")) {
            sum += bucket.get(kind).asLong();
        }
        return sum;
    }

    @Test
    void eventsBringEverythingAndThenWhatIsNew() throws Exception {
        start(SluicePage.of(sluice).open());
        hello("acme");
        try (Events events = new Events()) {
            JsonNode first = events.next();
            assertThat(first.get("full").asBoolean()).isTrue();
            assertThat(client(first, "acme").get("used").asInt()).isEqualTo(1);
            assertThat(first.has("endpoints")).isTrue();
            hello("globex");
            JsonNode next = events.next();
            while (!next.toString().contains("\"globex\"")) {
                next = events.next();
            }
            assertThat(client(next, "globex").get("used").asInt()).isEqualTo(1);
            // Who was slow to read, as on a busy machine, is told everything once more.
            for (int i = 0; next.get("full").asBoolean() && i < 100; i++) {
                next = events.next();
            }
            assertThat(next.get("full").asBoolean()).isFalse();
            assertThat(next.has("endpoints")).isFalse();
        }
    }

    @Test
    void onlySoManyListenAtATimeAndWhoLeavesMakesRoom() throws Exception {
        SluicePage page = SluicePage.of(sluice).open();
        start(page);
        List<Events> all = new ArrayList<>();
        try {
            for (int i = 0; i < EventStreams.MOST; i++) {
                all.add(new Events());
            }
            HttpResponse<String> tooMany = get("/_sluice/events");
            assertThat(tooMany.statusCode()).isEqualTo(503);
            assertThat(tooMany.headers().firstValue("Retry-After")).contains("5");
            assertThat(tooMany.body()).contains("data.json");
            all.remove(0).close();
            Eventually.await("whoever has left is noticed", () -> page.listeners() < EventStreams.MOST);
            try (Events again = new Events()) {
                assertThat(again.next().get("full").asBoolean()).isTrue();
            }
        } finally {
            for (Events events : all) {
                events.close();
            }
        }
        Eventually.await("all are forgotten", () -> page.listeners() == 0);
    }

    @Test
    void eventsEndWithTheApplication() throws Exception {
        start(SluicePage.of(sluice).open());
        try (Events events = new Events()) {
            assertThat(events.next().get("full").asBoolean()).isTrue();
            server.close();
            server = null;
            assertThat(events.isOver()).isTrue();
        }
        Eventually.await(
                "its thread ends",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("sluice-page")));
    }

    @Test
    void withoutCodeItFindsTheLimiterOfTheFilter() throws Exception {
        server = make.start(Application.at("/shop", (classes, context) -> {
            var filter = context.addFilter("limits", RateLimitFilter.class);
            filter.setInitParameter("config", file.toString());
            SmallApplication.map(filter, "/*");
            SmallApplication.addServlet(
                    context,
                    "/hello",
                    (request, response) -> response.getWriter().print("hello"));
            addPage(context, "open", "true");
        }));
        assertThat(get("/_sluice/").statusCode()).as("Undertow starts it now").isEqualTo(200);
        assertThat(hello("acme")).isEqualTo(200);
        assertThat(client(JSON.readTree(get("/_sluice/data.json").body()), "acme")
                        .get("limit")
                        .asInt())
                .isEqualTo(3);
    }

    private static void addPage(ServletContext context, String parameter, String value) {
        ServletRegistration.Dynamic page = context.addServlet("page", SluicePage.class);
        page.setInitParameter(parameter, value);
        map(page);
    }

    /** The events of the page, as one reader receives them. */
    private final class Events implements AutoCloseable {

        private final BufferedReader lines;

        private Events() throws Exception {
            HttpResponse<java.io.InputStream> answer =
                    http.send(request("/_sluice/events").build(), BodyHandlers.ofInputStream());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
                    .startsWith("text/event-stream");
            lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
        }

        private JsonNode next() throws IOException {
            String line = lines.readLine();
            while (line.isEmpty()) {
                line = lines.readLine();
            }
            assertThat(line).startsWith("data: ");
            return JSON.readTree(line.substring("data: ".length()));
        }

        /** Waits for the end, before which Jetty and Tomcat break connections. */
        private boolean isOver() {
            try {
                while (lines.readLine() != null) {
                    // the end follows
                }
                return true;
            } catch (IOException e) {
                return true;
            }
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
