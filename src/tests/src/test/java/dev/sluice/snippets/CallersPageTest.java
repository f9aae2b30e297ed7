package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.client.RetryPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/** The interceptor of docs/callers.md makes refused calls again. */
@Timeout(60)
@Tag("docs")
class CallersPageTest {

    private static final RetryPolicy POLICY = RetryPolicy.DEFAULT.withLongest(Duration.ofSeconds(30));

    @TempDir
    private Path directory;

    /** How many more calls are refused. */
    private final AtomicInteger refusals = new AtomicInteger();

    private final AtomicInteger calls = new AtomicInteger();
    private PageClasses classes;
    private HttpServer server;
    private RestClient client;

    @BeforeEach
    void start() throws Exception {
        classes = new PageClasses("callers.md", directory, 1);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        client = RestClient.builder()
                .requestFactory(new JdkClientHttpRequestFactory())
                .baseUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .requestInterceptor(classes.create(ClientHttpRequestInterceptor.class, "Retries", POLICY))
                .build();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop(0);
        classes.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        calls.incrementAndGet();
        boolean isRefused = refusals.getAndDecrement() > 0;
        if (isRefused) {
            exchange.getResponseHeaders().add("retry-after", "1");
        }
        exchange.sendResponseHeaders(isRefused ? 429 : 204, -1);
        exchange.close();
    }

    @Test
    void aRefusedCallIsMadeAgainWhenItIsTold() {
        refusals.set(1);
        long started = System.nanoTime();
        client.get().uri("/product/1").retrieve().toBodilessEntity();
        assertThat(calls).hasValue(2);
        assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(1_000_000_000L);
    }

    @Test
    void aPostIsNot() {
        refusals.set(1);
        int status = client.post()
                .uri("/orders")
                .body("one")
                .exchange((request, response) -> response.getStatusCode().value());
        assertThat(status).isEqualTo(429);
        assertThat(calls).hasValue(1);
    }
}
