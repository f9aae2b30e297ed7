package dev.sluice.webflux;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.handler.ResponseStatusExceptionHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An application that answers in every way, each under its own path. */
@Configuration(proxyBeanMethods = false)
class AnyAnswers {

    private static final String STUCK = "no answer to this error";

    /** Counts down when a call that will not be answered has arrived. */
    final CountDownLatch arrived = new CountDownLatch(1);

    private final Map<String, WebHandler> answers = Map.ofEntries(
            Map.entry("/hello", exchange -> text(exchange, Mono.just("hello"))),
            Map.entry("/denied", exchange -> {
                exchange.getResponse().setStatusCode(HttpStatus.FORBIDDEN);
                return Mono.empty();
            }),
            Map.entry("/teapot", exchange -> Mono.error(new ResponseStatusException(HttpStatusCode.valueOf(418)))),
            Map.entry("/fault", exchange -> Mono.error(new IllegalStateException("broken by intent"))),
            Map.entry("/thrown", exchange -> {
                throw new IllegalStateException("broken by intent");
            }),
            Map.entry("/half", exchange -> {
                exchange.getResponse().setStatusCode(HttpStatus.ACCEPTED);
                return stream(
                        exchange, Flux.concat(Mono.just("half"), Mono.error(new IllegalStateException("broken"))));
            }),
            Map.entry("/never", exchange -> {
                arrived.countDown();
                return Mono.never();
            }),
            Map.entry(
                    "/stream",
                    exchange -> stream(
                            exchange,
                            Flux.interval(Duration.ZERO, Duration.ofMillis(10)).map(tick -> "tick"))),
            Map.entry("/stuck", exchange -> Mono.error(new IllegalStateException(STUCK))),
            Map.entry("/charge", exchange -> {
                ReactiveRateLimit.charge(exchange, 30);
                ReactiveRateLimit.settle(exchange, 70);
                return Mono.empty();
            }),
            Map.entry("/block", exchange -> {
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return Mono.empty();
            }));

    @Bean
    WebHandler webHandler() {
        return exchange -> {
            WebHandler answer = answers.get(exchange.getRequest().getPath().value());
            return answer == null
                    ? Mono.error(new ResponseStatusException(HttpStatus.NOT_FOUND))
                    : answer.handle(exchange);
        };
    }

    @Bean
    ResponseStatusExceptionHandler statuses() {
        return new ResponseStatusExceptionHandler();
    }

    /** Never finishes handling one kind of error. */
    @Bean
    @Order(-10)
    WebExceptionHandler thoughts() {
        return (exchange, fault) -> {
            if (STUCK.equals(fault.getMessage())) {
                arrived.countDown();
                return Mono.never();
            }
            return Mono.error(fault);
        };
    }

    private static Mono<Void> text(ServerWebExchange exchange, Mono<String> text) {
        return exchange.getResponse().writeWith(text.map(one -> buffer(exchange.getResponse(), one)));
    }

    private static Mono<Void> stream(ServerWebExchange exchange, Flux<String> texts) {
        ServerHttpResponse response = exchange.getResponse();
        return response.writeAndFlushWith(texts.map(one -> Mono.just(buffer(response, one))));
    }

    private static DataBuffer buffer(ServerHttpResponse response, String text) {
        return response.bufferFactory().wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
}
