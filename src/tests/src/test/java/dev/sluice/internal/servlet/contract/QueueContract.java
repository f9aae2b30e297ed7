package dev.sluice.internal.servlet.contract;

import static dev.sluice.internal.servlet.contract.SmallApplication.addFilter;
import static dev.sluice.internal.servlet.contract.SmallApplication.addServlet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.RateLimiter;
import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import dev.sluice.internal.servlet.inflight.ParkedCalls;
import dev.sluice.servlet.FilterQueue;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that the limiter queues continues when its turn comes; the same in every container. */
@Tag("server")
public abstract class QueueContract {

    private static final long DELAY_MILLIS = 150;
    private static final long LONG_MILLIS = 60_000;

    private final WebServer.Make make;
    private final List<String> behind = new CopyOnWriteArrayList<>();
    private TicketFake limiter = TicketFake.after(DELAY_MILLIS);
    private String contextPath = "";
    private RateLimitFilter filter;
    private WebServer server;

    public QueueContract(WebServer.Make make) {
        this.make = make;
    }

    @AfterEach
    void hearsNothingMore() {
        server.close();
        assertThat(limiter.furtherEnds()).isEmpty();
    }

    private void serve(RateLimiter asked, Registration registration) throws Exception {
        filter = new RateLimitFilter(asked);
        server = make.start(Application.at(contextPath, (classes, context) -> {
            registration.of(context, filter);
            Filter watch = (request, response, chain) -> {
                behind.add(request.getDispatcherType() + " ");
                chain.doFilter(request, response);
            };
            FilterRegistration.Dynamic requests = context.addFilter("watch", watch);
            requests.setAsyncSupported(true);
            requests.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
            addFilter(
                    context,
                    "watch-all",
                    (request, response, chain) -> {
                        behind.add(request.getDispatcherType().name());
                        chain.doFilter(request, response);
                    },
                    "/*");
            SmallApplication.addServlets(context);
            addServlet(
                    context,
                    "/both",
                    (request, response) -> response.getWriter()
                            .print(request.getParameter("colour")
                                    + request.getParameter("org")
                                    + request.getQueryString()));
            addServlet(context, "/denied", (request, response) -> response.sendError(401));
            addServlet(
                    context,
                    "/told/*",
                    (request, response) -> response.getWriter()
                            .print(request.getServletPath() + " " + request.getPathInfo() + " "
                                    + request.getQueryString()));
            addServlet(context, "/timeout", (request, response) -> {
                AsyncContext async = request.startAsync();
                response.getWriter().print(async.getTimeout());
                async.complete();
            });
            addServlet(context, "/dispatch", (request, response) -> {
                AsyncContext async = request.startAsync(request, response);
                async.start(() -> async.dispatch("/denied"));
            });
        }));
    }

    private void serve() throws Exception {
        serve(limiter, (context, limits) -> addFilter(context, "limits", limits, "/*"));
    }

    private static void onRequestsOnly(ServletContext context, RateLimitFilter limits) {
        FilterRegistration.Dynamic registration = context.addFilter("limits", limits);
        registration.setAsyncSupported(true);
        registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
    }

    private static void withoutParking(ServletContext context, RateLimitFilter limits) {
        FilterRegistration.Dynamic registration = context.addFilter("limits", limits);
        registration.setInitParameter("parking", "none");
        SmallApplication.map(registration, "/*");
    }

    private static void withoutAsync(ServletContext context, RateLimitFilter limits) {
        FilterRegistration.Dynamic registration = context.addFilter("limits", limits);
        registration.setAsyncSupported(false);
        registration.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), true, "/*");
    }

    private static void assertDressed(Answer answer) {
        assertThat(answer.header("x-ratelimit-limit")).isEqualTo("1000");
        assertThat(answer.header("x-ratelimit-remaining")).isEqualTo("9");
    }

    private static boolean isAnyThreadWaiting() {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .anyMatch(frame -> frame.getClassName().equals(ParkedCalls.class.getName())
                        && frame.getMethodName().equals("queueOnThread"));
    }

    @Nested
    class Parked {

        @Test
        void continuesAfterItsDelay() throws Exception {
            serve();
            long begin = System.nanoTime();
            Answer answer = RawHttp.get(server, "/hello");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(DELAY_MILLIS - 1));
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).contains("hello");
            assertDressed(answer);
            assertThat(limiter.nextEnd()).isEqualTo(200);
            assertThat(limiter.asked()).isEqualTo(1);
        }

        @Test
        void holdsNoThread() throws Exception {
            limiter = TicketFake.after(1_000);
            serve();
            CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> RawHttp.get(server, "/hello"));
            Eventually.await("a call in the queue", () -> FilterQueue.isQueueing(filter, 1));
            assertThat(isAnyThreadWaiting()).isFalse();
            assertThat(answer.join().status()).isEqualTo(200);
            assertThat(limiter.nextEnd()).isEqualTo(200);
        }

        @Test
        void looksNewToTheFiltersBehind() throws Exception {
            serve();
            RawHttp.get(server, "/hello");
            assertThat(behind).containsExactly("REQUEST");
            assertThat(limiter.nextEnd()).isEqualTo(200);
        }

        @Test
        void isNoLongerNewWhenTheApplicationDispatchesIt() throws Exception {
            serve();
            assertThat(RawHttp.get(server, "/dispatch").status()).isEqualTo(401);
            assertThat(behind).startsWith("REQUEST", "ASYNC").doesNotContain("REQUEST ");
            assertThat(limiter.nextEnd()).isEqualTo(401);
        }

        @Test
        void canBeForwarded() throws Exception {
            serve();
            assertThat(RawHttp.get(server, "/forward").body()).contains("hello");
            assertThat(behind).containsExactly("REQUEST", "FORWARD");
            assertThat(limiter.nextEnd()).isEqualTo(200);
        }

        @Test
        void keepsTheApplicationsAsyncTimeout() throws Exception {
            serve();
            assertThat(RawHttp.get(server, "/timeout").body()).contains("30000");
            assertThat(limiter.nextEnd()).isEqualTo(200);
        }

        @Test
        void keepsItsBodyAndItsQuery() throws Exception {
            serve();
            assertThat(RawHttp.postForm(server, "/both?org=a%2Fb", "colour=red").body())
                    .contains("reda/borg=a%2Fb");
            assertThat(limiter.nextEnd()).isEqualTo(200);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "/x/../hello",
                    "/%68ello",
                    "/hello;a=b",
                    "/told/caf%C3%A9",
                    "/told/a%3fb?c=d",
                    "/told/a+b%20c;e?f=g%20h"
                })
        void findsBackToAnOddPath(String path) throws Exception {
            isAnsweredAsItWouldBeAtOnce(path);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "/shop/told/a",
                    "/%73hop/told/a",
                    "/x/../shop/told/a",
                    "/shop;a=b/told/a",
                    "/shop/../shop/told/a"
                })
        void returnsToAnUnusualContextPath(String path) throws Exception {
            contextPath = "/shop";
            isAnsweredAsItWouldBeAtOnce(path);
        }

        private void isAnsweredAsItWouldBeAtOnce(String path) throws Exception {
            limiter = TicketFake.after(0);
            serve();
            Answer atOnce = RawHttp.get(server, path);
            server.close();
            assertThat(limiter.furtherEnds().size()).isLessThan(2);
            boolean reached = !limiter.furtherEnds().isEmpty();
            limiter = TicketFake.after(DELAY_MILLIS);
            serve();
            Answer later = RawHttp.get(server, path);
            assertThat(later.status()).isEqualTo(atOnce.status());
            assertThat(later.body()).isEqualTo(atOnce.body());
            assertThat(behind).allMatch(type -> type.strip().equals("REQUEST"));
            if (reached) {
                assertThat(limiter.nextEnd()).isEqualTo(atOnce.status());
            }
        }

        @Test
        void mayFail() throws Exception {
            serve();
            assertThat(RawHttp.get(server, "/broken").status()).isEqualTo(500);
            assertThat(limiter.nextEnd()).isEqualTo(500);
        }

        /** A filter in front may do so, for example because the caller has logged out meanwhile. */
        @Test
        void mayBeAnsweredByAFilterInFrontWithoutEndingParking() throws Exception {
            AtomicBoolean answers = new AtomicBoolean();
            serve(limiter, (context, limits) -> {
                addFilter(
                        context,
                        "front",
                        (request, response, chain) -> {
                            if (answers.get() && request.getDispatcherType() == DispatcherType.ASYNC) {
                                ((HttpServletResponse) response).setStatus(403);
                            } else {
                                chain.doFilter(request, response);
                            }
                        },
                        "/*");
                addFilter(context, "limits", limits, "/*");
            });
            assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(200);
            assertThat(limiter.nextEnd()).isEqualTo(200);
            answers.set(true);
            assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(403);
            assertThat(limiter.nextEnd()).isEqualTo(403);
            answers.set(false);
            behind.clear();
            assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(200);
            assertThat(behind).containsExactly("REQUEST");
            assertThat(limiter.nextEnd()).isEqualTo(200);
        }

        /** A container that drops the dispatch, for example after a reset, reports the same to the filter. */
        @Test
        void mayEndUnansweredWithoutEndingParking() throws Exception {
            AtomicBoolean drops = new AtomicBoolean(true);
            serve(limiter, (context, limits) -> {
                addFilter(
                        context,
                        "front",
                        (request, response, chain) -> {
                            if (!drops.get() || request.getDispatcherType() != DispatcherType.ASYNC) {
                                chain.doFilter(request, response);
                            }
                        },
                        "/*");
                addFilter(context, "limits", limits, "/*");
            });
            assertThat(RawHttp.get(server, "/hello").body()).doesNotContain("hello");
            assertThat(limiter.nextEnd()).isEqualTo(200);
            drops.set(false);
            assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(200);
            assertThat(behind).containsExactly("REQUEST");
            assertThat(limiter.nextEnd()).isEqualTo(200);
        }

        @Test
        void endsIfItsCallerDisconnects() throws Exception {
            serve();
            try (Socket socket = new Socket("127.0.0.1", server.port())) {
                socket.getOutputStream()
                        .write("GET /hello HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                Eventually.await("a call in the queue", () -> FilterQueue.isQueueing(filter, 1));
                socket.setSoLinger(true, 0);
            }
            assertThat(limiter.nextEnd()).isNotEqualTo(-1);
        }

        @Test
        void isAskedToRetryWhenTheFilterStops() throws Exception {
            limiter = TicketFake.after(LONG_MILLIS);
            serve();
            CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> RawHttp.get(server, "/hello"));
            Eventually.await("a call in the queue", () -> FilterQueue.isQueueing(filter, 1));
            filter.destroy();
            assertThat(answer.join().status()).isEqualTo(503);
            assertThat(answer.join().header("Retry-After")).isEqualTo("1");
            assertThat(limiter.nextEnd()).isEqualTo(503);
            assertThat(behind).isEmpty();
        }
    }

    @Nested
    class OnItsThread {

        @Test
        void ifTheRequestDoesNotSupportAsync() throws Exception {
            serve(limiter, QueueContract::withoutAsync);
            Answer answer = RawHttp.get(server, "/hello");
            assertThat(answer.status()).isEqualTo(200);
            assertDressed(answer);
            assertThat(behind).containsExactly("REQUEST ", "REQUEST");
            assertThat(limiter.nextEnd()).isEqualTo(200);
        }

        @Test
        void ifParkingIsDisabled() throws Exception {
            serve(limiter, QueueContract::withoutParking);
            assertDressed(RawHttp.get(server, "/hello"));
            assertThat(behind).containsExactly("REQUEST ", "REQUEST");
            assertThat(limiter.nextEnd()).isEqualTo(200);
        }

        @Test
        void ifItIsForwarded() throws Exception {
            RateLimiter onlyHello = call -> call.path().equals("/hello") ? limiter.decide(call) : Decision.UNLIMITED;
            serve(onlyHello, (context, limits) -> addFilter(context, "limits", limits, "/*"));
            assertThat(RawHttp.get(server, "/forward").body()).contains("hello");
            assertThat(behind).containsExactly("REQUEST ", "REQUEST", "FORWARD");
            assertThat(limiter.nextEnd()).isEqualTo(200);
        }

        @Test
        void beyondAThousandParkedCalls() throws Exception {
            limiter = TicketFake.after(LONG_MILLIS);
            serve();
            List<Socket> callers = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                callers.add(call());
            }
            Eventually.await("a call in the queue", () -> FilterQueue.isQueueing(filter, 1_000));
            limiter.delay(DELAY_MILLIS);
            assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(200);
            assertThat(behind).containsExactly("REQUEST ", "REQUEST");
            assertThat(limiter.nextEnd()).isEqualTo(200);
            filter.destroy();
            for (Socket caller : callers) {
                assertThat(limiter.nextEnd()).isEqualTo(503);
                caller.close();
            }
        }

        private Socket call() throws IOException {
            Socket socket = new Socket("127.0.0.1", server.port());
            socket.getOutputStream()
                    .write("GET /hello HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return socket;
        }

        @ParameterizedTest
        @CsvSource({"/hello, 200", "/denied, 401"})
        void onceItIsKnownThatTheFilterIsNotCalledForAsyncDispatches(String path, int status) throws Exception {
            serve(limiter, QueueContract::onRequestsOnly);
            Answer first = RawHttp.get(server, path);
            assertThat(first.status()).isEqualTo(status);
            assertDressed(first);
            assertThat(limiter.nextEnd()).isEqualTo(status);
            behind.clear();
            assertDressed(RawHttp.get(server, "/hello"));
            assertThat(behind).containsExactly("REQUEST ", "REQUEST");
            assertThat(limiter.nextEnd()).isEqualTo(200);
        }
    }

    @FunctionalInterface
    private interface Registration {
        void of(ServletContext context, RateLimitFilter limits);
    }
}
