package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.RateLimited;
import dev.sluice.RateLimitedException;
import dev.sluice.servlet.RefusalHandler;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Requests to Spring MVC and WebFlux whose controllers call a refused method. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
@Tag("server")
class RefusedMethodsTest {

    private static final String[] PATHS = {"/now", "/later", "/reactive", "/joined", "/wrapped"};

    private static final String LIMITS = """
            endpoints:
              - { id: report, on: report, per: [ "header:X-Org-Id", ip ], tiers: [ { period: 1d, threshold: 1 } ] }
              - { id: paths, pathPattern: /**, per: [ ip ], tiers: [ { period: 1d, threshold: 1000 } ] }
            """;

    @TempDir
    private Path directory;

    private String config(String more) throws IOException {
        return "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), more + LIMITS);
    }

    /** Makes reports. */
    static class Reports {

        @RateLimited("report")
        public String now() {
            return "report";
        }

        @RateLimited("report")
        public CompletableFuture<String> later() {
            return CompletableFuture.supplyAsync(() -> "report");
        }

        @RateLimited("report")
        public Mono<String> reactive() {
            return Mono.just("report");
        }
    }

    /** Shows reports. */
    @RestController
    static class ReportsController {

        private final Reports reports;

        ReportsController(Reports reports) {
            this.reports = reports;
        }

        @GetMapping("/now")
        String now() {
            return reports.now();
        }

        @GetMapping("/later")
        CompletableFuture<String> later() {
            return reports.later();
        }

        @GetMapping("/joined")
        String joined() {
            return reports.later().join();
        }

        @GetMapping("/wrapped")
        String wrapped() {
            try {
                return reports.now();
            } catch (RateLimitedException e) {
                throw new UndeclaredThrowableException(new ExecutionException(new RuntimeException(e)));
            }
        }

        @GetMapping("/answered")
        String answered() {
            try {
                return reports.now();
            } catch (RateLimitedException e) {
                throw new ResponseStatusException(HttpStatus.BAD_GATEWAY, "no report", e);
            }
        }

        @GetMapping("/reactive")
        Mono<String> reactive() {
            return reports.reactive();
        }
    }

    /** An application with these. */
    @Import({Shop.class, Reports.class, ReportsController.class})
    static class ReportShop {}

    private static void assertRefused(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(answer.headers().allValues("x-ratelimit-limit")).containsExactly("1");
        assertThat(answer.headers().allValues("x-ratelimit-remaining")).containsExactly("0");
        assertThat(answer.headers().firstValue("Retry-After")).get().asString().matches("[1-9]\\d*");
        assertThat(answer.body()).contains("#quota-exceeded", "\"violated-policies\":[\"report\"]", "\"status\":429");
    }

    @Test
    void springMvcAnswersAsTheFilterDoes() throws IOException {
        try (RunningApplication shop = RunningApplication.start(ReportShop.class, config(""))) {
            for (String path : PATHS) {
                HttpResponse<String> served = shop.get(path, "X-Org-Id", path.substring(1));
                assertThat(served.body()).isEqualTo("report");
                assertThat(served.headers().allValues("x-ratelimit-limit")).containsExactly("1000");
                assertRefused(shop.get(path, "X-Org-Id", path.substring(1)));
            }
        }
    }

    @Test
    void webFluxAnswersAsTheFilterDoes() throws IOException {
        try (RunningApplication shop = RunningApplication.startReactive(
                ReportShop.class, ReactiveApplicationTest.WITHOUT_SECURITY, config(""))) {
            assertThat(shop.get("/now").body()).isEqualTo("report");
            for (String path : PATHS) {
                assertRefused(shop.get(path));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anExceptionThatWrapsARefusalIsTheApplicationsAnswer(boolean reactive) throws IOException {
        try (RunningApplication shop = start(ReportShop.class, reactive, config(""))) {
            shop.get("/answered");
            assertThat(shop.get("/answered").statusCode()).isEqualTo(502);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theTemplateInTheFileIsUsed(boolean reactive) throws IOException {
        String own = "reject: { status: 503, contentType: text/plain, body: \"{endpoint} at {path}\" }\n";
        try (RunningApplication shop = start(ReportShop.class, reactive, config(own))) {
            shop.get("/now");
            HttpResponse<String> refused = shop.get("/now");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).isEqualTo("report at /now");
            assertThat(refused.headers().firstValue("Content-Type"))
                    .get()
                    .asString()
                    .startsWith("text/plain");
        }
    }

    private static RunningApplication start(Class<?> application, boolean reactive, String... properties) {
        return reactive
                ? RunningApplication.startReactive(application, ReactiveApplicationTest.WITHOUT_SECURITY, properties[0])
                : RunningApplication.start(application, properties);
    }

    /** Handles refusals itself. */
    @Import(ReportShop.class)
    @RestControllerAdvice
    static class Advised {

        @ExceptionHandler
        @ResponseStatus(HttpStatus.CONFLICT)
        String refused(RateLimitedException refused) {
            return "come back in " + (refused.decision().retryAfterMillis() > 0 ? "a while" : "no time");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHandlerOfTheApplicationComesFirst(boolean reactive) throws IOException {
        try (RunningApplication shop = start(Advised.class, reactive, config(""))) {
            shop.get("/now");
            HttpResponse<String> refused = shop.get("/now");
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(refused.body()).isEqualTo("come back in a while");
        }
    }

    /** Has its own refusal handler, which sometimes fails. */
    @Import(ReportShop.class)
    static class OwnRefusals {

        @Bean
        RefusalHandler ofServlets() {
            return (request, response, decision) ->
                    response.getWriter().write(body(request.getHeader("fail"), decision));
        }

        @Bean
        dev.sluice.webflux.ReactiveRefusalHandler ofWebFlux() {
            return (ServerWebExchange exchange, Decision decision) -> paper(exchange.getResponse())
                    .writeWith(Mono.fromSupplier(() -> exchange.getResponse()
                            .bufferFactory()
                            .wrap(body(exchange.getRequest().getHeaders().getFirst("fail"), decision)
                                    .getBytes(java.nio.charset.StandardCharsets.UTF_8))));
        }

        private static ServerHttpResponse paper(ServerHttpResponse response) {
            response.setStatusCode(HttpStatusCode.valueOf(429));
            response.getHeaders().set("X-Paper", "none");
            return response;
        }

        private static String body(String fail, Decision decision) {
            if (fail != null) {
                throw new IllegalStateException("no paper");
            }
            return "no " + decision.endpoint().id();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRefusalHandlerOfTheApplicationWritesThem(boolean reactive, CapturedOutput output) throws IOException {
        try (RunningApplication shop = start(OwnRefusals.class, reactive, config(""))) {
            shop.get("/now");
            HttpResponse<String> refused = shop.get("/now");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.body()).isEqualTo("no report");
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            HttpResponse<String> instead = shop.get("/now", "fail", "yes");
            assertRefused(instead);
            assertThat(instead.headers().firstValue("X-Paper")).isEmpty();
            assertThat(output.toString())
                    .containsPattern(
                            "The (Reactive)?RefusalHandler failed; refusing such calls as the file specifies\\.");
        }
    }
}
