package dev.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.Eventually;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RetryingHttpClientTest {

    private static final RetryPolicy QUICK = new RetryPolicy(
            3,
            Duration.ofSeconds(30),
            Duration.ofMillis(5),
            Duration.ofMillis(20),
            RetryPolicy.DEFAULT.statuses(),
            false);

    /** The next answers of the server; 200 once they are used up. */
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

    /** The requests that it received. */
    private final List<String> calls = new CopyOnWriteArrayList<>();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient http = HttpClient.newHttpClient();
    private final RetryingHttpClient client = RetryingHttpClient.over(http, QUICK);
    private HttpServer server;

    private record Answer(int status, String body, List<String> fields) {}

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** One client may call several services. */
    @Test
    void pacingHoldsBackNoCallsToAnotherServer() throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", this::answer);
        other.start();
        try {
            RetryingHttpClient pacing = client.pacing();
            answers.add(new Answer(
                    200,
                    "ok",
                    List.of("x-ratelimit-limit", "9", "x-ratelimit-remaining", "0", "x-ratelimit-reset", "20")));
            pacing.send(request().build(), BodyHandlers.discarding());
            HttpRequest elsewhere = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + other.getAddress().getPort() + "/product/1"))
                    .build();
            assertThat(pacing.sendAsync(elsewhere, BodyHandlers.ofString())
                            .get(10, TimeUnit.SECONDS)
                            .body())
                    .isEqualTo("done");
        } finally {
            other.stop(0);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        if (exchange.getRequestURI().getPath().equals("/never")) {
            return;
        }
        String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        calls.add(exchange.getRequestMethod() + (sent.isEmpty() ? "" : " " + sent));
        Answer next = answers.poll();
        Answer answer = next == null ? new Answer(200, "done", List.of()) : next;
        for (int i = 0; i < answer.fields.size(); i += 2) {
            exchange.getResponseHeaders().add(answer.fields.get(i), answer.fields.get(i + 1));
        }
        byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void refuse(String... fields) {
        answers.add(new Answer(429, "refused, and this is a longer text", List.of(fields)));
    }

    private HttpRequest.Builder request() {
        return request("/product/1");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path));
    }

    @Test
    void retriesARefusedCallUntilItPasses() throws Exception {
        refuse();
        refuse("Retry-After", "0");
        HttpResponse<String> response = client.send(request().build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("done");
        assertThat(calls).containsExactly("GET", "GET", "GET");
    }

    @Test
    void retriesNoEarlierThanRetryAfter() throws Exception {
        refuse("Retry-After", "1");
        long started = System.nanoTime();
        assertThat(client.send(request().build(), BodyHandlers.discarding()).statusCode())
                .isEqualTo(200);
        assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(1_000_000_000L);
    }

    @Test
    void returnsTheLastRefusalAfterTheLastAttempt() throws Exception {
        for (int i = 0; i < 4; i++) {
            refuse();
        }
        HttpResponse<String> response = client.send(request().build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.body()).startsWith("refused");
        assertThat(calls).hasSize(3);
    }

    @Test
    void returnsTheRefusalAtOnceIfTheWaitWouldBeTooLong() throws Exception {
        refuse("Retry-After", "31");
        assertThat(client.send(request().build(), BodyHandlers.discarding()).statusCode())
                .isEqualTo(429);
        assertThat(calls).hasSize(1);
    }

    @Test
    void sendsAPostOnlyOnceUnlessConfigured() throws Exception {
        refuse();
        HttpRequest post = request().POST(BodyPublishers.ofString("order")).build();
        assertThat(client.send(post, BodyHandlers.discarding()).statusCode()).isEqualTo(429);
        refuse();
        RetryingHttpClient willing = RetryingHttpClient.over(http, QUICK.withAnyMethod());
        assertThat(willing.send(post, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
        assertThat(calls).containsExactly("POST order", "POST order", "POST order");
    }

    @Test
    void sendsABodyAgainWithEachAttempt() throws Exception {
        refuse();
        refuse();
        HttpRequest put = request()
                .PUT(BodyPublishers.ofInputStream(
                        () -> new ByteArrayInputStream("order".getBytes(StandardCharsets.UTF_8))))
                .build();
        assertThat(client.send(put, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
        assertThat(calls).containsExactly("PUT order", "PUT order", "PUT order");
    }

    @Test
    void timesOutIfTheServiceNeverAnswers() {
        RetryingHttpClient hasty = RetryingHttpClient.over(http, QUICK.withLongest(Duration.ofMillis(300)));
        assertThatThrownBy(() -> hasty.send(request("/never").build(), BodyHandlers.discarding()))
                .isInstanceOf(HttpTimeoutException.class)
                .hasMessage("no response within PT0.3S");
    }

    @Test
    void doesNotWriteTheBodyOfARefusalToAFile(@TempDir Path folder) throws Exception {
        refuse();
        Path file = folder.resolve("body");
        client.send(request().build(), BodyHandlers.ofFile(file));
        assertThat(file).hasContent("done");
    }

    @Test
    void pacesCallsByWhatIsLeft() throws Exception {
        RetryingHttpClient pacing = client.pacing();
        String[] nothingLeft = {"x-ratelimit-limit", "5", "x-ratelimit-remaining", "0", "x-ratelimit-reset", "1"};
        answers.add(new Answer(200, "", List.of(nothingLeft)));
        pacing.send(request().build(), BodyHandlers.discarding());
        long started = System.nanoTime();
        pacing.send(request().build(), BodyHandlers.discarding());
        assertThat(System.nanoTime() - started).isGreaterThan(900_000_000L);
    }

    @Test
    void callsAtOnceIfItsTurnWouldComeTooLate() throws Exception {
        RetryingHttpClient pacing = client.pacing();
        refuse("x-ratelimit-limit", "5", "x-ratelimit-remaining", "0", "x-ratelimit-reset", "86400");
        assertThat(pacing.send(request().build(), BodyHandlers.discarding()).statusCode())
                .isEqualTo(429);
        assertThat(pacing.send(request().build(), BodyHandlers.discarding()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void reportsWhyThereIsNoAnswer() {
        server.stop(0);
        assertThatThrownBy(() -> client.send(request().build(), BodyHandlers.discarding()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void reportsWhatTheHandlerThrows() {
        assertThatThrownBy(() -> client.send(request().build(), head -> {
                    throw new IllegalStateException("no room");
                }))
                .isInstanceOf(IOException.class)
                .hasStackTraceContaining("no room");
    }

    @Test
    void doesNotRetryOnceItIsCancelled() throws Exception {
        refuse("Retry-After", "1");
        CompletableFuture<HttpResponse<Void>> answer =
                client.sendAsync(request().build(), BodyHandlers.discarding());
        Eventually.await("the first call", () -> calls.size() == 1);
        answer.cancel(true);
        refuse("Retry-After", "2"); // ends after the other one would have retried
        client.send(request().build(), BodyHandlers.discarding());
        assertThat(calls).as("one that was cancelled, and two of the other").hasSize(3);
    }

    @Test
    void canBeInterruptedWhileItWaits() throws Exception {
        refuse("Retry-After", "20");
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                client.send(request().build(), BodyHandlers.discarding());
            } catch (Throwable e) {
                ended.complete(e);
            }
        });
        thread.start();
        Eventually.await("the first call", () -> calls.size() == 1);
        thread.interrupt();
        assertThat(ended.get(20, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }
}
