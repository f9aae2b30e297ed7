package dev.sluice.servlet.contract;

import static dev.sluice.servlet.contract.SmallApplication.addServlets;
import static dev.sluice.servlet.contract.SmallApplication.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.FilterRegistration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the filter starts from a file, or stops the application's start, the same in every container. */
public abstract class StartContract {

    private static final String LIMIT = "x-ratelimit-limit";
    private static final String REMAINING = "x-ratelimit-remaining";

    private final WebServer.Make make;
    private WebServer server;

    public StartContract(WebServer.Make make) {
        this.make = make;
    }

    @AfterEach
    void closeServer() {
        if (server != null) {
            server.close();
        }
    }

    private void start(Application application) throws Exception {
        server = make.start(application);
    }

    private static final String ONE_CALL = """
            endpoints:
              - { id: hello, pathPattern: /hello, per: [], tiers: [ { period: 366d, threshold: 1 } ] }
            """;

    private static final String TWO_GETS = """
            endpoints:
              - { id: hello, methods: [ GET ], pathPattern: /hello, per: [], tiers: [ { period: 366d, threshold: 2 } ] }
            """;

    private static final String TWO_MISTAKES = """
            endpoints:
              - { id: hello, pathPatern: /hello, tiers: [ { period: 10 mins, threshold: 1 } ] }
            """;

    private Application configuredBy(String config) {
        return Application.at("", (classes, context) -> {
            FilterRegistration.Dynamic registration = context.addFilter("limits", RateLimitFilter.class);
            if (config != null) {
                registration.setInitParameter("config", config);
            }
            map(registration, "/*");
            addServlets(context);
        });
    }

    private void assertAdmitsOneCall() {
        assertThat(RawHttp.get(server, "/hello").header(REMAINING)).isEqualTo("0");
        assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(429);
    }

    @Test
    void thatTheInitParamNames(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("limits.yml"), ONE_CALL);
        start(configuredBy(file.toString()));
        assertAdmitsOneCall();
    }

    @Test
    void thatTheInitParamNamesWithinTheApplication(@TempDir Path root) throws Exception {
        Files.writeString(Files.createDirectory(root.resolve("WEB-INF")).resolve("limits.yml"), ONE_CALL);
        start(configuredBy("/WEB-INF/limits.yml").rootedAt(root));
        assertAdmitsOneCall();
    }

    @Test
    void thatStandsWhereItIsLookedForFirst(@TempDir Path root) throws Exception {
        Files.writeString(Files.createDirectory(root.resolve("WEB-INF")).resolve("rate-limits.yml"), ONE_CALL);
        start(configuredBy(null).rootedAt(root));
        assertAdmitsOneCall();
    }

    @Test
    void countsHeadAsGet(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("limits.yml"), TWO_GETS);
        start(configuredBy(file.toString()));
        assertThat(RawHttp.send(server, "HEAD", "/hello").header(REMAINING)).isEqualTo("1");
        assertThat(RawHttp.get(server, "/hello").header(REMAINING)).isEqualTo("0");
        assertThat(RawHttp.send(server, "HEAD", "/hello").status()).isEqualTo(429);
        assertThat(RawHttp.send(server, "POST", "/hello").headers(LIMIT)).isEmpty();
    }

    @Test
    void closesWhatItHasOpened(@TempDir Path directory) throws Exception {
        Set<Thread> before = threadsOfSluice();
        Path file = Files.writeString(directory.resolve("limits.yml"), ONE_CALL);
        start(configuredBy(file.toString()));
        Set<Thread> opened = threadsOfSluice();
        opened.removeAll(before);
        assertThat(opened).isNotEmpty();
        server.close();
        server = null;
        for (Thread thread : opened) {
            thread.join(10_000);
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
    }

    private Set<Thread> threadsOfSluice() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeIf(thread -> !thread.getName().startsWith("sluice"));
        return threads;
    }

    @Test
    void doesNotStartWithABrokenOneAndTellsEveryMistake(@TempDir Path root) throws Exception {
        Files.writeString(Files.createDirectory(root.resolve("WEB-INF")).resolve("limits.yml"), TWO_MISTAKES);
        assertThatThrownBy(() -> start(configuredBy("/WEB-INF/limits.yml").rootedAt(root)))
                .hasStackTraceContaining("/WEB-INF/limits.yml:2:")
                .hasStackTraceContaining("pathPatern")
                .hasStackTraceContaining("10 mins");
    }

    @Test
    void doesNotStartWithoutOne(@TempDir Path root) {
        assertThatThrownBy(() -> start(configuredBy("/WEB-INF/limits.yml").rootedAt(root)))
                .hasStackTraceContaining("/WEB-INF/limits.yml");
    }

    @Test
    void doesNotStartWithAnInitParamThatItDoesNotKnow() {
        assertThatThrownBy(() -> start(Application.at("", (classes, context) -> {
                    FilterRegistration.Dynamic registration = context.addFilter("limits", RateLimitFilter.class);
                    registration.setInitParameter("confg", "limits.yml");
                    map(registration, "/*");
                })))
                .hasStackTraceContaining("filter limits: init-param \"confg\" is unknown; expected: config");
    }
}
