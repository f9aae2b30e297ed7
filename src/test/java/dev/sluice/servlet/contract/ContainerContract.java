package dev.sluice.servlet.contract;

import static dev.sluice.servlet.contract.SmallApplication.addFilter;
import static dev.sluice.servlet.contract.SmallApplication.addServlets;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.RateLimiter;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.servlet.RefusalHandler;
import dev.sluice.servlet.contract.RawHttp.Answer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What callers see of the filter, the same in every container. */
public abstract class ContainerContract {

    private static final String LIMIT = "x-ratelimit-limit";
    private static final String REMAINING = "x-ratelimit-remaining";
    private static final String RESET = "x-ratelimit-reset";

    private final WebServer.Make make;
    private WebServer server;

    public ContainerContract(WebServer.Make make) {
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

    private void start(RateLimiter limiter) throws Exception {
        start(SmallApplication.behind(new RateLimitFilter(limiter)));
    }

    @Nested
    class ALimitedEndpoint {

        @Test
        void tellsItsCallersHowMuchIsLeft() throws Exception {
            start(CountingFake.admitting(2));
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
            start(CountingFake.admitting(1));
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

        @Test
        void refusesHeadWithoutABody() throws Exception {
            start(CountingFake.admitting(0));
            Answer answer = RawHttp.send(server, "HEAD", "/hello");
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.header("Retry-After")).isEqualTo("7");
            assertThat(answer.body()).isEmpty();
        }

        @Test
        void leavesTheBodyOfAFormToTheApplication() throws Exception {
            CountingFake limiter = CountingFake.admitting(9);
            start(call -> {
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
            start(call -> {
                callers.add(String.valueOf(call.header("X-Org-Id")));
                return limiter.decide(call);
            });
            String utf8 = new String("K\u00fchne \u6771".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
            RawHttp.send(server, "GET", "/hello", "X-Org-Id: " + utf8);
            RawHttp.send(server, "GET", "/hello", "X-Org-Id: K\u00fchne");
            assertThat(callers).containsExactly("K\u00fchne \u6771", "K\u00fchne");
        }

        @Test
        void isFoundBehindItsContextPath() throws Exception {
            CountingFake limiter = CountingFake.admitting(9);
            start(SmallApplication.at("/shop", new RateLimitFilter(limiter)));
            assertThat(RawHttp.get(server, "/shop/hello").body()).contains("hello");
            assertThat(limiter.asked()).containsExactly("GET /hello");
        }
    }

    @Nested
    class ARequestIsCountedOnce {

        private final CountingFake limiter = CountingFake.admitting(9);

        private Answer get(String path) throws Exception {
            if (server == null) {
                start(limiter);
            }
            Answer answer = RawHttp.get(server, path);
            assertThat(limiter.asked()).as("calls counted").hasSize(1);
            assertThat(answer.header(LIMIT)).isEqualTo("9");
            assertThat(answer.header(REMAINING)).isEqualTo("8");
            return answer;
        }

        @Test
        void whenItIsForwarded() throws Exception {
            assertThat(get("/forward").body()).contains("hello");
        }

        @Test
        void whenOthersAreIncluded() throws Exception {
            assertThat(get("/include").body()).contains("hellohello");
        }

        @Test
        void whenItIsDispatchedAgainByAnAsyncServlet() throws Exception {
            assertThat(get("/redispatch").body()).contains("hello");
        }

        @Test
        void whenItIsCompletedByAnotherThread() throws Exception {
            assertThat(get("/later").body()).contains("at last");
        }

        @Test
        void whenTheServletSendsAnError() throws Exception {
            assertThat(get("/missing").status()).isEqualTo(404);
        }

        @Test
        void whenAnErrorPageIsShown() throws Exception {
            start(SmallApplication.behind(new RateLimitFilter(limiter)).withErrorPage(404, "/error"));
            Answer answer = get("/missing");
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.body()).contains("sorry");
        }

        @Test
        void whenTheServletThrows() throws Exception {
            start(SmallApplication.behind(new RateLimitFilter(limiter)).withErrorPage(500, "/error"));
            Answer answer = get("/broken");
            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.body()).contains("sorry").contains("broken by intent");
        }

        @Test
        void whenTheFilterIsMappedTwice() throws Exception {
            start(Application.at("", (classes, context) -> {
                addFilter(context, "limits", new RateLimitFilter(limiter), "/*", "/hello");
                addServlets(context);
            }));
            assertThat(get("/hello").body()).contains("hello");
        }

        @Test
        void whenTwoFiltersAskTheSameLimiter() throws Exception {
            start(Application.at("", (classes, context) -> {
                addFilter(context, "limits", new RateLimitFilter(limiter), "/*");
                addFilter(context, "again", new RateLimitFilter(limiter), "/*");
                addServlets(context);
            }));
            assertThat(get("/hello").body()).contains("hello");
        }
    }

    @Nested
    class OfTwoLimiters {

        @Test
        void eachCounts() throws Exception {
            CountingFake one = CountingFake.admitting(9);
            CountingFake other = CountingFake.admitting(9);
            start(Application.at("", (classes, context) -> {
                addFilter(context, "one", new RateLimitFilter(one), "/*");
                addFilter(context, "other", new RateLimitFilter(other), "/*");
                addServlets(context);
            }));
            assertThat(RawHttp.get(server, "/forward").body()).contains("hello");
            assertThat(one.asked()).containsExactly("GET /forward");
            assertThat(other.asked()).containsExactly("GET /forward");
        }
    }

    @Nested
    class ARefusalOfYourOwn {

        @Test
        void mayBeAnErrorPage() throws Exception {
            RefusalHandler toErrorPage = (request, response, decision) -> response.sendError(response.getStatus());
            CountingFake limiter = CountingFake.admitting(0);
            start(SmallApplication.behind(new RateLimitFilter(limiter, toErrorPage))
                    .withErrorPage(429, "/error"));
            Answer answer = RawHttp.get(server, "/hello");
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.body()).contains("sorry");
            assertThat(answer.header("Retry-After")).isEqualTo("7");
            assertThat(answer.header("Cache-Control")).contains("no-store");
            assertThat(answer.header(REMAINING)).isEqualTo("0");
            assertThat(limiter.asked()).hasSize(1);
        }

        @Test
        void mayFailAndThenOursStandsIn() throws Exception {
            oursStandsInFor((request, response, decision) -> {
                response.getWriter().print("half a sen");
                throw new IllegalStateException("broken by intent");
            });
        }

        @Test
        void mayFailWithAnErrorAndThenOursStandsIn() throws Exception {
            oursStandsInFor((request, response, decision) -> {
                throw new NoClassDefFoundError("broken by intent");
            });
        }

        private void oursStandsInFor(RefusalHandler failing) throws Exception {
            start(SmallApplication.behind(new RateLimitFilter(CountingFake.admitting(0), failing)));
            Answer answer = RawHttp.get(server, "/hello");
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.header("Retry-After")).isEqualTo("7");
            assertThat(answer.header(REMAINING)).isEqualTo("0");
            assertThat(answer.body()).startsWith("{").doesNotContain("half");
        }
    }
}
