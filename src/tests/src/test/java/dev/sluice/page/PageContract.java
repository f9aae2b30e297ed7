package dev.sluice.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.Eventually;
import dev.sluice.internal.servlet.contract.WebServer;
import dev.sluice.open.Sluice;
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
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Access to the page, its answers and its events; the same on every server. */
@Timeout(120)
@Tag("server")
public abstract class PageContract {

    private static final String LIMITS = """
        endpoints:
          - { id: everything, pathPattern: /**, tiers: [ { period: 366d, threshold: 3 } ] }
        """;

    /** The most readers of events at the same time. */
    private static final int MOST = 16;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private Sluice sluice;
    private @Nullable Running running;

    @BeforeEach
    void openLimiter() throws IOException {
        Path file = Files.writeString(folder.resolve("rate-limits.yml"), LIMITS);
        sluice = Sluice.builder().config(file.toString()).server("here").open();
    }

    @AfterEach
    void close() {
        if (running != null) {
            running.server().close();
        }
        sluice.close();
    }

    /** Who may read the page, and who may change something; nobody by default. */
    public record Readers(List<String> roles, boolean open, List<String> changeRoles) {}

    /** A running application, and the number of readers of events. */
    public record Running(WebServer server, IntSupplier listeners) {}

    /**
     * Starts an application at {@code /shop}, with a filter that asks this limiter, {@code /hello}, {@code /_sluicer}
     * and the page at {@code /_sluice}. Callers have the role that their header {@code Role} names.
     */
    protected abstract Running start(Sluice limiter, Readers readers) throws Exception;

    private void start(String... roles) throws Exception {
        running = start(sluice, new Readers(List.of(roles), false, List.of("admin")));
    }

    private void startOpen() throws Exception {
        running = start(sluice, new Readers(List.of(), true, List.of()));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(
                "http://127.0.0.1:" + Objects.requireNonNull(running).server().port() + "/shop" + path));
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
        start();
        assertThat(hello("acme")).isEqualTo(200);
        HttpResponse<String> answer = get("/_sluice" + path, "Role", "operator");
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).isEqualTo("You are not allowed to read this page.\n");
        assertThat(answer.headers().map().toString()).doesNotContain("acme", "everything");
    }

    @Test
    void callersWithARoleMayReadIt() throws Exception {
        start("operator", "support");
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
        startOpen();
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
    void browsersMayCacheItsFiles() throws Exception {
        startOpen();
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
    void itsAddressWithoutTheSlashRedirects() throws Exception {
        startOpen();
        HttpResponse<String> answer = get("/_sluice");
        assertThat(answer.statusCode()).isEqualTo(302);
        assertThat(answer.request()
                        .uri()
                        .resolve(answer.headers().firstValue("Location").orElseThrow())
                        .getPath())
                .isEqualTo("/shop/_sluice/");
    }

    private HttpResponse<String> post(String path, String form, String... headers) throws Exception {
        HttpRequest.Builder request = request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .version(HttpClient.Version.HTTP_1_1) // Netty takes no body with an upgrade
                .POST(HttpRequest.BodyPublishers.ofString(form));
        return http.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    @Test
    void readersMayNotChangeAnything() throws Exception {
        start("operator");
        assertThat(hello("acme")).isEqualTo(200);
        JsonNode data =
                JSON.readTree(get("/_sluice/data.json", "Role", "operator").body());
        String id = client(data, "acme").get("id").asText();
        assertThat(JSON.readTree(get("/_sluice/client.json?id=" + id, "Role", "operator")
                                .body())
                        .get("mayChange")
                        .asBoolean())
                .isFalse();
        assertThat(JSON.readTree(get("/_sluice/client.json?id=" + id, "Role", "admin")
                                .body())
                        .get("mayChange")
                        .asBoolean())
                .isTrue();
        for (String what : List.of("/_sluice/give", "/_sluice/reset")) {
            HttpResponse<String> answer = post(what, "id=" + id + "&calls=1", "Role", "operator", "Sluice-Change", "1");
            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body())
                    .isEqualTo("You can read this page, but you are not allowed to change anything.\n");
            assertThat(post(what, "id=" + id + "&calls=1", "Role", "customer", "Sluice-Change", "1")
                            .body())
                    .isEqualTo("You are not allowed to read this page.\n");
            assertThat(post(what, "id=" + id + "&calls=1", "Sluice-Change", "1").statusCode())
                    .isEqualTo(403);
            assertThat(get(what, "Role", "admin").statusCode()).isEqualTo(405);
        }
    }

    @Test
    void anotherSiteCannotChangeAnything() throws Exception {
        start("operator");
        String host = request("/").build().uri().getAuthority();
        String form = "id=1&calls=5";
        HttpResponse<String> ofForm = post("/_sluice/give", form, "Role", "admin");
        assertThat(ofForm.statusCode()).isEqualTo(403);
        assertThat(ofForm.body()).contains("requires the header Sluice-Change");
        for (String site : List.of("cross-site", "same-site", "none")) {
            HttpResponse<String> answer =
                    post("/_sluice/give", form, "Role", "admin", "Sluice-Change", "1", "Sec-Fetch-Site", site);
            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body()).isEqualTo("This request came from another site, so nothing was changed.\n");
        }
        for (String origin : List.of("https://evil.example", "null", "http://" + host + "0", "http://user@x")) {
            HttpResponse<String> answer =
                    post("/_sluice/reset", form, "Role", "admin", "Sluice-Change", "1", "Origin", origin);
            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body()).contains("names a different server than Host");
        }
        for (List<String> own : List.of(
                List.of("Origin", "http://" + host),
                List.of("Sec-Fetch-Site", "same-origin"),
                List.of("Accept", "*/*"))) { // as a script, which no site controls
            HttpResponse<String> answer =
                    post("/_sluice/give", form, "Role", "admin", "Sluice-Change", "1", own.get(0), own.get(1));
            assertThat(answer.statusCode()).as(own.toString()).isEqualTo(404);
            assertThat(answer.body()).startsWith("This instance no longer knows the client");
        }
    }

    @Test
    void aChangeThatCannotBeMadeIsExplained() throws Exception {
        start();
        assertThat(hello("acme")).isEqualTo(200);
        String id = client(
                        JSON.readTree(get("/_sluice/data.json", "Role", "admin").body()), "acme")
                .get("id")
                .asText();
        String[] admin = {"Role", "admin", "Sluice-Change", "1"};
        for (String calls : List.of("", "&calls=", "&calls=0", "&calls=-1", "&calls=1.5", "&calls=9999999999999")) {
            HttpResponse<String> answer = post("/_sluice/give", "id=" + id + calls, admin);
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).startsWith("Enter the number of calls to give as a whole number");
        }
        HttpResponse<String> alone = post("/_sluice/reset", "id=" + id, admin);
        assertThat(alone.statusCode()).isEqualTo(400);
        assertThat(alone.body()).startsWith("Nothing was changed: this limiter has no store that can ");
        assertThat(post("/_sluice/reset", "id=" + id + "&why=" + "x".repeat(501), admin)
                        .body())
                .startsWith("The reason is longer than 500 characters");
        assertThat(post("/_sluice/reset", "id=" + id + "&why=" + "x".repeat(9000), admin)
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void itIsReadOnly() throws Exception {
        startOpen();
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
        startOpen();
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
    void itsDataShowWhoWasRefused() throws Exception {
        startOpen();
        for (int i = 0; i < 5; i++) {
            hello("acme");
        }
        hello("<b>&\"globex");
        JsonNode data = JSON.readTree(get("/_sluice/data.json").body());
        assertThat(data.get("diagnostics").get("accounts")).isEmpty();
        assertThat(data.get("watch").get("instance").asText()).isEqualTo("here");
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
        assertThat(client.get("limit").asText()).isEqualTo("3 in 366d");
        assertThat(client.get("refusals").get(0).get("tier").asText()).isEqualTo("366d");
        assertThat(sum(client, 1)).isEqualTo(3);
        assertThat(sum(client, 2)).isEqualTo(2);
        assertThat(client(data, "<b>&\"globex").get("used").asInt()).isEqualTo(1);
        JsonNode standing = JSON.readTree(
                        get("/_sluice/client.json?id=" + client.get("id")).body())
                .get("standings")
                .get(0);
        assertThat(standing.get("remaining").asInt()).isZero();
        assertThat(standing.get("endpoint").asText()).isEqualTo("everything");
        assertThat(get("/_sluice/client.json?id=999").statusCode()).isEqualTo(404);
        assertThat(get("/_sluice/client.json?id=x").statusCode()).isEqualTo(404);
    }

    private static JsonNode client(JsonNode data, String tenant) {
        for (JsonNode client : data.get("traffic").get("clients")) {
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
    void eventsSendEverythingAndThenChanges() throws Exception {
        startOpen();
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
            // A reader that was slow, as on a busy machine, receives everything once more.
            for (int i = 0; next.get("full").asBoolean() && i < 100; i++) {
                next = events.next();
            }
            assertThat(next.get("full").asBoolean()).isFalse();
            assertThat(next.has("endpoints")).isFalse();
        }
    }

    @Test
    void readersOfEventsAreBoundedAndMakeRoomWhenTheyLeave() throws Exception {
        startOpen();
        List<Events> all = new ArrayList<>();
        try {
            for (int i = 0; i < MOST; i++) {
                all.add(new Events());
            }
            HttpResponse<String> tooMany = get("/_sluice/events");
            assertThat(tooMany.statusCode()).isEqualTo(503);
            assertThat(tooMany.headers().firstValue("Retry-After")).contains("5");
            assertThat(tooMany.body()).contains("data.json");
            all.remove(0).close();
            Eventually.await(
                    "whoever has left is noticed", () -> running.listeners().getAsInt() < MOST);
            try (Events again = new Events()) {
                assertThat(again.next().get("full").asBoolean()).isTrue();
            }
        } finally {
            for (Events events : all) {
                events.close();
            }
        }
        Eventually.await("all are forgotten", () -> running.listeners().getAsInt() == 0);
    }

    @Test
    void eventsEndWithTheApplication() throws Exception {
        startOpen();
        try (Events events = new Events()) {
            assertThat(events.next().get("full").asBoolean()).isTrue();
            running.server().close();
            running = null;
            assertThat(events.isOver()).isTrue();
        }
        Eventually.await(
                "its thread ends",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("sluice-page")));
    }

    /** The events that one reader receives. */
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

        /** Waits for the end of the stream; Jetty and Tomcat break the connection after it. */
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
