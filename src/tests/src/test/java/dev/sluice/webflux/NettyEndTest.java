package dev.sluice.webflux;

import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.per;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.RateLimitListener;
import dev.sluice.RateLimiter;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.Ticket;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.servlet.contract.RawHttp;
import dev.sluice.internal.servlet.contract.TicketFake;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Limit.Concurrency.Scope;
import dev.sluice.tier.Tier;
import java.net.Socket;
import java.security.Principal;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

/** The end of an exchange on Netty is reported to its ticket once, however it ends. */
@Timeout(120)
@Tag("server")
class NettyEndTest {

    private final TicketFake limiter = TicketFake.atOnce();
    private NettyServer server;

    private void serve(RateLimiter asked) {
        server = NettyServer.start("", () -> new RateLimitWebFilter(asked, null, 0), AnyAnswers.class);
    }

    @AfterEach
    void hearsNothingMore() {
        server.close();
        assertThat(limiter.furtherEnds()).isEmpty();
    }

    private void awaitArrival() throws InterruptedException {
        server.bean(AnyAnswers.class).arrived.await();
    }

    @ParameterizedTest
    @CsvSource({"/hello, 200", "/denied, 403", "/teapot, 418", "/fault, 500", "/thrown, 500", "/other, 404"})
    void withAStatus(String path, int status) throws Exception {
        serve(limiter);
        assertThat(RawHttp.get(server, path).status()).isEqualTo(status);
        assertThat(limiter.nextEnd()).isEqualTo(status);
        assertThat(limiter.asked()).isEqualTo(1);
    }

    @Test
    void withAFaultInTheMiddleOfAnAnswer() throws Exception {
        serve(limiter);
        assertThat(RawHttp.get(server, "/half").status()).isEqualTo(202);
        assertThat(limiter.nextEnd()).isEqualTo(202);
    }

    @Test
    void withACallerWhoLeavesBeforeTheAnswer() throws Exception {
        serve(limiter);
        try (Socket caller = RawHttp.begin(server, "/never")) {
            awaitArrival();
            assertThat(limiter.furtherEnds()).isEmpty();
            caller.setSoLinger(true, 0);
        }
        assertThat(limiter.nextEnd()).isEqualTo(Ticket.UNANSWERED);
    }

    @Test
    void withACallerWhoLeavesAStream() throws Exception {
        serve(limiter);
        try (Socket caller = RawHttp.begin(server, "/stream")) {
            assertThat(caller.getInputStream().read()).isEqualTo('H');
            assertThat(limiter.furtherEnds()).isEmpty();
        }
        assertThat(limiter.nextEnd()).isEqualTo(200);
    }

    /** The filter alone would not see that end. */
    @Test
    void withACallerWhoLeavesWhileAnErrorIsAnswered() throws Exception {
        serve(limiter);
        try (Socket caller = RawHttp.begin(server, "/stuck")) {
            awaitArrival();
            assertThat(limiter.furtherEnds()).isEmpty();
            caller.setSoLinger(true, 0);
        }
        assertThat(limiter.nextEnd()).isEqualTo(Ticket.UNANSWERED);
    }

    @Test
    void afterItsCharges() throws Exception {
        serve(limiter);
        assertThat(RawHttp.get(server, "/charge").status()).isEqualTo(200);
        assertThat(limiter.nextEnd()).isEqualTo(200);
        assertThat(limiter.charged()).containsExactly(30L);
        assertThat(limiter.settled()).containsExactly(70L);
    }

    /** Decides when the test says so. */
    private static class Pending implements RateLimiter {

        final CompletableFuture<Decision> decision;

        Pending(CompletableFuture<Decision> decision) {
            this.decision = decision;
        }

        @Override
        public Decision decide(Call call) {
            throw new IllegalStateException("this would block");
        }

        @Override
        public CompletionStage<Decision> decideAsync(Call call, Executor executor) {
            return decision;
        }
    }

    private Decision admitted() {
        return limiter.decide(TestCall.get("/hello"));
    }

    @Test
    void aDecisionThatComesLaterIsActedOn() throws Exception {
        Pending pending = new Pending(new CompletableFuture<>());
        serve(pending);
        CompletableFuture<Integer> status = CompletableFuture.supplyAsync(
                () -> RawHttp.get(server, "/hello").status());
        Eventually.await("the filter waits", () -> pending.decision.getNumberOfDependents() > 0);
        assertThat(status).isNotDone();
        pending.decision.complete(admitted());
        assertThat(status.join()).isEqualTo(200);
        assertThat(limiter.nextEnd()).isEqualTo(200);
    }

    @Test
    void aCallerWhoDisconnectsCancelsThePendingDecision() throws Exception {
        List<Throwable> errors = new CopyOnWriteArrayList<>();
        Hooks.onErrorDropped(errors::add);
        Pending pending = new Pending(new CompletableFuture<>());
        serve(pending);
        try (Socket caller = RawHttp.begin(server, "/hello")) {
            Eventually.await("the filter waits", () -> pending.decision.getNumberOfDependents() > 0);
            caller.setSoLinger(true, 0);
        }
        Eventually.await("it is cancelled", pending.decision::isCancelled);
        Eventually.await("all know that", () -> pending.decision.getNumberOfDependents() == 0);
        Hooks.resetOnErrorDropped();
        assertThat(errors).isEmpty();
    }

    @Test
    void aDecisionThatCanNoLongerBeCancelledIsEndedToo() throws Exception {
        CompletableFuture<Boolean> gone = new CompletableFuture<>();
        Pending pending = new Pending(new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean interrupts) {
                gone.complete(true);
                return false;
            }
        });
        serve(pending);
        try (Socket caller = RawHttp.begin(server, "/hello")) {
            Eventually.await("the filter waits", () -> pending.decision.getNumberOfDependents() > 0);
            caller.setSoLinger(true, 0);
        }
        gone.join();
        pending.decision.complete(admitted());
        assertThat(limiter.nextEnd()).isNotEqualTo(-1); // unanswered, unless it was served at this very moment
        assertThat(limiter.furtherEnds()).isEmpty();
    }

    @Test
    void aLimiterThatFailsLetsCallsPass() {
        serve(new Pending(CompletableFuture.failedFuture(new IllegalStateException("broken by intent"))));
        assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(200);
    }

    @Test
    void aLimiterThatThrowsLetsCallsPass() {
        serve(call -> {
            throw new IllegalStateException("broken by intent");
        });
        assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(200);
    }

    /** A filter of the application that fails to identify callers. */
    @Configuration(proxyBeanMethods = false)
    static class BrokenCallers {

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        WebFilter callers() {
            return (exchange, chain) -> chain.filter(new ServerWebExchangeDecorator(exchange) {
                @Override
                @SuppressWarnings("TypeParameterUnusedInFormals") // as WebFlux declares it
                public <T extends Principal> Mono<T> getPrincipal() {
                    throw new IllegalStateException("broken by intent");
                }
            });
        }
    }

    @Test
    void aCallPassesIfItsCallerCannotBeRead() {
        server = NettyServer.start(
                "", () -> new RateLimitWebFilter(limiter, null, 0), AnyAnswers.class, BrokenCallers.class);
        assertThat(RawHttp.get(server, "/hello").status()).isEqualTo(200);
        assertThat(limiter.asked()).isZero();
    }

    /** A caller who has read an answer and calls again over another connection finds the slot free. */
    @Test
    void slotsAreFreeOnceTheAnswerHasBeenRead() {
        try (CountingRateLimiter slots = new CountingRateLimiter(
                TestLimits.of(per(endpoint("one", "/hello", new Tier("one", new Limit.Concurrency(1, Scope.SERVER))))),
                InstantSource.system(),
                RateLimitListener.NONE)) {
            serve(slots);
            for (int i = 0; i < 300; i++) {
                assertThat(RawHttp.get(server, "/hello").status())
                        .as("call %d", i)
                        .isEqualTo(200);
            }
        }
    }
}
