package dev.sluice.internal.servlet.contract;

import static dev.sluice.internal.servlet.contract.SmallApplication.addFilter;
import static dev.sluice.internal.servlet.contract.SmallApplication.addServlets;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.servlet.RefusalHandler;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The filter and its dispatches as callers see them, which is the same in every container. */
@Tag("server")
public abstract class ContainerContract extends FilterContract {

    private final WebServer.Make make;

    public ContainerContract(WebServer.Make make) {
        this.make = make;
    }

    @Override
    protected WebServer start(String basePath, RateLimiter... limiters) throws Exception {
        return make.start(Application.at(basePath, (classes, context) -> {
            for (int i = 0; i < limiters.length; i++) {
                addFilter(context, "limits-" + i, new RateLimitFilter(limiters[i]), "/*");
            }
            addServlets(context);
        }));
    }

    private void start(Application application) throws Exception {
        server = make.start(application);
    }

    @Nested
    class ADispatchedRequestIsCountedOnce {

        private final CountingFake limiter = CountingFake.admitting(9);

        private Answer get(String path) throws Exception {
            return countedOnce(limiter, path);
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
    }

    /** An exception takes out only its path. A dispatch to another path counts there as if there were no exception. */
    @Nested
    class AnExceptedPath {

        private Answer get(String path, String... excepted) throws Exception {
            Endpoint all = TestLimits.endpoint("all", "/**", TestLimits.perTenSeconds(9))
                    .withPaths(List.of("/**"), List.of(excepted));
            CountingRateLimiter limiter =
                    new CountingRateLimiter(TestLimits.of(all), new TestClock(0), RateLimitListener.NONE);
            start(SmallApplication.behind(new RateLimitFilter(limiter)).withErrorPage(404, "/error"));
            return RawHttp.get(server, path);
        }

        @Test
        void isNotCounted() throws Exception {
            assertThat(get("/hello", "/hello").headers(REMAINING)).isEmpty();
        }

        @Test
        void countsWhereItIsForwarded() throws Exception {
            Answer answer = get("/forward", "/forward");
            assertThat(answer.body()).contains("hello");
            assertThat(answer.header(REMAINING)).isEqualTo("8");
        }

        @Test
        void countsWhereItIsDispatchedAgain() throws Exception {
            Answer answer = get("/redispatch", "/redispatch");
            assertThat(answer.body()).contains("hello");
            assertThat(answer.header(REMAINING)).isEqualTo("8");
        }

        @Test
        void countsForItsErrorPage() throws Exception {
            Answer answer = get("/missing", "/missing");
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.header(REMAINING)).isEqualTo("8");
        }

        @Test
        void countsNowhereIfItsErrorPageIsExceptedToo() throws Exception {
            Answer answer = get("/missing", "/missing", "/error");
            assertThat(answer.body()).contains("sorry");
            assertThat(answer.headers(REMAINING)).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"/forward", "/redispatch"})
        void givesNothingBackToACallThatIsForwardedThere(String from) throws Exception {
            Answer answer = get(from, "/hello");
            assertThat(answer.body()).contains("hello");
            assertThat(answer.header(REMAINING)).isEqualTo("8");
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
        void mayFailAndTheProblemDocumentAnswersInstead() throws Exception {
            oursStandsInFor((request, response, decision) -> {
                response.getWriter().print("half a sen");
                throw new IllegalStateException("broken by intent");
            });
        }

        @Test
        void mayFailWithAnErrorAndTheProblemDocumentAnswersInstead() throws Exception {
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
