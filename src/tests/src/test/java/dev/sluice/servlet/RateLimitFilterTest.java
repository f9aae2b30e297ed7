package dev.sluice.servlet;

import static dev.sluice.internal.servlet.contract.Decisions.PRODUCT;
import static dev.sluice.internal.servlet.contract.Decisions.admitted;
import static dev.sluice.internal.servlet.contract.Decisions.decision;
import static dev.sluice.internal.servlet.contract.Decisions.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.internal.servlet.contract.CountingFake;
import dev.sluice.open.GivenFile;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("server")
class RateLimitFilterTest {

    private final FakeExchange exchange = FakeExchange.get("/product/1");
    private final AtomicInteger passed = new AtomicInteger();
    private final FilterChain chain = (request, response) -> passed.incrementAndGet();

    private void send(RateLimitFilter filter) throws IOException, ServletException {
        filter.doFilter(exchange.request, exchange.response, chain);
    }

    @Nested
    class Obeys {

        @Test
        void admission() throws Exception {
            send(new RateLimitFilter(call -> admitted(PRODUCT, 9, 500)));
            assertThat(passed).hasValue(1);
            assertThat(exchange.headers).containsEntry("x-ratelimit-remaining", "9");
        }

        @Test
        void refusal() throws Exception {
            send(new RateLimitFilter(call -> refused(PRODUCT, 500)));
            assertThat(passed).hasValue(0);
            assertThat(exchange.status).isEqualTo(429);
            assertThat(exchange.headers)
                    .containsEntry("x-ratelimit-remaining", "0")
                    .containsEntry("Retry-After", "1");
            assertThat(exchange.body()).contains("try again in 1 second.");
        }

        @ParameterizedTest
        @CsvSource({"REFUSED, 429", "REFUSED_BLOCKED, 429", "REFUSED_BUSY, 503"})
        void theConfiguredStatusIfTooManyArePending(Decision.Outcome outcome, int status) throws Exception {
            ResponseOptions responses = new ResponseOptions(
                    ResponseOptions.Headers.NONE, ResponseOptions.Reset.DELTA, false, 429, 503, Duration.ZERO, null);
            send(new RateLimitFilter(new RateLimiter() {
                @Override
                public Decision decide(dev.sluice.Call call) {
                    return refused(PRODUCT, 2_000).withOutcome(outcome);
                }

                @Override
                public ResponseOptions responses() {
                    return responses;
                }
            }));
            assertThat(exchange.status).isEqualTo(status);
            assertThat(exchange.headers).containsOnlyKeys("Retry-After", "Cache-Control", "Vary");
            assertThat(exchange.body()).contains("\"status\":" + status);
        }

        @Test
        void theConfiguredStatus() throws Exception {
            ResponseOptions responses = new ResponseOptions(
                    ResponseOptions.Headers.NONE, ResponseOptions.Reset.DELTA, false, 503, 503, Duration.ZERO, null);
            send(new RateLimitFilter(new RateLimiter() {
                @Override
                public Decision decide(dev.sluice.Call call) {
                    return refused(PRODUCT, 2_000);
                }

                @Override
                public ResponseOptions responses() {
                    return responses;
                }
            }));
            assertThat(exchange.status).isEqualTo(503);
            assertThat(exchange.headers).containsOnlyKeys("Retry-After", "Cache-Control", "Vary");
            assertThat(exchange.body()).contains("\"status\":503");
        }

        @Test
        void aDryRun() throws Exception {
            send(new RateLimitFilter(call -> decision(Outcome.WOULD_REFUSE, PRODUCT, 0, 0, 500, 500)));
            assertThat(passed).hasValue(1);
            assertThat(exchange.headers).isEmpty();
        }

        @Test
        void noHeadersIfNothingIsLimited() throws Exception {
            send(new RateLimitFilter(call -> Decision.UNLIMITED));
            assertThat(passed).hasValue(1);
            assertThat(exchange.headers).isEmpty();
        }

        @Test
        void aRefusalHandlerOfTheApplication() throws Exception {
            send(new RateLimitFilter(call -> refused(PRODUCT, 500), (request, response, decision) -> {
                assertThat(response.getStatus()).isEqualTo(429);
                response.setStatus(420);
                response.getOutputStream().write('!');
            }));
            assertThat(exchange.status).isEqualTo(420);
            assertThat(exchange.headers).containsEntry("Retry-After", "1");
            assertThat(exchange.body()).isEqualTo("!");
        }

        private String refusedBy(@Nullable RefusalHandler handler) throws Exception {
            ResponseOptions options = GivenFile.with("reject: { contentType: text/plain, body: 'not {retryAfter}' }")
                    .load()
                    .limits()
                    .responses();
            RateLimiter limiter = new RateLimiter() {
                @Override
                public Decision decide(dev.sluice.Call call) {
                    return refused(PRODUCT, 500);
                }

                @Override
                public ResponseOptions responses() {
                    return options;
                }
            };
            send(handler == null ? new RateLimitFilter(limiter) : new RateLimitFilter(limiter, handler));
            return exchange.body();
        }

        @Test
        void theTemplateOfTheFileWithoutAHandler() throws Exception {
            assertThat(refusedBy(null)).isEqualTo("not 1");
        }

        @Test
        void aHandlerRatherThanTheTemplateOfTheFile() throws Exception {
            assertThat(refusedBy(RefusalHandler.PROBLEM_JSON)).contains("\"status\":429");
        }

        @Test
        void requestsThatAreNotHttpPass() throws Exception {
            RateLimitFilter filter = new RateLimitFilter(call -> refused(PRODUCT, 500));
            filter.doFilter(mock(ServletRequest.class), mock(ServletResponse.class), chain);
            assertThat(passed).hasValue(1);
        }
    }

    @Nested
    class OnALaterDispatch {

        private final CountingFake limiter = CountingFake.admitting(5);
        private final RateLimitFilter filter = new RateLimitFilter(limiter);

        @Test
        void doesNotAskAgain() throws Exception {
            send(filter);
            send(filter);
            send(new RateLimitFilter(limiter));
            assertThat(passed).hasValue(3);
            assertThat(limiter.asked()).hasSize(1);
        }

        @Test
        void writesHeadersThatTheContainerHasReset() throws Exception {
            send(filter);
            exchange.response.reset();
            send(filter);
            assertThat(exchange.headers).containsEntry("x-ratelimit-remaining", "4");
        }

        @Test
        void keepsHeadersThatAreThere() throws Exception {
            send(filter);
            exchange.headers.put("x-ratelimit-limit", "of another filter");
            send(filter);
            assertThat(exchange.headers).containsEntry("x-ratelimit-limit", "of another filter");
        }

        @Test
        void asksAgainIfNoLimitAppliedBefore() throws Exception {
            AtomicInteger asked = new AtomicInteger();
            RateLimitFilter forwarded = new RateLimitFilter(
                    call -> asked.incrementAndGet() == 1 ? Decision.UNLIMITED : admitted(PRODUCT, 9, 500));
            send(forwarded);
            send(forwarded);
            send(forwarded);
            assertThat(asked).hasValue(2);
            assertThat(exchange.headers).containsEntry("x-ratelimit-remaining", "9");
        }

        @Test
        void keepsTheHeadersOfARefusalOnAnErrorPage() throws Exception {
            RateLimitFilter refusing = new RateLimitFilter(call -> refused(PRODUCT, 1_500));
            send(refusing);
            exchange.response.reset();
            send(refusing);
            assertThat(passed).hasValue(1);
            assertThat(exchange.headers)
                    .containsEntry("Retry-After", "2")
                    .containsEntry("Cache-Control", "no-store")
                    .containsEntry("x-ratelimit-remaining", "0");
        }
    }

    @Nested
    class WhenSomethingFails {

        private String logged(Sending sending) throws Exception {
            PrintStream before = System.err;
            ByteArrayOutputStream log = new ByteArrayOutputStream();
            System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
            try {
                sending.run();
            } finally {
                System.setErr(before);
            }
            return log.toString(StandardCharsets.UTF_8);
        }

        @Test
        void theLimiterTheCallPassesAndTheFailureIsLoggedOnce() throws Exception {
            RateLimitFilter filter = new RateLimitFilter(call -> {
                throw new IllegalStateException("sent: x\nERROR forged line");
            });
            String log = logged(() -> {
                send(filter);
                send(filter);
            });
            assertThat(passed).hasValue(2);
            assertThat(exchange.status).isEqualTo(200);
            assertThat(log)
                    .containsOnlyOnce("The rate limiter failed; such requests pass unlimited.")
                    .contains("sent: x\\u000aERROR forged line");
            assertThat(log.lines()).noneMatch(line -> line.startsWith("ERROR forged"));
        }

        @Test
        void theLimiterWithAnErrorTheCallPasses() throws Exception {
            logged(() -> send(new RateLimitFilter(call -> {
                throw new NoClassDefFoundError("gone");
            })));
            assertThat(passed).hasValue(1);
        }

        @Test
        void theRefusalHandlerTheProblemDocumentAnswers() throws Exception {
            String log = logged(() ->
                    send(new RateLimitFilter(call -> refused(PRODUCT, 500), (request, response, decision) -> {
                        response.getOutputStream().write('!');
                        throw new ServletException("no");
                    })));
            assertThat(passed).hasValue(0);
            assertThat(exchange.status).isEqualTo(429);
            assertThat(exchange.headers).containsKeys("Retry-After", "x-ratelimit-limit");
            assertThat(exchange.body()).startsWith("{");
            assertThat(log).contains("The RefusalHandler failed");
        }

        @Test
        void theApplicationItsExceptionPassesThrough() {
            RateLimitFilter filter = new RateLimitFilter(call -> admitted(PRODUCT, 9, 500));
            IllegalStateException fault = new IllegalStateException("theirs");
            assertThatThrownBy(() -> filter.doFilter(exchange.request, exchange.response, (request, response) -> {
                        throw fault;
                    }))
                    .isSameAs(fault);
            IOException lost = new IOException("theirs");
            assertThatThrownBy(() -> filter.doFilter(exchange.request, exchange.response, (request, response) -> {
                        throw lost;
                    }))
                    .isSameAs(lost);
        }
    }

    @FunctionalInterface
    private interface Sending {
        void run() throws Exception;
    }
}
