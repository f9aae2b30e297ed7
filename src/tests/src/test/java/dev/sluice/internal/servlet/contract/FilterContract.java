package dev.sluice.internal.servlet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.RateLimiter;
import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A filter as callers see it, which is the same for servlets and WebFlux. */
@Tag("server")
public abstract class FilterContract {

    protected static final String LIMIT = "x-ratelimit-limit";
    protected static final String REMAINING = "x-ratelimit-remaining";
    private static final String RESET = "x-ratelimit-reset";

    protected WebServer server;

    /**
     * Starts an application below this path, where these limiters are asked one after another. It answers
     * {@code /hello}; {@code /later}, on another thread; {@code /missing}, with 404; and {@code /form}, with the field
     * {@code colour}.
     */
    protected abstract WebServer start(String basePath, RateLimiter... limiters) throws Exception;

    private void serve(RateLimiter... limiters) throws Exception {
        server = start("", limiters);
    }

    /** Sends a request, and checks that it counts as one call of nine. */
    protected final Answer countedOnce(CountingFake limiter, String path) throws Exception {
        if (server == null) {
            serve(limiter);
        }
        Answer answer = RawHttp.get(server, path);
        assertThat(limiter.asked()).as("calls counted").hasSize(1);
        assertThat(answer.header(LIMIT)).isEqualTo("9");
        assertThat(answer.header(REMAINING)).isEqualTo("8");
        return answer;
    }

    @AfterEach
    void closeServer() {
        if (server != null) {
            server.close();
        }
    }

    @Nested
    class ALimitedEndpoint {

        @Test
        void tellsCallersHowMuchIsLeft() throws Exception {
            serve(CountingFake.admitting(2));
            Answer answer = RawHttp.get(server, "/hello");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).contains("hello");
            assertThat(answer.header(LIMIT)).isEqualTo("2");
            assertThat(answer.header(REMAINING)).isEqualTo("1");
            assertThat(answer.header(RESET)).isEqualTo("7");
            assertThat(answer.headers("Retry-After")).isEmpty();
        }

        @Test
        void refusesWithAllThatACallerNeeds() throws Exception {
            serve(CountingFake.admitting(1));
            RawHttp.get(server, "/hello");
            Answer answer = RawHttp.get(server, "/hello");
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.header(LIMIT)).isEqualTo("1");
            assertThat(answer.header(REMAINING)).isEqualTo("0");
            assertThat(answer.header(RESET)).isEqualTo("7");
            assertThat(answer.header("Retry-After")).isEqualTo("7");
            assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.header("Content-Length"))
                    .isEqualTo("" + answer.body().length());
            JsonNode problem = new ObjectMapper().readTree(answer.body());
            assertThat(problem.get("type").textValue())
                    .isEqualTo("https://iana.org/assignments/http-problem-types#quota-exceeded");
            assertThat(problem.get("status").intValue()).isEqualTo(429);
            assertThat(problem.get("violated-policies").toString()).isEqualTo("[\"everything\"]");
        }

        /** The two lines count as one. */
        @Test
        void refusesABrowserWithAPage() throws Exception {
            serve(CountingFake.admitting(0));
            String[] browser = {"Accept: text/html,application/xhtml+xml", "Accept: application/xml;q=0.9,*/*;q=0.8"};
            Answer answer = RawHttp.send(server, "GET", "/hello", browser);
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.header("Content-Type")).isEqualToIgnoringCase("text/html;charset=utf-8");
            assertThat(answer.headers("Vary")).contains("Accept");
            assertThat(answer.header("Retry-After")).isEqualTo("7");
            assertThat(answer.header("Content-Length"))
                    .isEqualTo("" + answer.body().length());
            assertThat(answer.body())
                    .startsWith("<!DOCTYPE html>")
                    .contains("<p>Rate limit exceeded; try again in 7 seconds.</p>")
                    .endsWith("</html>\n");
            Answer head = RawHttp.send(server, "HEAD", "/hello", browser);
            assertThat(head.header("Content-Type")).isEqualToIgnoringCase("text/html;charset=utf-8");
            assertThat(head.body()).isEmpty();
            Answer program = RawHttp.send(server, "GET", "/hello", "Accept: */*");
            assertThat(program.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(program.headers("Vary")).contains("Accept");
        }

        @Test
        void refusesHeadWithoutABody() throws Exception {
            serve(CountingFake.admitting(0));
            Answer answer = RawHttp.send(server, "HEAD", "/hello");
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.header("Retry-After")).isEqualTo("7");
            assertThat(answer.body()).isEmpty();
        }

        @Test
        void leavesTheBodyOfAFormToTheApplication() throws Exception {
            CountingFake limiter = CountingFake.admitting(9);
            serve(call -> {
                assertThat(call.query("colour")).isNull();
                assertThat(call.query("org")).isEqualTo("acme");
                return limiter.decide(call);
            });
            Answer answer = RawHttp.postForm(server, "/form?org=acme", "colour=red");
            assertThat(answer.body()).contains("red");
            assertThat(answer.headers(LIMIT)).hasSize(1);
        }

        @Test
        void readsNamesInHeadersAsTheyAreWritten() throws Exception {
            List<String> callers = new ArrayList<>();
            CountingFake limiter = CountingFake.admitting(9);
            serve(call -> {
                callers.add(String.valueOf(call.header("X-Org-Id")));
                return limiter.decide(call);
            });
            String utf8 = new String("K\u00fchne \u6771".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
            RawHttp.send(server, "GET", "/hello", "X-Org-Id: " + utf8);
            RawHttp.send(server, "GET", "/hello", "X-Org-Id: K\u00fchne");
            assertThat(callers).containsExactly("K\u00fchne \u6771", "K\u00fchne");
        }

        @Test
        void isFoundBehindTheContextPath() throws Exception {
            CountingFake limiter = CountingFake.admitting(9);
            server = start("/shop", limiter);
            assertThat(RawHttp.get(server, "/shop/hello").body()).contains("hello");
            assertThat(limiter.asked()).containsExactly("GET /hello");
        }
    }

    @Nested
    class ARequestIsCountedOnce {

        private final CountingFake limiter = CountingFake.admitting(9);

        private Answer get(String path) throws Exception {
            return countedOnce(limiter, path);
        }

        @Test
        void whenItIsCompletedByAnotherThread() throws Exception {
            assertThat(get("/later").body()).contains("at last");
        }

        @Test
        void whenItIsAnsweredWithAnError() throws Exception {
            assertThat(get("/missing").status()).isEqualTo(404);
        }

        @Test
        void whenTwoFiltersAskTheSameLimiter() throws Exception {
            serve(limiter, limiter);
            assertThat(get("/hello").body()).contains("hello");
        }
    }

    @Nested
    class OfTwoLimiters {

        @Test
        void eachCounts() throws Exception {
            CountingFake one = CountingFake.admitting(9);
            CountingFake other = CountingFake.admitting(9);
            serve(one, other);
            assertThat(RawHttp.get(server, "/hello").body()).contains("hello");
            assertThat(one.asked()).containsExactly("GET /hello");
            assertThat(other.asked()).containsExactly("GET /hello");
        }
    }
}
