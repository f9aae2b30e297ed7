package dev.sluice.webflux;

import static dev.sluice.internal.servlet.contract.Decisions.PRODUCT;
import static dev.sluice.internal.servlet.contract.Decisions.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.servlet.contract.RawHttp;
import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** How a WebFlux application words refusals itself. */
@Timeout(120)
@Tag("server")
class ReactiveRefusalHandlerTest {

    private static RawHttp.Answer answer(ReactiveRefusalHandler handler) {
        try (NettyServer server = NettyServer.start(
                "", () -> new RateLimitWebFilter(call -> refused(PRODUCT, 6_500), handler, 0), AnyAnswers.class)) {
            return RawHttp.get(server, "/hello");
        }
    }

    private static void redirect(ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatus.FOUND);
        response.getHeaders().setLocation(URI.create("/sorry"));
        response.getHeaders().set("Content-Encoding", "gzip");
        response.getHeaders().set("Retry-After", "99");
        response.addCookie(ResponseCookie.from("sorry", "yes").build());
    }

    @Test
    void aHandlerMayChooseTheStatus() {
        RawHttp.Answer answer = answer((exchange, decision) -> {
            redirect(exchange);
            return Mono.empty();
        });
        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.header("Location")).isEqualTo("/sorry");
        assertThat(answer.header("Set-Cookie")).isEqualTo("sorry=yes");
        assertThat(answer.header("x-ratelimit-remaining")).isEqualTo("0");
    }

    @Test
    void nothingRemainsOfAHandlerThatFails() {
        assertIsProblem(answer((exchange, decision) -> {
            redirect(exchange);
            return Mono.error(new IllegalStateException("broken by intent"));
        }));
    }

    @Test
    void nothingRemainsOfAHandlerThatThrows() {
        assertIsProblem(answer((exchange, decision) -> {
            redirect(exchange);
            throw new IllegalStateException("broken by intent");
        }));
    }

    private static void assertIsProblem(RawHttp.Answer answer) {
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.header("Retry-After")).isEqualTo("7");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        assertThat(answer.header("x-ratelimit-remaining")).isEqualTo("0");
        assertThat(answer.headers("Location")).isEmpty();
        assertThat(answer.headers("Content-Encoding")).isEmpty();
        assertThat(answer.headers("Set-Cookie")).isEmpty();
        assertThat(answer.body()).contains("\"status\":429", "try again in 7 seconds");
    }
}
