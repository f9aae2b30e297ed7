package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.open.Sluice;
import dev.sluice.spring.RunningApplication.Caller;
import dev.sluice.webflux.ReactiveRateLimit;
import dev.sluice.webflux.SluiceWebPage;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Limits on both sides of Spring Security in a WebFlux application. */
@Timeout(300)
@Tag("server")
class SecuredReactiveTest {

    @TempDir
    private Path directory;

    private String config(String limits) throws IOException {
        return "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), limits);
    }

    /** An application whose users log in with Basic. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Basic {

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(
                    User.withUsername("ann").password("{noop}right").build(),
                    User.withUsername("bob").password("{noop}right").build());
        }

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.csrf(csrf -> csrf.disable())
                    .authorizeExchange(all ->
                            all.pathMatchers("/login").permitAll().anyExchange().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @GetMapping("/product/1")
        Mono<String> product() {
            return Mono.just("product 1");
        }

        /** Rejects all passwords. */
        @PostMapping("/login")
        Mono<String> login(ServerWebExchange exchange) {
            return Mono.error(() -> {
                ReactiveRateLimit.loginFailed(exchange);
                return new ResponseStatusException(HttpStatus.FORBIDDEN);
            });
        }
    }

    private static Caller basic(RunningApplication shop, String user, String password) {
        String credentials = user + ":" + password;
        return shop.caller(
                "Authorization",
                "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
    }

    private static String remaining(Caller caller) {
        return caller.get("/product/1")
                .headers()
                .firstValue("x-ratelimit-remaining")
                .orElse("none");
    }

    @Test
    void principalsAreKnownBehindSpringSecurity() throws IOException {
        String limits = "- { id: product, pathPattern: /product/*, per: [ principal ], "
                + "tiers: [ { period: 1d, threshold: 2 } ] }";
        try (RunningApplication shop = RunningApplication.startReactive(Basic.class, config(limits))) {
            Caller ann = basic(shop, "ann", "right");
            assertThat(basic(shop, "ann", "wrong").get("/product/1").statusCode())
                    .isEqualTo(401);
            assertThat(remaining(ann)).isEqualTo("1");
            assertThat(remaining(ann)).isEqualTo("0");
            assertThat(ann.get("/product/1").statusCode()).isEqualTo(429);
            assertThat(remaining(basic(shop, "bob", "right"))).isEqualTo("1");
        }
    }

    @Test
    void answersOfSpringSecurityAreCountedInFrontOfIt() throws IOException {
        String limits = """
            - id: denials
              pathPattern: /**
              per: [ ip ]
              count: { status: [ 401 ] }
              tiers: [ { period: 1d, threshold: 2 } ]
            - { id: product, pathPattern: /product/*, per: [ principal ], tiers: [ { period: 1d, threshold: 9 } ] }
            """;
        try (RunningApplication shop = RunningApplication.startReactive(Basic.class, config(limits))) {
            Caller wrong = basic(shop, "ann", "wrong");
            Caller right = basic(shop, "ann", "right");
            assertThat(remaining(right)).as("of what is no guard").isEqualTo("8");
            assertThat(wrong.get("/product/1").headers().map()).doesNotContainKey("x-ratelimit-limit");
            assertThat(remaining(right)).isEqualTo("7");
            assertThat(wrong.get("/product/1").statusCode()).isEqualTo(401);
            assertThat(wrong.get("/product/1").statusCode()).isEqualTo(429);
            HttpResponse<String> refused = right.get("/product/1");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("x-ratelimit-limit")).hasValue("2");
        }
    }

    @Test
    void failedLoginsThatTheApplicationReportsAreCounted() throws IOException {
        String limits = "- { id: login, pathPattern: /login, per: [ ip ], count: { outcome: login-failure }, "
                + "tiers: [ { period: 1d, threshold: 2 } ] }";
        try (RunningApplication shop = RunningApplication.startReactive(Basic.class, config(limits))) {
            Caller caller = shop.caller();
            assertThat(caller.postForm("/login", "").statusCode()).isEqualTo(403);
            assertThat(caller.postForm("/login", "").statusCode()).isEqualTo(403);
            assertThat(caller.postForm("/login", "").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void failedLoginsThatSpringSecurityRefusesAreCountedAndItsCallsAreNot() throws IOException {
        String limits = "- { id: failures, pathPattern: /**, per: [ ip ], count: { outcome: login-failure }, "
                + "tiers: [ { period: 1d, threshold: 2 } ] }";
        for (Class<?> application : List.of(Basic.class, Bearer.class)) {
            try (RunningApplication shop = RunningApplication.startReactive(application, config(limits))) {
                Caller wrong = application == Basic.class
                        ? basic(shop, "ann", "wrong")
                        : shop.caller("Authorization", "Bearer " + SecuredShops.Bearer.tokenOf("ann", false));
                for (int i = 0; i < 3; i++) {
                    assertThat(shop.get("/product/1").statusCode())
                            .as("without credentials")
                            .isEqualTo(401);
                }
                assertThat(wrong.get("/product/1").statusCode()).isEqualTo(401);
                assertThat(wrong.get("/product/1").statusCode()).isEqualTo(401);
                assertThat(wrong.get("/product/1").statusCode()).isEqualTo(429);
            }
        }
    }

    /** An application that serves strangers too, and calls them anonymous. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Anonymous {

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(all -> all.anyExchange().permitAll())
                    .anonymous(Customizer.withDefaults())
                    .build();
        }

        @GetMapping("/product/1")
        Mono<String> product() {
            return Mono.just("product 1");
        }
    }

    @Test
    void strangersAreNobodysPrincipal() throws IOException {
        String limits = """
            subjects: { user: [ principal, "header:X-Device" ] }
            endpoints:
              - { id: each, pathPattern: /**, per: [ user ], tiers: [ { period: 1d, threshold: 1 } ] }
              - id: strangers
                pathPattern: /**
                when: { principal: absent }
                per: []
                tiers: [ { period: 1d, threshold: 2 } ]
            """;
        try (RunningApplication shop = RunningApplication.startReactive(Anonymous.class, config(limits))) {
            assertThat(shop.get("/product/1", "X-Device", "a").statusCode()).isEqualTo(200);
            assertThat(shop.get("/product/1", "X-Device", "a").statusCode()).isEqualTo(429);
            assertThat(shop.get("/product/1", "X-Device", "b").statusCode())
                    .as("another stranger")
                    .isEqualTo(200);
            assertThat(shop.get("/product/1", "X-Device", "c").statusCode())
                    .as("a third call without principal")
                    .isEqualTo(429);
        }
    }

    /** Has a page for users with one role. */
    @Import(Basic.class)
    static class WithPage {

        @Bean
        @Primary
        MapReactiveUserDetailsService operators() {
            return new MapReactiveUserDetailsService(
                    User.withUsername("ann")
                            .password("{noop}right")
                            .roles("OPERATOR")
                            .build(),
                    User.withUsername("bob").password("{noop}right").build());
        }

        @Bean
        SluiceWebPage page(Sluice limits) {
            return SluiceWebPage.of(limits).roles("OPERATOR");
        }
    }

    @Test
    void onlyUsersWithTheRoleMayReadThePage() throws IOException {
        String limits = "- { id: all, pathPattern: /**, per: [ principal ], tiers: [ { period: 1d, threshold: 1 } ] }";
        try (RunningApplication shop = RunningApplication.startReactive(WithPage.class, config(limits))) {
            assertThat(shop.get("/_sluice/data.json").statusCode())
                    .as("Spring Security asks to log in")
                    .isEqualTo(401);
            for (int i = 0; i < 3; i++) {
                assertThat(basic(shop, "ann", "right").get("/_sluice/data.json").body())
                        .contains("\"id\":\"all\"");
                assertThat(basic(shop, "bob", "right").get("/_sluice/data.json").body())
                        .isEqualTo("You are not allowed to read this page.\n");
            }
            assertThat(remaining(basic(shop, "ann", "right"))).isEqualTo("0");
        }
    }

    @Test
    void guessesAtThePageAreLimitedLikeOtherCallsAndOperatorsCountOnce() throws IOException {
        String limits = "- { id: all, pathPattern: /**, per: [ ip ], tiers: [ { period: 1d, threshold: 3 } ] }";
        try (RunningApplication shop = RunningApplication.startReactive(WithPage.class, config(limits))) {
            Caller operator = basic(shop, "ann", "right");
            for (int i = 0; i < 5; i++) {
                assertThat(operator.get("/_sluice/data.json").statusCode()).isEqualTo(200);
            }
            Caller guessing = basic(shop, "ann", "wrong");
            assertThat(guessing.get("/_sluice/").statusCode()).isEqualTo(401);
            assertThat(guessing.get("/_sluice/").statusCode()).isEqualTo(401);
            assertThat(guessing.get("/_sluice/").statusCode()).isEqualTo(429);
            assertThat(basic(shop, "bob", "right").get("/_sluice/").statusCode())
                    .as("a right guess, too late")
                    .isEqualTo(429);
            assertThat(shop.get("/_sluice/").statusCode())
                    .as("without credentials")
                    .isEqualTo(401);
            assertThat(operator.get("/_sluice/data.json").statusCode()).isEqualTo(200);
        }
    }

    /** An application whose users log in by a form, so nobody looks at their {@code Authorization}. */
    @Import(WithPage.class)
    static class Form {

        @Bean
        @Order(0)
        SecurityWebFilterChain forms(ServerHttpSecurity http) {
            return http.csrf(csrf -> csrf.disable())
                    .authorizeExchange(all -> all.anyExchange().authenticated())
                    .formLogin(Customizer.withDefaults())
                    .build();
        }
    }

    @Test
    void guessesBesideASessionProveNothing() throws IOException {
        String limits = "- { id: all, pathPattern: /**, per: [ ip ], tiers: [ { period: 1d, threshold: 3 } ] }";
        try (RunningApplication shop = RunningApplication.startReactive(Form.class, config(limits))) {
            Caller operator = shop.caller();
            assertThat(operator.postForm("/login", "username=ann&password=right")
                            .statusCode())
                    .isEqualTo(302);
            List<Integer> statuses = Stream.generate(
                            () -> operator.get("/_sluice/data.json", "Authorization", "Basic guess")
                                    .statusCode())
                    .limit(5)
                    .toList();
            assertThat(statuses).containsExactly(200, 200, 429, 429, 429);
            assertThat(operator.get("/_sluice/data.json").statusCode())
                    .as("without a guess")
                    .isEqualTo(200);
        }
    }

    /** An application whose callers have tokens. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Bearer {

        @Bean
        ReactiveJwtDecoder decoder() {
            return NimbusReactiveJwtDecoder.withSecretKey(SecuredShops.Bearer.ISSUER)
                    .build();
        }

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(all -> all.anyExchange().authenticated())
                    .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
                    .build();
        }

        @GetMapping("/product/1")
        Mono<String> product() {
            return Mono.just("product 1");
        }
    }

    @Test
    void claimsOfTokensAreKnownBehindSpringSecurity() throws IOException {
        String limits = "- { id: product, pathPattern: /product/*, per: [ \"claim:sub\" ], "
                + "tiers: [ { period: 1d, threshold: 2 } ] }";
        try (RunningApplication shop = RunningApplication.startReactive(Bearer.class, config(limits))) {
            Caller ann = shop.caller("Authorization", "Bearer " + SecuredShops.Bearer.tokenOf("ann", true));
            assertThat(remaining(ann)).isEqualTo("1");
            assertThat(remaining(ann)).isEqualTo("0");
            assertThat(ann.get("/product/1").statusCode()).isEqualTo(429);
            assertThat(remaining(shop.caller("Authorization", "Bearer " + SecuredShops.Bearer.tokenOf("bob", true))))
                    .isEqualTo("1");
            assertThat(shop.caller("Authorization", "Bearer " + SecuredShops.Bearer.tokenOf("eve", false))
                            .get("/product/1")
                            .statusCode())
                    .isEqualTo(401);
        }
    }
}
