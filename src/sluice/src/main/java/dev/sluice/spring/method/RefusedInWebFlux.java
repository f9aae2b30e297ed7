package dev.sluice.spring.method;

import dev.sluice.RateLimitedException;
import dev.sluice.http.Answers;
import dev.sluice.http.Answers.Answer;
import dev.sluice.internal.config.extension.FaultLog;
import dev.sluice.internal.http.response.RefusalFinder;
import dev.sluice.webflux.ReactiveRefusalHandler;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Responds to an exchange with status 429 if a method call was refused and no handler of the application has handled
 * the exception.
 *
 * @param refusals writes the body; {@code null} to respond as the file specifies
 */
record RefusedInWebFlux(Answers answers, @Nullable ReactiveRefusalHandler refusals)
        implements WebExceptionHandler, Ordered {

    private static final FaultLog FAULTS = new FaultLog(LoggerFactory.getLogger(RefusedInWebFlux.class), Level.ERROR);

    private static final String CONTENT_TYPE = "Content-Type";

    /** An order that places this handler just before Spring Boot's own handler, which handles all other exceptions. */
    private static final int ORDER = -2;

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable thrown) {
        ServerHttpResponse response = exchange.getResponse();
        RateLimitedException refused = RefusalFinder.in(thrown);
        if (refused == null || response.isCommitted()) {
            return Mono.error(thrown);
        }
        Answer answer = answers.to(
                refused.decision(),
                exchange.getRequest().getURI().getRawPath(),
                String.join(",", exchange.getRequest().getHeaders().getValuesAsList(HttpHeaders.ACCEPT)));
        writeHead(response, answer);
        if (refusals == null) {
            return write(response, answer);
        }
        return Mono.defer(() -> refusals.refuse(exchange, refused.decision())).onErrorResume(fault -> {
            FAULTS.report("The ReactiveRefusalHandler failed; refusing such calls as the file specifies.", fault);
            if (response.isCommitted()) {
                return Mono.error(fault);
            }
            response.getHeaders().clear(); // discards all headers that the handler has set
            response.getCookies().clear();
            writeHead(response, answer);
            return write(response, answer);
        });
    }

    private static void writeHead(ServerHttpResponse response, Answer answer) {
        response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
        answer.fields().forEach((name, value) -> {
            if (!name.equals(CONTENT_TYPE) && !name.equals(HttpHeaders.VARY)) { // these headers describe the body
                response.getHeaders().set(name, value);
            }
        });
    }

    private static Mono<Void> write(ServerHttpResponse response, Answer answer) {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        response.getHeaders()
                .set(CONTENT_TYPE, Objects.requireNonNull(answer.fields().get(CONTENT_TYPE)));
        String vary = answer.fields().get(HttpHeaders.VARY);
        if (vary != null) {
            response.getHeaders().add(HttpHeaders.VARY, vary);
        }
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
