package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.RateLimitedException;
import dev.sluice.limits.ClientOverride;
import dev.sluice.open.Sluice;
import dev.sluice.spring.RunningApplication.Caller;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshotFactory;
import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;

/** Guessing passwords is limited, whatever clients, plans and operators there are. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
@Tag("server")
class PasswordGuessingTest {

    private static final String PAGE = "/actuator/ratelimits/page/";
    private static final String EXPOSED = "management.endpoints.web.exposure.include=ratelimits";

    private static final String THREE_CALLS = """
        subjects: { user: [ principal ] }
        %s
        endpoints:
          - { id: all, pathPattern: /**, per: [ ip ], tiers: [ { period: 1d, threshold: 3 } ] }
        """;

    private static final String WARNING = "is checked before authentication";

    @TempDir
    private Path directory;

    private RunningApplication start(Class<?> application, String limits) throws IOException {
        String config = "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), limits);
        return RunningApplication.start(application, config, EXPOSED);
    }

    private static List<Integer> logins(RunningApplication shop, String password, int times) {
        return Stream.generate(() -> shop.caller()
                        .postForm("/login", "username=ann&password=" + password)
                        .statusCode())
                .limit(times)
                .toList();
    }

    private static Caller basic(RunningApplication shop, String password) {
        return basic(shop, "ann", password);
    }

    private static Caller basic(RunningApplication shop, String user, String password) {
        return shop.caller("Authorization", basicText(user, password));
    }

    private static String basicText(String user, String password) {
        String credentials = user + ':' + password;
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    private static List<Integer> gets(Caller caller, String path, int times) {
        return Stream.generate(() -> caller.get(path).statusCode()).limit(times).toList();
    }

    @Nested
    class WithClientsThatOnlyAuthenticationKnows {

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "clients: [ { user: admin, exempt: true } ]",
                    "plans: { free: {}, pro: { multiply: 10 } }\n"
                            + "clients: { planFrom: \"claim:plan\", defaultPlan: free }"
                })
        void theLimitOfLoginsHolds(String clients) throws IOException {
            try (RunningApplication shop = start(SecuredShops.Form.class, THREE_CALLS.formatted(clients))) {
                assertThat(logins(shop, "wrong", 3)).containsOnly(302);
                assertThat(logins(shop, "wrong", 2)).containsOnly(429);
                assertThat(logins(shop, "right", 1)).containsOnly(429);
            }
        }

        @Test
        void theLimitOfLoginsHoldsWhenAnOperatorSetsALimit() throws IOException {
            try (RunningApplication shop = start(SecuredShops.Form.class, THREE_CALLS.formatted(""))) {
                Sluice limits = shop.bean(Sluice.class);
                limits.setLimit(new ClientOverride("user", "carl", "*", "x2"), Duration.ZERO, "", "a sale")
                        .toCompletableFuture()
                        .join();
                Eventually.await(
                        "it is in force", () -> !limits.limits().overrides().isEmpty());
                assertThat(logins(shop, "wrong", 3)).containsOnly(302);
                assertThat(logins(shop, "wrong", 2)).containsOnly(429);
            }
        }

        private static final String TOKENS = """
            subjects: { org: [ "header:X-Org" ] }
            plans: { pro: { multiply: 10 } }
            clients: { planFrom: "claim:sub" }
            endpoints:
              - { id: api, pathPattern: /**, per: [ org ], %s tiers: [ { period: 1d, threshold: 2 } ] }
            """;

        private String limit(RunningApplication shop, String plan) {
            return shop.get("/product/1", "X-Org", plan, "Authorization", "Bearer " + tokenOf(plan))
                    .headers()
                    .firstValue("x-ratelimit-limit")
                    .orElse("none");
        }

        private static String tokenOf(String plan) {
            return SecuredShops.Bearer.tokenOf(plan, true);
        }

        @Test
        void anEndpointForAuthenticatedCallsKnowsTheirPlans(CapturedOutput output) throws IOException {
            String limits = TOKENS.formatted("when: { principal: present },");
            try (RunningApplication shop = start(SecuredShops.Bearer.class, limits)) {
                assertThat(limit(shop, "pro")).isEqualTo("20");
                assertThat(limit(shop, "other")).isEqualTo("2");
                assertThat(output.getAll()).doesNotContain(WARNING);
            }
        }

        @Test
        void anEndpointInFrontWarnsOnceThatItDoesNotKnowThem(CapturedOutput output) throws IOException {
            try (RunningApplication shop = start(SecuredShops.Bearer.class, TOKENS.formatted(""))) {
                assertThat(limit(shop, "other")).isEqualTo("2");
                assertThat(output.getAll()).doesNotContain(WARNING);
                assertThat(limit(shop, "pro")).isEqualTo("2");
                assertThat(limit(shop, "pro")).isEqualTo("2");
                assertThat(output.getAll())
                        .containsOnlyOnce("The endpoint api is checked before authentication, so it cannot identify "
                                + "clients and plans by principal or claim. It has applied the general limits to such "
                                + "a caller. To apply individual limits, write when: { principal: present }, or count "
                                + "per principal or claim. The endpoint is then checked after authentication, and does "
                                + "not count failed logins (logged once)");
            }
        }
    }

    @Nested
    class AtThePage {

        @Test
        void guessesAreLimitedLikeOtherCalls() throws IOException {
            try (RunningApplication shop = start(SecuredShops.Basic.class, THREE_CALLS.formatted(""))) {
                assertThat(gets(basic(shop, "wrong"), PAGE, 3)).containsOnly(401);
                assertThat(gets(basic(shop, "wrong"), PAGE, 2)).containsOnly(429);
                assertThat(gets(basic(shop, "right"), PAGE, 1))
                        .as("whoever has guessed too often")
                        .containsOnly(429);
            }
        }

        @Test
        void aPreflightHidesNoGuess() throws IOException {
            String limits = "- { id: reads, methods: [ GET ], pathPattern: /**, per: [ ip ], "
                    + "tiers: [ { period: 1d, threshold: 3 } ] }";
            try (RunningApplication shop = start(ForOtherOrigins.class, limits)) {
                List<Integer> guesses = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    Caller guessing = basic(shop, "wrong" + i);
                    assertThat(guessing.preflight(PAGE, ForOtherOrigins.ORIGIN).statusCode())
                            .isEqualTo(200);
                    guesses.addAll(gets(guessing, PAGE, 1));
                }
                assertThat(guesses).containsExactly(401, 401, 401, 429, 429);
            }
        }

        @Test
        void aRequestWithoutCredentialsCountsNeitherThereNorAtTheErrorPage() throws IOException {
            try (RunningApplication shop = start(SecuredShops.Basic.class, THREE_CALLS.formatted(""))) {
                assertThat(gets(shop.caller(), PAGE, 5)).containsOnly(401);
                assertThat(gets(basic(shop, "right"), "/product/1", 4)).containsExactly(200, 200, 200, 429);
            }
        }

        @Test
        void anOperatorWhoSendsCredentialsEachTimeCountsOnce() throws IOException {
            try (RunningApplication shop = start(SecuredShops.Basic.class, THREE_CALLS.formatted(""))) {
                Caller operator = basic(shop, "right");
                assertThat(gets(operator, PAGE, 5)).containsOnly(200);
                assertThat(gets(operator, "/product/1", 3)).containsExactly(200, 200, 429);
                assertThat(gets(operator, PAGE + "data.json", 2)).containsOnly(200);
                assertThat(gets(basic(shop, "wrong"), PAGE, 1)).containsOnly(429);
            }
        }

        @Test
        void anOperatorWithASessionIsNotLimited() throws IOException {
            try (RunningApplication shop = start(SecuredShops.Form.class, THREE_CALLS.formatted(""))) {
                Caller operator = shop.caller();
                assertThat(operator.postForm("/login", "username=ann&password=right")
                                .statusCode())
                        .isEqualTo(302);
                assertThat(gets(operator, PAGE, 5)).containsOnly(200);
                assertThat(gets(operator, "/product/1", 3)).containsExactly(200, 200, 429);
                assertThat(gets(operator, PAGE, 2)).containsOnly(200);
            }
        }

        @Test
        void guessesBesideASessionProveNothing() throws IOException {
            try (RunningApplication shop = start(SecuredShops.LoginTwice.class, THREE_CALLS.formatted(""))) {
                Caller bob = shop.caller();
                assertThat(bob.postForm("/login", "username=bob&password=right").statusCode())
                        .isEqualTo(302);
                List<Integer> statuses = IntStream.range(0, 20)
                        .mapToObj(i -> bob.get(PAGE, "Authorization", basicText("bob", "guess" + i))
                                .statusCode())
                        .toList();
                assertThat(statuses).startsWith(200, 200, 429).endsWith(429);
                assertThat(gets(basic(shop, "bob", "guess0"), PAGE, 1)).containsOnly(429);
                assertThat(gets(bob, PAGE, 2)).as("without a guess").containsOnly(200);
            }
        }

        @Test
        void credentialsThatSpringSecurityAcceptsAreProvenWhateverElseIsSent() throws IOException {
            try (RunningApplication shop = start(SecuredShops.Basic.class, THREE_CALLS.formatted(""))) {
                Caller operator = shop.caller("Authorization", basicText("ann", "right"), "Cookie", "theme=dark");
                assertThat(gets(operator, PAGE, 5)).containsOnly(200);
            }
        }

        @Test
        void whereNoManagerDecidesOnlyRequestsWithoutCookiesProveTheirs() throws IOException {
            try (RunningApplication shop = start(SecuredShops.OwnFilter.class, THREE_CALLS.formatted(""))) {
                Caller browser = shop.caller("Authorization", "Token right", "Cookie", "user=ann");
                assertThat(gets(browser, PAGE, 2)).containsOnly(200);
                assertThat(gets(shop.caller("Authorization", "Token right"), PAGE, 5))
                        .containsOnly(200);
                assertThat(gets(shop.caller("Authorization", "Token wrong", "Cookie", "user=ann"), PAGE, 1))
                        .containsOnly(429);
            }
        }

        @Test
        void nothingBehindAuthenticationLimitsAnOperator() throws IOException {
            String limits =
                    "- { id: each, pathPattern: /**, per: [ principal ], tiers: [ { period: 1d, threshold: 1 } ] }";
            try (RunningApplication shop = start(SecuredShops.Basic.class, limits)) {
                Caller operator = basic(shop, "right");
                assertThat(gets(operator, "/product/1", 2)).containsExactly(200, 429);
                assertThat(gets(operator, PAGE, 3)).containsOnly(200);
            }
        }
    }

    /** An application whose answers scripts of another site may read. */
    static class ForOtherOrigins extends SecuredShops.Basic {

        static final String ORIGIN = "https://shop.example";

        @Bean
        @Override
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return super.security(http.cors(Customizer.withDefaults()));
        }

        @Bean
        UrlBasedCorsConfigurationSource corsConfigurationSource() { // Spring Security 6.5 goes by this name
            CorsConfiguration allowed = new CorsConfiguration();
            allowed.setAllowedOrigins(List.of(ORIGIN));
            allowed.setAllowedMethods(List.of("GET"));
            UrlBasedCorsConfigurationSource all = new UrlBasedCorsConfigurationSource();
            all.registerCorsConfiguration("/**", allowed);
            return all;
        }
    }

    /** Somebody with an account of his own guesses the passwords of others. */
    @Nested
    class InCallsThatHaveLoggedIn {

        private static final String FIVE_FAILURES = """
            - { id: logins, pathPattern: /**, per: [ ip ], count: { outcome: login-failure },
                tiers: [ { period: 1d, threshold: 5 } ] }
            """;

        private static int guess(Caller caller, String passwords) {
            return caller.postForm("/api/login", "username=ann" + passwords).statusCode();
        }

        private static List<Integer> guessAtOnce(int calls, Supplier<Caller> caller, String password) {
            ExecutorService callers = Executors.newFixedThreadPool(calls);
            try {
                List<CompletableFuture<Integer>> all = Stream.generate(caller)
                        .limit(calls)
                        .map(one -> CompletableFuture.supplyAsync(() -> guess(one, "&password=" + password), callers))
                        .toList();
                return all.stream().map(CompletableFuture::join).toList();
            } finally {
                callers.shutdownNow();
            }
        }

        private static Supplier<Caller> bobBy(String login, RunningApplication shop) {
            Caller bob = shop.caller();
            if (login.equals("form")) {
                assertThat(bob.postForm("/login", "username=bob&password=right").statusCode())
                        .isEqualTo(302);
            }
            return login.equals("form") ? () -> bob : () -> basic(shop, "bob", "right");
        }

        private static int tries(RunningApplication shop) {
            return shop.bean(SecuredShops.LoginTwice.class).triesOfAnn.get();
        }

        @ParameterizedTest
        @ValueSource(strings = {"Basic", "form"})
        void fiftyWrongPasswordsAtOnceGetFiveTries(String login) throws IOException {
            try (RunningApplication shop = start(SecuredShops.LoginTwice.class, FIVE_FAILURES)) {
                assertThat(guessAtOnce(50, bobBy(login, shop), "wrong"))
                        .containsOnly(401, 429)
                        .filteredOn(status -> status == 401)
                        .hasSize(5);
                assertThat(tries(shop)).isEqualTo(5);
                assertThat(guess(shop.caller(), "&password=right")).isEqualTo(429);
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"Basic", "form"})
        void rightPasswordsPassAndTakeNothing(String login) throws IOException {
            try (RunningApplication shop = start(SecuredShops.LoginTwice.class, FIVE_FAILURES)) {
                assertThat(guessAtOnce(20, bobBy(login, shop), "right")).containsOnly(200);
                assertThat(guessAtOnce(20, bobBy(login, shop), "wrong")).contains(401);
                assertThat(tries(shop)).isEqualTo(20 + 5);
            }
        }

        @Test
        void oneCallWithManyPasswordsGetsFiveTries() throws IOException {
            try (RunningApplication shop = start(SecuredShops.LoginTwice.class, FIVE_FAILURES)) {
                String many = "&password=wrong".repeat(20) + "&password=right";
                assertThat(guess(shop.caller(), many)).isEqualTo(429);
                assertThat(tries(shop)).isEqualTo(5);
            }
        }
    }

    /** A controller that asks for passwords on other threads, in several ways. Counts the passwords compared. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    static class LoginElsewhere extends SecuredShops.Products {

        private final AtomicInteger compared = new AtomicInteger();
        private final ExecutorService workers = Executors.newCachedThreadPool();
        private final AuthenticationManager manager;
        private final Work work;

        LoginElsewhere(@Lazy AuthenticationManager manager, @Lazy Work work) {
            this.manager = manager;
            this.work = work;
        }

        @PreDestroy
        void close() {
            workers.shutdownNow();
        }

        @Bean
        static SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable())
                    .authorizeHttpRequests(all -> all.anyRequest().permitAll())
                    .build();
        }

        @Bean
        AuthenticationManager manager() {
            return login -> {
                compared.incrementAndGet();
                if ("right".equals(login.getCredentials())) {
                    return UsernamePasswordAuthenticationToken.authenticated(login.getName(), null, List.of());
                }
                throw new BadCredentialsException("wrong by intent");
            };
        }

        @Bean
        static Work work() {
            return new Work();
        }

        /** Works on the threads of Spring's executor. */
        static class Work {

            @Async
            CompletableFuture<Integer> run(Supplier<Integer> work) {
                return CompletableFuture.completedFuture(work.get());
            }
        }

        private int logIn(String password) {
            try {
                manager.authenticate(UsernamePasswordAuthenticationToken.unauthenticated("ann", password));
                return 200;
            } catch (RateLimitedException e) {
                return 429;
            } catch (BadCredentialsException e) {
                return 401;
            }
        }

        private CompletableFuture<Integer> logInElsewhere(String how, String password) {
            return switch (how) {
                case "@Async" -> work.run(() -> logIn(password));
                case "wrapped executor" ->
                    CompletableFuture.supplyAsync(
                            () -> logIn(password),
                            ContextExecutorService.wrap(
                                    workers,
                                    () -> ContextSnapshotFactory.builder()
                                            .build()
                                            .captureAll()));
                case "request attributes" -> {
                    RequestAttributes attributes = RequestContextHolder.currentRequestAttributes();
                    yield CompletableFuture.supplyAsync(
                            () -> {
                                RequestContextHolder.setRequestAttributes(attributes);
                                try {
                                    return logIn(password);
                                } finally {
                                    RequestContextHolder.resetRequestAttributes();
                                }
                            },
                            workers);
                }
                default -> CompletableFuture.supplyAsync(() -> logIn(password), workers);
            };
        }

        /** Tries all passwords at once, and answers 200 if one is right. */
        @PostMapping("/api/login")
        ResponseEntity<String> logIn(
                @RequestParam("how") String how, @RequestParam("password") List<String> passwords) {
            List<CompletableFuture<Integer>> all = passwords.stream()
                    .map(password -> logInElsewhere(how, password))
                    .toList();
            List<Integer> statuses = all.stream().map(CompletableFuture::join).toList();
            return ResponseEntity.status(Collections.min(statuses)).body("");
        }

        /** Tries a password after it has answered. */
        @PostMapping("/api/later")
        ResponseEntity<String> later(@RequestParam("how") String how, @RequestParam("password") String password) {
            CompletableFuture<Integer> unused = logInElsewhere(how, password);
            return ResponseEntity.accepted().body("");
        }
    }

    /** The same in an application that propagates context. */
    @Import(LoginElsewhere.class)
    static class Propagating {

        @Bean
        TaskDecorator decorator() {
            return new ContextPropagatingTaskDecorator();
        }
    }

    @Nested
    class OnOtherThreads {

        private static final String FIVE_FAILURES = """
            - { id: logins, methods: [ POST ], pathPattern: /api/*, per: [ ip ],
                count: { outcome: login-failure }, tiers: [ { period: 1d, threshold: 5 } ] }
            """;
        private static final String WARNING = "The limits logins count failed logins, but they can neither count nor";

        private static int guess(RunningApplication shop, String how, String... passwords) {
            String form = "how=" + how + "&password=" + String.join("&password=", passwords);
            return shop.caller().postForm("/api/login", form).statusCode();
        }

        private static int compared(RunningApplication shop) {
            return shop.bean(LoginElsewhere.class).compared.get();
        }

        @ParameterizedTest
        @ValueSource(strings = {"@Async", "wrapped executor", "request attributes"})
        void wrongPasswordsCountAndRightOnesDoNot(String how, CapturedOutput output) throws IOException {
            try (RunningApplication shop = start(Propagating.class, FIVE_FAILURES)) {
                for (int i = 0; i < 9; i++) {
                    assertThat(guess(shop, how, "right")).isEqualTo(200);
                }
                for (int i = 0; i < 5; i++) {
                    assertThat(guess(shop, how, "wrong" + i)).isEqualTo(401);
                }
                assertThat(guess(shop, how, "wrong")).isEqualTo(429);
                assertThat(guess(shop, how, "right")).isEqualTo(429);
                assertThat(compared(shop)).isEqualTo(9 + 5);
                assertThat(output.getAll()).doesNotContain(WARNING);
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"@Async", "wrapped executor", "request attributes"})
        void thirtyInOneCallGetFiveTries(String how) throws IOException {
            try (RunningApplication shop = start(Propagating.class, FIVE_FAILURES)) {
                String[] thirty =
                        IntStream.range(0, 30).mapToObj(i -> "wrong" + i).toArray(String[]::new);
                assertThat(guess(shop, how, thirty)).isEqualTo(401);
                assertThat(compared(shop)).isEqualTo(5);
                assertThat(guess(shop, how, thirty)).isEqualTo(429);
                assertThat(compared(shop)).isEqualTo(5);
            }
        }

        @Test
        void oneThatIsTriedAfterTheAnswerCounts() throws IOException {
            try (RunningApplication shop = start(Propagating.class, FIVE_FAILURES)) {
                for (int i = 1; i <= 5; i++) {
                    int tries = i;
                    shop.caller().postForm("/api/later", "how=@Async&password=wrong");
                    Eventually.await("the password is compared", () -> compared(shop) == tries);
                }
                assertThat(guess(shop, "@Async", "wrong")).isEqualTo(429);
                assertThat(compared(shop)).isEqualTo(5);
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"@Async", "executor"})
        void thatKnowNoRequestTheyAreLoggedOnce(String how, CapturedOutput output) throws IOException {
            try (RunningApplication shop = start(LoginElsewhere.class, FIVE_FAILURES)) {
                assertThat(guess(shop, how, "wrong", "wrong")).isEqualTo(401);
                assertThat(guess(shop, how, "wrong")).isEqualTo(401);
                assertThat(output.getAll())
                        .containsOnlyOnce(WARNING)
                        .contains("executor, a CompletableFuture or @Async", "ContextPropagatingTaskDecorator");
            }
        }

        @Test
        void thatKnowNoRequestTheyAreNotLoggedIfNoLimitCountsThem(CapturedOutput output) throws IOException {
            try (RunningApplication shop = start(LoginElsewhere.class, THREE_CALLS.formatted(""))) {
                assertThat(guess(shop, "executor", "wrong")).isEqualTo(401);
                assertThat(output.getAll()).doesNotContain("count failed logins");
            }
        }
    }
}
