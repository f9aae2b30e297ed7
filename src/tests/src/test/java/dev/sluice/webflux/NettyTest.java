package dev.sluice.webflux;

import dev.sluice.RateLimiter;
import dev.sluice.internal.servlet.contract.FilterContract;
import dev.sluice.internal.servlet.contract.WebServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Mono;

/** The WebFlux filter as callers see it, on Netty. */
@Tag("server")
class NettyTest extends FilterContract {

    /** An application with the answers of the contract. */
    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        WebHandler webHandler() {
            return exchange -> switch (exchange.getRequest()
                    .getPath()
                    .pathWithinApplication()
                    .value()) {
                case "/hello" -> text(exchange, Mono.just("hello"));
                case "/later" ->
                    text(exchange, Mono.delay(Duration.ofMillis(10)).thenReturn("at last"));
                case "/form" ->
                    text(exchange, exchange.getFormData().map(form -> String.valueOf(form.getFirst("colour"))));
                default -> {
                    exchange.getResponse().setStatusCode(HttpStatus.NOT_FOUND);
                    yield Mono.empty();
                }
            };
        }

        private static Mono<Void> text(ServerWebExchange exchange, Mono<String> text) {
            return exchange.getResponse()
                    .writeWith(text.map(
                            one -> exchange.getResponse().bufferFactory().wrap(one.getBytes(StandardCharsets.UTF_8))));
        }
    }

    @Override
    protected WebServer start(String basePath, RateLimiter... limiters) {
        return NettyServer.start(
                basePath,
                () -> new RateLimitWebFilter(limiters[0], null, 0),
                beans -> {
                    for (int i = 1; i < limiters.length; i++) {
                        RateLimiter next = limiters[i];
                        int order = i;
                        beans.registerBean(
                                "limits-" + i,
                                RateLimitWebFilter.class,
                                () -> new RateLimitWebFilter(next, null, order));
                    }
                },
                Application.class);
    }
}
