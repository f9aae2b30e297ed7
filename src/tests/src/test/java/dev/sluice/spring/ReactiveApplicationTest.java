package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.open.Sluice;
import dev.sluice.webflux.RateLimitWebFilter;
import dev.sluice.webflux.ReactiveRateLimit;
import dev.sluice.webflux.ReactiveRefusalHandler;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebSession;
import reactor.core.publisher.Mono;

/** A WebFlux application on Netty with the library and a file, and no code for limits. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
@Tag("server")
class ReactiveApplicationTest {

    /**
     * Excluded in Spring Boot 4 and 3: the shop has no users. Of two servers on the class path, Netty serves the
     * actuator.
     */
    static final String WITHOUT_SECURITY = "spring.autoconfigure.exclude="
            + "org.springframework.boot.tomcat.autoconfigure.actuate.web.server"
            + ".TomcatReactiveManagementContextAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.actuate.web.reactive"
            + ".ReactiveManagementWebSecurityAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration,"
            + "org.springframework.boot.actuate.autoconfigure.security.reactive"
            + ".ReactiveManagementWebSecurityAutoConfiguration";

    private static final String TWO_PRODUCTS = """
        - id: product
          pathPattern: /product/*
          per: [ ip ]
          tiers: [ { period: 1d, threshold: 2 } ]
        """;

    @TempDir
    private Path directory;

    /** A shop with more pages than products. */
    @Import(Shop.class)
    @RestController
    static class LargerShop {

        @GetMapping("/denied")
        Mono<String> denied() {
            return Mono.error(new ResponseStatusException(HttpStatus.UNAUTHORIZED));
        }

        @GetMapping("/pay/{cents}")
        Mono<String> pay(@PathVariable("cents") long cents, ServerWebExchange exchange) {
            return Mono.fromSupplier(
                    () -> "charged " + ReactiveRateLimit.charge(exchange, cents).counted());
        }

        @GetMapping("/session")
        Mono<String> session(WebSession session) {
            session.getAttributes().put("cart", "full");
            return Mono.just("remembered");
        }
    }

    private String config(String limits) throws IOException {
        return "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), limits);
    }

    static RunningApplication start(Class<?> application, String... properties) {
        String[] all = new String[properties.length + 1];
        System.arraycopy(properties, 0, all, 1, properties.length);
        all[0] = WITHOUT_SECURITY;
        return RunningApplication.startReactive(application, all);
    }

    private static String remaining(HttpResponse<String> answer) {
        return answer.headers().firstValue("x-ratelimit-remaining").orElse("none");
    }

    /** Spring forwards to the file, so a filter hears of the path alone. */
    @Test
    void theHomePageCountsAsItsFile() throws IOException {
        Files.writeString(directory.resolve("index.html"), "welcome");
        String limits = "- { id: home, pathPattern: /index.html, tiers: [ { period: 1h, threshold: 2 } ] }";
        try (RunningApplication shop =
                start(Shop.class, config(limits), "spring.web.resources.static-locations=file:" + directory + "/")) {
            assertThat(shop.get("/").body()).isEqualTo("welcome");
            assertThat(shop.get("/index.html").body()).isEqualTo("welcome");
            assertThat(shop.get("/").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void aFileIsEnough() throws IOException {
        try (RunningApplication shop = start(Shop.class, config(TWO_PRODUCTS))) {
            assertThat(remaining(shop.get("/product/1"))).isEqualTo("1");
            assertThat(shop.get("/product/2").body()).isEqualTo("product 2");
            HttpResponse<String> refused = shop.get("/product/3");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
            assertThat(refused.headers().firstValue("Retry-After"))
                    .get()
                    .asString()
                    .matches("[1-9]\\d*");
            assertThat(refused.headers().firstValue("Cache-Control")).hasValue("no-store");
            assertThat(refused.body()).contains("#quota-exceeded", "\"violated-policies\":[\"product\"]");
            assertThat(remaining(shop.get("/other"))).isEqualTo("none");
        }
    }

    @Test
    void nothingIsLimitedIfLimitsAreDisabled(CapturedOutput output) throws IOException {
        try (RunningApplication shop = start(Shop.class, config(TWO_PRODUCTS), "sluice.enabled=false")) {
            assertThat(remaining(shop.get("/product/1"))).isEqualTo("none");
            assertThat(shop.context().getBeansOfType(Sluice.class)).isEmpty();
        }
    }

    @Test
    void withoutAFilterThereIsStillALimiter() throws IOException {
        try (RunningApplication shop = start(Shop.class, config(TWO_PRODUCTS), "sluice.filter.enabled=false")) {
            assertThat(remaining(shop.get("/product/1"))).isEqualTo("none");
            assertThat(shop.context().getBeansOfType(Sluice.class)).hasSize(1);
        }
    }

    /** An application with its own filter and limiter, and its own refusal handler. */
    @Import(Shop.class)
    static class WithItsOwn {

        @Bean
        Sluice limits() {
            return Sluice.open("classpath:dev/sluice/spring/by-hand.yml");
        }

        @Bean
        RateLimitWebFilter filter(Sluice limits) {
            return new RateLimitWebFilter(limits, null, 0);
        }
    }

    @Test
    void aFilterOfTheApplicationIsNotRegisteredAgain() throws IOException {
        try (RunningApplication shop = start(WithItsOwn.class, config(TWO_PRODUCTS))) {
            assertThat(shop.get("/product/1").headers().allValues("x-ratelimit-remaining"))
                    .containsExactly("41");
            assertThat(shop.context().getBeansOfType(RateLimitWebFilter.class)).containsOnlyKeys("filter");
        }
    }

    /** An application with its own refusal handler. */
    @Import(Shop.class)
    static class WithItsOwnWords {

        @Bean
        ReactiveRefusalHandler refusals() {
            return (exchange, decision) -> exchange.getResponse()
                    .writeWith(Mono.fromSupplier(() ->
                            exchange.getResponse().bufferFactory().wrap("not now".getBytes(StandardCharsets.UTF_8))));
        }
    }

    @Test
    void aRefusalHandlerOfTheApplicationIsUsed() throws IOException {
        try (RunningApplication shop = start(WithItsOwnWords.class, config(TWO_PRODUCTS.replace("2 }", "1 }")))) {
            assertThat(shop.get("/product/1").statusCode()).isEqualTo(200);
            HttpResponse<String> refused = shop.get("/product/1");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.body()).isEqualTo("not now");
        }
    }

    @Test
    void answersAreCountedByTheirStatus() throws IOException {
        String limits = "- { id: denials, pathPattern: /**, per: [ ip ], count: { status: [ 401 ] }, "
                + "tiers: [ { period: 1d, threshold: 2 } ] }";
        try (RunningApplication shop = start(LargerShop.class, config(limits))) {
            RunningApplication.Caller caller = shop.caller();
            for (int i = 0; i < 5; i++) {
                assertThat(caller.get("/product/1").statusCode()).isEqualTo(200);
            }
            assertThat(caller.get("/denied").statusCode()).isEqualTo(401);
            assertThat(caller.get("/denied").statusCode()).isEqualTo(401);
            assertThat(caller.get("/denied").statusCode()).isEqualTo(429);
            assertThat(caller.get("/product/1").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void anExchangeCanBeCharged() throws IOException {
        String limits = "- { id: pay, pathPattern: /pay/*, per: [ ip ], cost: charged, "
                + "tiers: [ { period: 1d, threshold: 100 } ] }";
        try (RunningApplication shop = start(LargerShop.class, config(limits))) {
            assertThat(shop.get("/pay/70").body()).isEqualTo("charged true");
            assertThat(remaining(shop.get("/pay/40"))).isEqualTo("30");
            assertThat(shop.get("/pay/1").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void startedSessionsIdentifyCallers() throws IOException {
        String limits = "- { id: session, pathPattern: /session, per: [ session ], "
                + "tiers: [ { period: 1d, threshold: 2 } ] }";
        try (RunningApplication shop = start(LargerShop.class, config(limits))) {
            RunningApplication.Caller caller = shop.caller();
            assertThat(remaining(caller.get("/session"))).isEqualTo("1");
            assertThat(remaining(caller.get("/session"))).isEqualTo("1");
            assertThat(remaining(caller.get("/session"))).isEqualTo("0");
            assertThat(remaining(shop.caller().get("/session"))).isEqualTo("0");
            assertThat(caller.get("/session").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void aDryRunRefusesNobody() throws IOException {
        String limits = TWO_PRODUCTS.replace("  per: [ ip ]", "  per: [ ip ]\n  mode: dry-run");
        try (RunningApplication shop = start(Shop.class, config(limits))) {
            for (int i = 0; i < 4; i++) {
                HttpResponse<String> answer = shop.get("/product/1");
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(remaining(answer)).isEqualTo("none");
            }
            assertThat(shop.bean(Sluice.class).status().limits().endpoints()).hasSize(1);
        }
    }

    @Test
    void theActuatorAndMetersShowIt() throws IOException {
        try (RunningApplication shop = start(
                WithMeters.class,
                config(TWO_PRODUCTS),
                "management.endpoints.web.exposure.include=health,ratelimits",
                "management.endpoint.health.show-components=always")) {
            for (int i = 0; i < 3; i++) {
                shop.get("/product/1");
            }
            assertThat(shop.get("/actuator/health").body()).contains("\"sluice\"");
            assertThat(shop.get("/actuator/ratelimits").body()).contains("\"product\"");
            assertThat(shop.get("/actuator/ratelimits/ip/127.0.0.1").body()).contains("\"product\"");
            assertThat(shop.bean(MeterRegistry.class)
                            .get("sluice.decisions")
                            .tag("endpoint", "product")
                            .counters())
                    .isNotEmpty();
        }
    }

    @Test
    void aPortOfTheActuatorIsNotLimited() throws IOException {
        try (RunningApplication shop =
                start(Shop.class, config(TWO_PRODUCTS.replace("/product/*", "/**")), "management.server.port=0")) {
            String port = shop.context().getEnvironment().getProperty("local.management.port");
            HttpResponse<String> health =
                    shop.caller().get(URI.create("http://127.0.0.1:" + port + "/actuator/health"));
            assertThat(health.body()).contains("\"status\"");
            assertThat(remaining(health)).isEqualTo("none");
            assertThat(remaining(shop.get("/product/1"))).isEqualTo("1");
        }
    }

    /** A shop with a registry of meters. */
    @Import(Shop.class)
    static class WithMeters {

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @Test
    void addressesComeFromTrustedProxies() throws IOException {
        String limits = "trustedProxies: [ 127.0.0.0/8 ]\nendpoints:\n" + TWO_PRODUCTS.indent(2);
        try (RunningApplication shop = start(Shop.class, config(limits))) {
            assertThat(remaining(shop.get("/product/1", "X-Forwarded-For", "192.0.2.1")))
                    .isEqualTo("1");
            assertThat(remaining(shop.get("/product/1", "X-Forwarded-For", "192.0.2.2")))
                    .isEqualTo("1");
            assertThat(remaining(shop.get("/product/1", "X-Forwarded-For", "192.0.2.9, 192.0.2.1")))
                    .isEqualTo("0");
        }
    }
}
