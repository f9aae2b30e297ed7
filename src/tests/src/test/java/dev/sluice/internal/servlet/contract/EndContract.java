package dev.sluice.internal.servlet.contract;

import static dev.sluice.internal.servlet.contract.SmallApplication.addFilter;
import static dev.sluice.internal.servlet.contract.SmallApplication.addServlet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ticket;
import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import dev.sluice.servlet.RateLimit;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of a call is reported to its ticket once, however it ends; the same in every container. */
@Tag("server")
public abstract class EndContract {

    private final WebServer.Make make;
    private final TicketFake limiter = TicketFake.atOnce();
    private WebServer server;

    public EndContract(WebServer.Make make) {
        this.make = make;
    }

    @AfterEach
    void hearsNothingMore() {
        if (server != null) {
            server.close();
        }
        assertThat(limiter.furtherEnds()).isEmpty();
    }

    /** Serves one servlet at {@code /it}, and two more as targets of dispatches. */
    private void serve(SmallApplication.Handling handling) throws Exception {
        server = make.start(application(handling));
    }

    private Application application(SmallApplication.Handling handling) {
        return Application.at("", (classes, context) -> {
            addFilter(context, "limits", new RateLimitFilter(limiter), "/*");
            addServlet(context, "/it", handling);
            addServlet(context, "/denied", (request, response) -> response.sendError(401));
            addServlet(context, "/thrown", (request, response) -> {
                throw new IllegalStateException("broken by intent");
            });
            addServlet(context, "/charge", (request, response) -> RateLimit.charge(request, 30));
            addServlet(context, "/again", (request, response) -> {
                AsyncContext async = request.startAsync();
                async.start(() -> async.dispatch("/denied"));
            });
            addServlet(
                    context,
                    "/error",
                    (request, response) -> response.getWriter().print("sorry"));
        });
    }

    private void answers(int answered, int heard) throws Exception {
        assertThat(RawHttp.get(server, "/it").status()).isEqualTo(answered);
        assertThat(limiter.nextEnd()).isEqualTo(heard);
        assertThat(limiter.asked()).isEqualTo(1);
    }

    @Nested
    class OnItsThread {

        @Test
        void withAnAnswer() throws Exception {
            serve((request, response) -> response.getWriter().print("hello"));
            answers(200, 200);
        }

        @Test
        void withAnotherStatus() throws Exception {
            serve((request, response) -> response.setStatus(403));
            answers(403, 403);
        }

        @Test
        void withAnErrorThatIsSent() throws Exception {
            serve((request, response) -> response.sendError(401));
            answers(401, 401);
        }

        @Test
        void withAnErrorPage() throws Exception {
            server = make.start(
                    application((request, response) -> response.sendError(401)).withErrorPage(401, "/error"));
            Answer answer = RawHttp.get(server, "/it");
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.body()).contains("sorry");
            assertThat(limiter.nextEnd()).isEqualTo(401);
        }

        @Test
        void withAForward() throws Exception {
            serve((request, response) -> request.getRequestDispatcher("/denied").forward(request, response));
            answers(401, 401);
        }

        @Test
        void withAFault() throws Exception {
            serve((request, response) -> {
                throw new IllegalStateException("broken by intent");
            });
            answers(500, 500);
        }

        @Test
        void withAFaultAfterAnotherStatus() throws Exception {
            serve((request, response) -> {
                response.setStatus(401);
                throw new ServletException("broken by intent");
            });
            answers(500, 500);
        }

        @Test
        void asUnavailable() throws Exception {
            serve((request, response) -> {
                throw new UnavailableException("broken by intent", 1);
            });
            answers(503, 503);
        }

        @Test
        void withAFaultInTheMiddleOfAnAnswer() throws Exception {
            serve((request, response) -> {
                response.setStatus(202);
                response.flushBuffer();
                throw new IllegalStateException("broken by intent");
            });
            answers(202, 202);
        }

        @Test
        void whenTheCallerGoes() throws Exception {
            serve((request, response) -> streamForEver(response));
            goAwayInTheMiddle();
            assertThat(limiter.nextEnd()).isEqualTo(200);
        }
    }

    @Nested
    class OnOtherThreads {

        @Test
        void whenItIsComplete() throws Exception {
            CountDownLatch asked = new CountDownLatch(1);
            serve((request, response) -> {
                AsyncContext async = request.startAsync();
                async.start(() -> {
                    await(asked);
                    response.setStatus(403);
                    async.complete();
                });
            });
            Thread caller = new Thread(() -> RawHttp.get(server, "/it"));
            caller.start();
            assertThat(limiter.furtherEnds()).isEmpty();
            asked.countDown();
            assertThat(limiter.nextEnd()).isEqualTo(403);
            caller.join();
        }

        @Test
        void whenItIsCompleteBeforeTheChainReturns() throws Exception {
            serve((request, response) -> {
                AsyncContext async = request.startAsync();
                response.setStatus(403);
                async.complete();
            });
            answers(403, 403);
        }

        @Test
        void whenItIsDispatched() throws Exception {
            serve((request, response) -> {
                AsyncContext async = request.startAsync();
                async.start(() -> async.dispatch("/denied"));
            });
            answers(401, 401);
        }

        @Test
        void whenItIsDispatchedBeforeTheChainReturns() throws Exception {
            serve((request, response) -> request.startAsync().dispatch("/denied"));
            answers(401, 401);
        }

        @Test
        void whenItIsDispatchedWithItsOwnRequestAndResponse() throws Exception {
            serve((request, response) -> {
                AsyncContext async = request.startAsync(new HttpServletRequestWrapper(request), response);
                async.dispatch("/denied");
            });
            answers(401, 401);
        }

        @Test
        void whenItIsDispatchedAgainAndAgain() throws Exception {
            serve((request, response) -> request.startAsync().dispatch("/again"));
            answers(401, 401);
        }

        @Test
        void whenItIsStartedOnTheRequestBelow() throws Exception {
            serve((request, response) -> {
                ServletRequest below = ((HttpServletRequestWrapper) request).getRequest();
                AsyncContext async = below.startAsync();
                async.start(() -> async.dispatch("/denied"));
            });
            answers(401, 401);
        }

        @Test
        void whenItTimesOut() throws Exception {
            serve((request, response) -> request.startAsync().setTimeout(100));
            answers(500, 500);
        }

        @Test
        void whenItTimesOutAndTheApplicationAnswers() throws Exception {
            serve((request, response) -> {
                AsyncContext async = request.startAsync();
                async.setTimeout(100);
                async.addListener(new OnTimeout(event -> {
                    response.setStatus(503);
                    event.getAsyncContext().complete();
                }));
            });
            answers(503, 503);
        }

        @Test
        void whenItTimesOutAndTheApplicationDispatches() throws Exception {
            serve((request, response) -> {
                AsyncContext async = request.startAsync();
                async.setTimeout(100);
                async.addListener(new OnTimeout(event -> event.getAsyncContext().dispatch("/denied")));
            });
            answers(401, 401);
        }

        @Test
        void whenTheDispatchedServletThrows() throws Exception {
            serve((request, response) -> request.startAsync().dispatch("/thrown"));
            answers(500, 500);
        }

        @Test
        void whenTheServletThrowsAfterStartingAsync() throws Exception {
            serve((request, response) -> {
                request.startAsync();
                throw new IllegalStateException("broken by intent");
            });
            RawHttp.get(server, "/it"); // Tomcat closes the connection without an answer
            assertThat(limiter.nextEnd()).isEqualTo(500);
        }

        @Test
        void whenTheCallerGoes() throws Exception {
            goAwayInTheMiddleOfAStream(5_000, AsyncContext::complete);
            assertThat(limiter.nextEnd()).isEqualTo(200);
        }

        /**
         * Otherwise a caller could try any number of passwords, by resetting each call once the password was checked.
         */
        @Test
        void whenTheCallerGoesBeforeTheApplicationHasAnswered() throws Exception {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch answers = new CountDownLatch(1);
            serve((request, response) -> {
                AsyncContext async = request.startAsync();
                Thread began = Thread.currentThread();
                async.start(() -> {
                    server.awaitReturn(began);
                    begun.countDown();
                    await(answers);
                    try {
                        response.setStatus(401);
                        async.complete();
                    } catch (RuntimeException e) {
                        // the container has ended the call
                    }
                });
            });
            try (Socket caller = RawHttp2.begin(server, "/it")) {
                await(begun);
                RawHttp2.reset(caller);
                caller.setSoLinger(true, 0);
            }
            int heard = limiter.heardWithin(500);
            answers.countDown();
            assertThat(heard < 0 ? limiter.nextEnd() : heard).isIn(Ticket.UNANSWERED, 401);
        }

        @Test
        void whenTheCallerGoesAndTheApplicationForgetsToSaySo() throws Exception {
            goAwayInTheMiddleOfAStream(2_000, async -> {});
            assertThat(limiter.nextEnd()).isEqualTo(200);
        }
    }

    @Nested
    class MayBeCharged {

        @Test
        void onItsThread() throws Exception {
            serve((request, response) ->
                    assertThat(RateLimit.charge(request, 20).counted()).isTrue());
            answers(200, 200);
            assertThat(limiter.charged()).containsExactly(20L);
        }

        @Test
        void afterAForward() throws Exception {
            serve((request, response) ->
                    request.getRequestDispatcher("/charge").forward(new HttpServletRequestWrapper(request), response));
            answers(200, 200);
            assertThat(limiter.charged()).containsExactly(30L);
        }

        @Test
        void onAnotherThread() throws Exception {
            serve((request, response) -> {
                AsyncContext async = request.startAsync();
                async.start(() -> {
                    RateLimit.charge(async.getRequest(), 40);
                    async.complete();
                });
            });
            answers(200, 200);
            assertThat(limiter.charged()).containsExactly(40L);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void streamForEver(HttpServletResponse response) throws IOException {
        byte[] piece = new byte[8_192];
        while (true) {
            response.getOutputStream().write(piece);
            response.flushBuffer();
        }
    }

    private void goAwayInTheMiddleOfAStream(long timeoutMillis, Consumer<AsyncContext> whenGone) throws Exception {
        serve((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(timeoutMillis);
            Thread began = Thread.currentThread();
            async.start(() -> {
                try {
                    server.awaitReturn(began);
                    streamForEver(response);
                } catch (IOException e) {
                    whenGone.accept(async);
                }
            });
        });
        goAwayInTheMiddle();
    }

    private void goAwayInTheMiddle() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("GET /it HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().readNBytes(1_000)).hasSize(1_000);
            socket.setSoLinger(true, 0);
        }
    }

    private record OnTimeout(Reaction reaction) implements AsyncListener {

        @Override
        public void onTimeout(AsyncEvent event) {
            reaction.to(event);
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    @FunctionalInterface
    private interface Reaction {
        void to(AsyncEvent event);
    }
}
