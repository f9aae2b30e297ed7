package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.spring.RunningApplication.Caller;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UserDetailsRepositoryReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Many addresses guess the password of one account of a WebFlux application on Netty. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
@Tag("server")
class ReactiveAccountGuessingTest {

    private static final String LIMITS = """
        trustedProxies: [ 127.0.0.0/8 ]
        secrets: { key: "a key of sixteen characters" }
        endpoints:
          - { id: account, pathPattern: /**, per: [ login ], count: { outcome: login-failure },
              tiers: [ { period: 1d, threshold: 3 } ] }
          - { id: address, pathPattern: /**, per: [ ip ], count: { outcome: login-failure },
              tiers: [ { period: 1d, threshold: 2 } ] }
        """;

    @TempDir
    private Path directory;

    private RunningApplication start(Class<?> bank) throws IOException {
        Path file = Files.writeString(directory.resolve("limits.yml"), LIMITS);
        return RunningApplication.startReactive(bank, "sluice.config=" + file, "logging.level.dev.sluice=TRACE");
    }

    /** Compares passwords in clear text; holds each comparison while it is told to, and counts those of a password. */
    static final class Passwords implements PasswordEncoder {

        final AtomicInteger compared = new AtomicInteger();
        volatile CountDownLatch gate = new CountDownLatch(0);

        @Override
        public String encode(CharSequence password) {
            return password.toString();
        }

        @Override
        public boolean matches(CharSequence tried, String password) {
            compared.incrementAndGet();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return tried.toString().equals(password);
        }
    }

    /** Users, and no manager: Spring Security makes one of them. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Bank {

        @Bean
        Passwords passwords() {
            return new Passwords();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(
                    User.withUsername("ann").password("right").build());
        }

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.csrf(csrf -> csrf.disable())
                    .authorizeExchange(all -> all.pathMatchers("/api/**")
                            .permitAll()
                            .anyExchange()
                            .authenticated())
                    .formLogin(Customizer.withDefaults())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @GetMapping("/product/1")
        Mono<String> product() {
            return Mono.just("product 1");
        }
    }

    /** A manager that only the chain knows, whose failures are answered in ways of its own. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class ManagerOfChain {

        @Bean
        Passwords passwords() {
            return new Passwords();
        }

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http, Passwords passwords) {
            UserDetailsRepositoryReactiveAuthenticationManager accounts =
                    new UserDetailsRepositoryReactiveAuthenticationManager(users());
            accounts.setPasswordEncoder(passwords);
            return http.csrf(csrf -> csrf.disable())
                    .authenticationManager(accounts)
                    .authorizeExchange(all -> all.anyExchange().authenticated())
                    .formLogin(form -> form.authenticationFailureHandler((exchange, fault) -> Mono.fromRunnable(
                            () -> redirect(exchange.getExchange().getResponse()))))
                    .httpBasic(basic -> basic.authenticationEntryPoint((exchange, fault) ->
                            Mono.fromRunnable(() -> exchange.getResponse().setStatusCode(HttpStatus.UNAUTHORIZED))))
                    .build();
        }

        /** Answers every fault, before anybody else can. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        WebExceptionHandler faults() {
            return (exchange, fault) ->
                    Mono.fromRunnable(() -> exchange.getResponse().setStatusCode(HttpStatus.INTERNAL_SERVER_ERROR));
        }

        private static ReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(
                    User.withUsername("ann").password("right").build());
        }

        private static void redirect(ServerHttpResponse response) {
            response.setStatusCode(HttpStatus.FOUND);
            response.getHeaders().setLocation(URI.create("/sorry"));
        }

        @Bean
        RouterFunction<ServerResponse> product() {
            return RouterFunctions.route()
                    .GET("/product/1", request -> ServerResponse.ok().bodyValue("product 1"))
                    .build();
        }
    }

    /** The application declares only users, so the chain is Spring Security's own. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration",
                "org.springframework.boot.actuate.autoconfigure.security.reactive.ReactiveManagementWebSecurityAutoConfiguration"
            })
    @RestController
    static class DefaultChain {

        @Bean
        Passwords passwords() {
            return new Passwords();
        }

        @Bean
        ReactiveUserDetailsService users() {
            return ManagerOfChain.users();
        }

        @GetMapping("/product/1")
        Mono<String> product() {
            return Mono.just("product 1");
        }
    }

    /** A manager of its own, which a controller asks too. */
    @Import(Bank.class)
    @RestController
    static class OwnManager {

        private final ReactiveAuthenticationManager manager;

        OwnManager(@Lazy ReactiveAuthenticationManager manager) {
            this.manager = manager;
        }

        @Bean
        @SuppressWarnings("UnnecessaryMethodReference") // Spring shall see no more than the interface
        static ReactiveAuthenticationManager manager(ReactiveUserDetailsService users, PasswordEncoder passwords) {
            UserDetailsRepositoryReactiveAuthenticationManager accounts =
                    new UserDetailsRepositoryReactiveAuthenticationManager(users);
            accounts.setPasswordEncoder(passwords);
            return accounts::authenticate;
        }

        private Mono<Authentication> logIn(String user, String password) {
            return manager.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(user, password));
        }

        private static Mono<ResponseEntity<String>> answer(Mono<Authentication> login) {
            return login.map(known -> ResponseEntity.ok(known.getName()))
                    .onErrorResume(
                            AuthenticationException.class,
                            fault -> Mono.just(ResponseEntity.status(HttpStatus.UNAUTHORIZED)
                                    .body("no")));
        }

        @PostMapping("/api/plain")
        Mono<ResponseEntity<String>> plain(
                @RequestParam("username") String user, @RequestParam("password") String password) {
            return answer(logIn(user, password));
        }

        @PostMapping("/api/elsewhere")
        Mono<ResponseEntity<String>> elsewhere(
                @RequestParam("username") String user, @RequestParam("password") String password) {
            return answer(Mono.defer(() -> logIn(user, password)).subscribeOn(Schedulers.boundedElastic()));
        }

        /** Starts a login that the answer does not depend on. */
        @PostMapping("/api/detached")
        Mono<ResponseEntity<String>> detached(
                @RequestParam("username") String user, @RequestParam("password") String password) {
            return answer(Mono.fromFuture(() -> logIn(user, password).toFuture()));
        }
    }

    private static HttpRequest login(RunningApplication bank, String how, int address, String user, String password) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        bank.at(how.equals("Basic") ? "/product/1" : how + '?' + form(user, password)))
                .header("X-Forwarded-For", "203.0.113." + address);
        if (how.equals("Basic")) {
            return request.header(
                            "Authorization",
                            "Basic "
                                    + Base64.getEncoder()
                                            .encodeToString((user + ':' + password).getBytes(StandardCharsets.UTF_8)))
                    .build();
        }
        if (how.equals("/login")) {
            request = request.uri(URI.create(bank.at(how).toString()));
        }
        return request.header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form(user, password)))
                .build();
    }

    private static String form(String user, String password) {
        return "username=" + URLEncoder.encode(user, StandardCharsets.UTF_8) + "&password="
                + URLEncoder.encode(password, StandardCharsets.UTF_8);
    }

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static HttpResponse<String> send(HttpRequest request) {
        return CLIENT.sendAsync(request, BodyHandlers.ofString()).join();
    }

    private static int status(RunningApplication bank, String how, int address, String user, String password) {
        return send(login(bank, how, address, user, password)).statusCode();
    }

    private static Passwords passwords(RunningApplication bank) {
        return bank.bean(Passwords.class);
    }

    static Stream<Arguments> ways() {
        return Stream.of(
                Arguments.of(Bank.class, "/login", 302, 302),
                Arguments.of(Bank.class, "Basic", 401, 200),
                Arguments.of(ManagerOfChain.class, "/login", 302, 302),
                Arguments.of(ManagerOfChain.class, "Basic", 401, 200),
                Arguments.of(DefaultChain.class, "Basic", 401, 200),
                Arguments.of(OwnManager.class, "/login", 302, 302),
                Arguments.of(OwnManager.class, "Basic", 401, 200),
                Arguments.of(OwnManager.class, "/api/plain", 401, 200),
                Arguments.of(OwnManager.class, "/api/elsewhere", 401, 200));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void haveThreeTriesTogether(Class<?> application, String how, int wrong, int right) throws IOException {
        try (RunningApplication bank = start(application)) {
            for (int i = 0; i < 5; i++) {
                assertThat(status(bank, how, i, "ann", "right")).isEqualTo(right);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(status(bank, how, i, "ann", "wrong" + i)).isEqualTo(wrong);
            }
            for (int i = 0; i < 20; i++) {
                assertThat(status(bank, how, i, "ann", "wrong" + i)).isEqualTo(429);
            }
            assertThat(status(bank, how, 99, "ann", "right")).as("the owner").isEqualTo(429);
            assertThat(passwords(bank).compared).hasValue(5 + 3);
            assertThat(status(bank, how, 1, "bob", "wrong"))
                    .as("another account")
                    .isEqualTo(wrong);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/login", "Basic", "/api/plain"})
    void learnNothingOfWhetherTheAccountExists(String how) throws IOException {
        try (RunningApplication bank = start(OwnManager.class)) {
            List<List<String>> answers = Stream.of("ann", "nobody")
                    .map(user -> IntStream.range(0, 6)
                            .mapToObj(n -> shown(send(login(bank, how, user.length() * 10 + n, user, "wrong"))))
                            .toList())
                    .toList();
            assertThat(answers.get(0)).isEqualTo(answers.get(1));
            assertThat(answers.get(0))
                    .filteredOn(answer -> answer.startsWith("429"))
                    .hasSize(3);
        }
    }

    /** What differs between two answers, apart from the time and the session. */
    private static String shown(HttpResponse<String> answer) {
        return answer.statusCode() + " " + answer.headers().map().keySet() + " "
                + answer.body().replaceAll("[0-9]+", "N");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/login", "Basic", "/api/plain", "/api/elsewhere"})
    void aRefusalIsAnsweredLikeEveryOther(String how) throws IOException {
        try (RunningApplication bank = start(OwnManager.class)) {
            for (int i = 0; i < 3; i++) {
                status(bank, how, i, "somebody", "wrong");
            }
            HttpResponse<String> refused = send(login(bank, how, 9, "somebody", "wrong"));
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(refused.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
            assertThat(refused.headers().firstValue("x-ratelimit-limit")).hasValue("3");
            assertThat(refused.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
            assertThat(refused.headers().map()).doesNotContainKeys("WWW-Authenticate", "Location");
            assertThat(refused.body()).contains("\"status\":429").doesNotContain("somebody", "login");
        }
    }

    @Test
    void aBrowserGetsAPage() throws IOException {
        try (RunningApplication bank = start(Bank.class)) {
            for (int i = 0; i < 3; i++) {
                status(bank, "/login", i, "ann", "wrong");
            }
            Caller browser = bank.caller("X-Forwarded-For", "203.0.113.9", "Accept", "text/html,*/*;q=0.8");
            HttpResponse<String> refused = browser.postForm("/login", form("ann", "wrong"));
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
            assertThat(refused.body()).contains("<html").doesNotContain("ann");
        }
    }

    @Test
    void aLoginThatTheAccountsLimitRefusesIsNoFailureOfTheAddress() throws IOException {
        try (RunningApplication bank = start(Bank.class)) {
            for (int i = 0; i < 3; i++) {
                status(bank, "Basic", i, "ann", "wrong");
            }
            for (int i = 0; i < 9; i++) {
                assertThat(status(bank, "Basic", 50, "ann", "wrong")).isEqualTo(429);
            }
            assertThat(status(bank, "Basic", 50, "bob", "wrong")).isEqualTo(401);
            assertThat(status(bank, "Basic", 50, "carl", "wrong")).isEqualTo(401);
            assertThat(status(bank, "Basic", 50, "dora", "wrong"))
                    .as("the address has failed twice")
                    .isEqualTo(429);
        }
    }

    @Test
    void passwordsThatAreTriedAtOnceHoldAPermitEach() throws IOException {
        try (RunningApplication bank = start(Bank.class)) {
            Passwords passwords = passwords(bank);
            CountDownLatch gate = new CountDownLatch(1);
            passwords.gate = gate;
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                answers.add(CLIENT.sendAsync(login(bank, "Basic", i, "ann", "wrong"), BodyHandlers.ofString()));
            }
            Eventually.await("three are compared", () -> passwords.compared.get() == 3);
            gate.countDown();
            assertThat(answers.stream().map(answer -> answer.join().statusCode()))
                    .containsOnly(401, 429)
                    .filteredOn(status -> status == 401)
                    .hasSize(3);
            assertThat(passwords.compared).hasValue(3);
        }
    }

    @Test
    void aCallerWhoDisconnectsGetsThePermitBack() throws IOException {
        try (RunningApplication bank = start(Bank.class)) {
            Passwords passwords = passwords(bank);
            CountDownLatch gate = new CountDownLatch(1);
            passwords.gate = gate;
            List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, 3)
                    .mapToObj(i -> CLIENT.sendAsync(login(bank, "Basic", i, "ann", "wrong"), BodyHandlers.ofString()))
                    .toList();
            Eventually.await("three are compared", () -> passwords.compared.get() == 3);
            answers.forEach(answer -> answer.cancel(true));
            passwords.gate = new CountDownLatch(0);
            try {
                Eventually.await("the permits are back", () -> status(bank, "Basic", 9, "ann", "right") == 200);
            } finally {
                gate.countDown();
            }
        }
    }

    @Test
    void aLoginApartFromTheExchangeIsNotedOnce(CapturedOutput output) throws IOException {
        try (RunningApplication bank = start(OwnManager.class)) {
            for (int i = 0; i < 5; i++) {
                assertThat(status(bank, "/api/detached", i, "ann", "wrong")).isEqualTo(401);
            }
            assertThat(output).containsOnlyOnce("because no request is known there");
            assertThat(output).contains("return its Mono as a part of the response instead");
        }
    }

    /** A filter of its own, with a manager that is no bean. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OwnFilter {

        @Bean
        SecurityWebFilterChain own(ServerHttpSecurity http) {
            return http.addFilterAt(
                            new AuthenticationWebFilter(
                                    new UserDetailsRepositoryReactiveAuthenticationManager(ManagerOfChain.users())) {},
                            SecurityWebFiltersOrder.AUTHENTICATION)
                    .build();
        }
    }

    @Test
    void theStartNamesAFilterThatCannotBeWatched(CapturedOutput output) throws IOException {
        start(OwnFilter.class).close();
        assertThat(output)
                .contains("The limits account, address count failed logins, but cannot watch these filters: "
                        + OwnFilter.class.getName() + "$1 of own.");
    }

    @ParameterizedTest
    @ValueSource(classes = {Bank.class, ManagerOfChain.class, OwnManager.class})
    void theStartNamesNoFilterIfAllAreWatched(Class<?> application, CapturedOutput output) throws IOException {
        start(application).close();
        assertThat(output).doesNotContain("cannot watch these filters");
    }

    @Test
    void theNameStandsNowhereInClearText(CapturedOutput output) throws IOException {
        try (RunningApplication bank = start(OwnManager.class)) {
            for (int i = 0; i < 5; i++) {
                for (String spelling : List.of("/login", "Basic", "/api/elsewhere")) {
                    status(bank, spelling, i, i % 2 == 0 ? "My-Secret-Passw0rd" : " MY-secret-passw0rd ", "x");
                }
            }
            assertThat(status(bank, "/login", 99, "my-secret-passw0rd", "x"))
                    .as("all spellings are one name")
                    .isEqualTo(429);
            assertThat(output.getAll()).doesNotContainIgnoringCase("my-secret");
        }
    }
}
