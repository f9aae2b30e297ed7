package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Eventually;
import dev.sluice.open.Sluice;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** An application that stops, or fails to start, leaves no thread of the limiter behind. */
@Timeout(300)
@Tag("server")
class StartAndStopTest {

    private static final String FAILURE = "meant to fail";

    @TempDir
    private Path directory;

    private Set<Thread> before;

    @BeforeEach
    void look() {
        before = threads();
    }

    /** The threads of limiters and of their Redis clients. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("sluice-")
                        || thread.getName().startsWith("lettuce-"))
                .collect(Collectors.toSet());
    }

    @AfterEach
    void nothingIsLeft() {
        Eventually.await(() -> "no threads but " + before + " of " + threads(), () -> before.containsAll(threads()));
    }

    private String[] limits() throws IOException {
        Path file = Files.writeString(directory.resolve("limits.yml"), """
            store: { uri: "redis://127.0.0.1:1" }
            log: { refusals: 1h }
            endpoints: [ { id: all, pathPattern: /**, tiers: [ { period: 1d, threshold: 9 } ] } ]
            """);
        return new String[] {
            "sluice.config=" + file, "sluice.store=redis://127.0.0.1:1", "management.endpoints.web.exposure.include=*"
        };
    }

    private void failsToStart(Class<?> application) throws IOException {
        String[] limits = limits();
        assertThatThrownBy(() -> RunningApplication.start(application, limits)).hasStackTraceContaining(FAILURE);
    }

    @Test
    void itStops() throws IOException {
        try (RunningApplication shop = RunningApplication.start(Shop.class, limits())) {
            assertThat(shop.get("/product/1").statusCode()).isEqualTo(200);
            assertThat(shop.get("/actuator/ratelimits/page/data.json").statusCode())
                    .isEqualTo(200);
            assertThat(threads()).hasSizeGreaterThan(before.size());
        }
    }

    /** A server that stops gracefully waits for requests in flight, half a minute by default. */
    @Test
    void itStopsAtOnceThoughSomebodyWatchesThePage() throws Exception {
        RunningApplication shop = RunningApplication.start(Shop.class, limits());
        URI page = shop.at("/actuator/ratelimits/page/events");
        try (Socket watcher = new Socket(page.getHost(), page.getPort())) {
            watcher.getOutputStream()
                    .write(("GET " + page.getPath() + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(watcher.getInputStream(), StandardCharsets.UTF_8));
            assertThat(answer.readLine()).contains("200");
            Eventually.await("the first event", () -> startsData(answer));
            long began = System.nanoTime();
            shop.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
        }
    }

    private static boolean startsData(BufferedReader answer) {
        try {
            return answer.readLine().startsWith("data:");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Fails while the server starts, after the limiter. The server would report threads with its own class loader as
     * leaks.
     */
    @Import(Shop.class)
    static class FailingInServer {

        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE)
        ServletContextInitializer failing(Sluice sluice) {
            return context -> {
                assertThat(sluice.status().store()).isNotNull();
                ClassLoader ofServer = Thread.currentThread().getContextClassLoader();
                assertThat(threads())
                        .filteredOn(thread -> thread.getContextClassLoader() == ofServer)
                        .isEmpty();
                throw new IllegalStateException(FAILURE);
            };
        }
    }

    @Test
    void theServerFails() throws IOException {
        failsToStart(FailingInServer.class);
    }

    /** Fails once all beans exist. */
    @Import(Shop.class)
    static class FailingBean {

        @Bean
        SmartInitializingSingleton failing() {
            return () -> {
                throw new IllegalStateException(FAILURE);
            };
        }
    }

    @Test
    void aBeanFails() throws IOException {
        failsToStart(FailingBean.class);
    }

    /** Fails while calls are already served. */
    @Import(Shop.class)
    static class FailingInTheEnd {

        @Bean
        ApplicationRunner failing() {
            return arguments -> {
                throw new IllegalStateException(FAILURE);
            };
        }
    }

    @Test
    void aRunnerFails() throws IOException {
        failsToStart(FailingInTheEnd.class);
    }
}
