package dev.sluice.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.RateLimitListener;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.servlet.contract.Application;
import dev.sluice.internal.servlet.contract.RawHttp;
import dev.sluice.internal.servlet.contract.WebServer;
import dev.sluice.internal.servlet.tomcat.TomcatServer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Widely used clients understand a refusal: they wait for the given time, and pass at the first retry. */
@Tag("server")
class RealClientsTest {

    /** Longer than either client would wait by default. */
    private static final Duration PERIOD = Duration.ofSeconds(2);

    private final List<Integer> answers = new CopyOnWriteArrayList<>();
    private volatile long sinceWindowBegan;
    private CountingRateLimiter limiter;
    private WebServer server;

    @BeforeEach
    void startServerAndSpendTheLimit() throws Exception {
        InstantSource clock = () -> Instant.now().minusMillis(sinceWindowBegan);
        limiter = new CountingRateLimiter(
                TestLimits.of(TestLimits.endpoint("hello", "/hello", TestLimits.tier(1, PERIOD))),
                clock,
                RateLimitListener.NONE);
        server = TomcatServer.start(Application.at("", (classes, context) -> {
            context.addFilter("answers", (request, response, chain) -> {
                        chain.doFilter(request, response);
                        answers.add(((HttpServletResponse) response).getStatus());
                    })
                    .addMappingForUrlPatterns(null, true, "/*");
            context.addFilter("limits", new RateLimitFilter(limiter)).addMappingForUrlPatterns(null, true, "/*");
            context.addServlet("hello", new HttpServlet() {
                        @Override
                        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                                throws IOException {
                            response.getWriter().print("hello");
                        }
                    })
                    .addMapping("/hello");
        }));
        sinceWindowBegan =
                System.currentTimeMillis() % PERIOD.toMillis(); // and no window ends before the client has been refused
        assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(200);
    }

    @AfterEach
    void closeServer() {
        server.close();
        limiter.close();
    }

    private String url() {
        return "http://127.0.0.1:" + server.port() + "/hello";
    }

    @Test
    void apacheHttpClient() throws Exception {
        DefaultHttpRequestRetryStrategy once = new DefaultHttpRequestRetryStrategy(1, TimeValue.ofMilliseconds(1));
        try (CloseableHttpClient client =
                HttpClients.custom().setRetryStrategy(once).build()) {
            int status = client.execute(new HttpGet(url()), response -> response.getCode());
            assertThat(status).isEqualTo(200);
        }
        assertThat(answers).containsExactly(200, 429, 200);
    }

    @Test
    void curl() throws Exception {
        assumeTrue(runs("curl", "--version"), "there is no curl here");
        Process curl = new ProcessBuilder("curl", "--silent", "--retry", "1", "--noproxy", "*", url())
                .redirectErrorStream(true)
                .start();
        assertThat(curl.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("hello");
        assertThat(answers).containsExactly(200, 429, 200);
    }

    private static boolean runs(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
