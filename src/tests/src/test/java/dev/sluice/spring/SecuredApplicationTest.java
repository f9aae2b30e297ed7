package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Subject;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.spring.RunningApplication.Caller;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;

/** Failed logins and authenticated callers, with real filter chains of Spring Security and one file. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
@Tag("server")
class SecuredApplicationTest {

    private static final String THREE_TRIES = """
        - id: failed-logins
          pathPattern: %s
          per: [ ip ]
          count: { outcome: login-failure }
          tiers: [ { period: 1d, threshold: 3 } ]
        """;

    private static final String UNREPORTED = "counts failed logins. A call got the status";

    @TempDir
    private Path directory;

    private RunningApplication start(Class<?> application, String limits, String... more) throws IOException {
        String config = "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), limits);
        return RunningApplication.start(
                application, Stream.concat(Stream.of(config), Stream.of(more)).toArray(String[]::new));
    }

    private static List<Integer> logins(RunningApplication shop, String password, int times) {
        return Stream.generate(() -> shop.caller()
                        .postForm("/login", "username=ann&password=" + password)
                        .statusCode())
                .limit(times)
                .toList();
    }

    private static Caller basic(RunningApplication shop, String user, String password) {
        String credentials =
                Base64.getEncoder().encodeToString((user + ':' + password).getBytes(StandardCharsets.UTF_8));
        return shop.caller("Authorization", "Basic " + credentials);
    }

    private static List<Integer> gets(Caller caller, int times) {
        return Stream.generate(() -> caller.get("/product/1").statusCode())
                .limit(times)
                .toList();
    }

    @Test
    void wrongPasswordsInAFormAreCountedAndRightOnesAreNot() throws IOException {
        try (RunningApplication shop = start(SecuredShops.Form.class, THREE_TRIES.formatted("/login"))) {
            assertThat(logins(shop, "right", 4)).containsOnly(302);
            assertThat(logins(shop, "wrong", 3)).containsOnly(302);
            assertThat(logins(shop, "wrong", 2)).containsOnly(429);
            assertThat(logins(shop, "right", 1)).containsOnly(429);
        }
    }

    @Test
    void nothingIsLoggedForLoginsThatDoNotFail(CapturedOutput output) throws IOException {
        try (RunningApplication shop = start(SecuredShops.Form.class, THREE_TRIES.formatted("/login"))) {
            assertThat(logins(shop, "right", 101)).containsOnly(302);
            assertThat(logins(shop, "wrong", 3)).containsOnly(302);
            assertThat(logins(shop, "wrong", 1)).containsOnly(429);
            assertThat(output.getAll()).doesNotContain("counts failed logins");
        }
    }

    /** An application with a second limiter, which is not a bean. */
    @Import(SecuredShops.Form.class)
    static class TwoLimiters {

        @Bean
        FilterRegistrationBean<Filter> limits(@Value("${sluice.config}") String file) {
            return new FilterRegistrationBean<>(new RateLimitFilter(Sluice.open(file)));
        }
    }

    @Test
    void aSecondLimiterIsLogged(CapturedOutput output) throws IOException {
        try (RunningApplication shop = start(TwoLimiters.class, THREE_TRIES.formatted("/login"))) {
            assertThat(shop.get("/product/1").statusCode()).isNotEqualTo(429);
            assertThat(output.getAll())
                    .contains("Both limit failed-logins, so a call that passes both filters is counted twice");
        }
    }

    /** An application that registers its own filter, in a type that hides it, for the limiter bean. */
    @Import(SecuredShops.Basic.class)
    static class OneLimiterInThreeFilters {

        @Bean
        FilterRegistrationBean<Filter> limits(Sluice limiter, @Value("${order}") int order) {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(new RateLimitFilter(limiter));
            registration.setOrder(order);
            return registration;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, Integer.MAX_VALUE})
    void aCallIsCountedOnceIfThreeFiltersAskTheLimiter(int order) throws IOException {
        String limits = """
            - { id: all, pathPattern: /**, per: [ ip ], tiers: [ { period: 1d, threshold: 70 } ] }
            - { id: mine, pathPattern: /**, per: [ principal, ip ], tiers: [ { period: 1d, threshold: 7 } ] }
            """;
        try (RunningApplication shop = start(OneLimiterInThreeFilters.class, limits, "order=" + order)) {
            assertThat(basic(shop, "ann", "right").get("/product/1").headers().allValues("x-ratelimit-remaining"))
                    .containsExactly("6");
            assertThat(shop.bean(Sluice.class).standings(List.of(ip())))
                    .singleElement()
                    .satisfies(all -> assertThat(all.remaining()).isEqualTo(69));
        }
    }

    private static Subject ip() {
        return new Subject("ip", "ip", "127.0.0.1");
    }

    @Test
    void wrongBasicCredentialsAreCountedAndRightOnesAreNot(CapturedOutput output) throws IOException {
        try (RunningApplication shop = start(SecuredShops.Basic.class, THREE_TRIES.formatted("/**"))) {
            assertThat(gets(basic(shop, "ann", "right"), 4)).containsOnly(200);
            assertThat(gets(shop.caller(), 4)).as("nobody has tried to log in").containsOnly(401);
            assertThat(gets(basic(shop, "ann", "wrong"), 3)).containsOnly(401);
            assertThat(gets(basic(shop, "ann", "right"), 1)).containsOnly(429);
            assertThat(output.getAll()).doesNotContain(UNREPORTED);
        }
    }

    /** An application that cannot reach its database of users. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithoutUsers extends SecuredShops.Products {

        @Bean
        UserDetailsService users() {
            return name -> {
                throw new IllegalStateException("the database is unavailable");
            };
        }
    }

    @Test
    void aDatabaseThatIsUnavailableIsNotAFailedLogin() throws IOException {
        try (RunningApplication shop = start(WithoutUsers.class, THREE_TRIES.formatted("/**"))) {
            assertThat(gets(basic(shop, "ann", "right"), 5)).containsOnly(401);
        }
    }

    /** An application with a public error page and a slow answer. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OpenErrorPage extends SecuredShops.Products {

        private final CountDownLatch isInFlight = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);

        @GetMapping("/slow")
        String slow() throws InterruptedException {
            isInFlight.countDown();
            mayEnd.await();
            return "slow";
        }

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(all -> all.dispatcherTypeMatchers(DispatcherType.ERROR)
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("ann").password("{noop}right").build());
        }
    }

    @Test
    void theErrorPageOfACallThatSpringSecurityRefusesIsNotCountedBehindIt() throws IOException {
        String limits = "- { id: each, pathPattern: /**, per: [ principal ], tiers: [ { period: 1d, threshold: 2 } ] }";
        try (RunningApplication shop = start(OpenErrorPage.class, limits)) {
            for (int i = 0; i < 4; i++) {
                HttpResponse<String> refused = shop.get("/product/1");
                assertThat(refused.statusCode()).isEqualTo(401);
                assertThat(refused.headers().firstValue("x-ratelimit-limit")).isEmpty();
            }
            assertThat(gets(basic(shop, "ann", "right"), 3)).containsExactly(200, 200, 429);
        }
    }

    @Test
    void aLoggedInCallerHoldsNoPermitOfALimitOnFailedLogins() throws Exception {
        String limits = THREE_TRIES.formatted("/**").replace("threshold: 3", "threshold: 1");
        try (RunningApplication shop = start(OpenErrorPage.class, limits)) {
            OpenErrorPage calls = shop.bean(OpenErrorPage.class);
            Caller ann = basic(shop, "ann", "right");
            CompletableFuture<HttpResponse<String>> slow = CompletableFuture.supplyAsync(() -> ann.get("/slow"));
            try {
                assertThat(calls.isInFlight.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(ann.get("/product/1").statusCode()).isEqualTo(200);
            } finally {
                calls.mayEnd.countDown();
            }
            assertThat(slow.get(60, TimeUnit.SECONDS).body()).isEqualTo("slow");
        }
    }

    @Test
    void tokensThatAreNotValidAreCountedAndValidOnesAreNot() throws IOException {
        try (RunningApplication shop = start(SecuredShops.Bearer.class, THREE_TRIES.formatted("/**"))) {
            Caller ann = shop.caller("Authorization", "Bearer " + SecuredShops.Bearer.tokenOf("ann", true));
            Caller forger = shop.caller("Authorization", "Bearer " + SecuredShops.Bearer.tokenOf("ann", false));
            assertThat(gets(ann, 4)).containsOnly(200);
            assertThat(gets(forger, 3)).containsOnly(401);
            assertThat(gets(ann, 1)).containsOnly(429);
        }
    }

    @Test
    void aManagerOfTheApplicationNeedNotPublishEvents(CapturedOutput output) throws IOException {
        try (RunningApplication shop = start(SecuredShops.OwnManager.class, THREE_TRIES.formatted("/login"))) {
            assertThat(logins(shop, "right", 4)).containsOnly(302);
            assertThat(logins(shop, "wrong", 3)).containsOnly(302);
            assertThat(logins(shop, "wrong", 1)).containsOnly(429);
            assertThat(output.getAll()).doesNotContain(UNREPORTED);
        }
    }

    @Test
    void aManagerThatOnlyTheChainKnowsNeedNotPublishEvents(CapturedOutput output) throws IOException {
        try (RunningApplication shop = start(SecuredShops.OwnManagerInChain.class, THREE_TRIES.formatted("/**"))) {
            assertThat(gets(basic(shop, "ann", "right"), 4)).containsOnly(200);
            assertThat(gets(shop.caller(), 4)).as("nobody has tried to log in").containsOnly(401);
            assertThat(gets(basic(shop, "ann", "wrong"), 3)).containsOnly(401);
            assertThat(gets(basic(shop, "ann", "right"), 1)).containsOnly(429);
            assertThat(output.getAll()).doesNotContain(UNREPORTED);
        }
    }

    @Test
    void theManagersOfSeveralIssuersNeedNotPublishEvents(CapturedOutput output) throws IOException {
        try (RunningApplication shop = start(SecuredShops.Issuers.class, THREE_TRIES.formatted("/**"))) {
            Caller ann = shop.caller("Authorization", "Bearer " + SecuredShops.Bearer.tokenOf("ann", true));
            Caller forger = shop.caller("Authorization", "Bearer " + SecuredShops.Bearer.tokenOf("ann", false));
            assertThat(gets(ann, 4)).containsOnly(200);
            assertThat(gets(shop.caller(), 4)).as("nobody has tried to log in").containsOnly(401);
            assertThat(gets(forger, 3)).containsOnly(401);
            assertThat(gets(ann, 1)).containsOnly(429);
            assertThat(output.getAll()).doesNotContain(UNREPORTED);
        }
    }

    @Test
    void managersThatAskOneAnotherCountOnce(CapturedOutput output) throws IOException {
        try (RunningApplication shop = start(SecuredShops.LoginController.class, THREE_TRIES.formatted("/login"))) {
            Caller caller = shop.caller();
            for (int i = 0; i < 4; i++) {
                assertThat(logIn(caller, "ann", "right")).isEqualTo(200);
                assertThat(logIn(caller, "bob", "right"))
                        .as("the second manager knows him")
                        .isEqualTo(200);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(logIn(caller, "bob", "wrong")).isEqualTo(401);
            }
            assertThat(logIn(caller, "bob", "right")).isEqualTo(429);
            assertThat(output.getAll()).doesNotContain(UNREPORTED);
        }
    }

    private static int logIn(Caller caller, String user, String password) {
        return caller.postForm("/login", "username=" + user + "&password=" + password)
                .statusCode();
    }

    @Test
    void anUnreportedLoginIsLoggedOnce(CapturedOutput output) throws IOException {
        try (RunningApplication shop = start(SecuredShops.OwnFilter.class, THREE_TRIES.formatted("/**"))) {
            assertThat(gets(shop.caller(), 2)).as("nobody has tried to log in").containsOnly(403);
            assertThat(gets(shop.caller("Authorization", "Token right"), 2)).containsOnly(200);
            assertThat(output.getAll()).doesNotContain(UNREPORTED);
            assertThat(gets(shop.caller("Authorization", "Token wrong"), 4)).containsOnly(403);
            assertThat(output.getAll())
                    .containsOnlyOnce("The limit failed-logins " + UNREPORTED)
                    .contains(
                            "got the status 403",
                            "make your AuthenticationManager a bean that is declared as AuthenticationManager");
        }
    }

    @Test
    void loginsThatAnAuthorizationServerRefusesAreCountedAndOthersAreNot() throws IOException {
        try (AuthorizationServer server = AuthorizationServer.start();
                RunningApplication shop = start(
                        SecuredShops.OAuth2.class,
                        THREE_TRIES.formatted("/login/oauth2/code/*"),
                        "authorization-server=" + server.address())) {
            for (int i = 0; i < 4; i++) {
                assertThat(sentTo(server.logIn(shop.caller(), true))).isEqualTo(shop.at("/"));
            }
            for (int i = 0; i < 3; i++) {
                assertThat(sentTo(server.logIn(shop.caller(), false))).isEqualTo(shop.at("/login?error"));
            }
            assertThat(server.logIn(shop.caller(), true).statusCode()).isEqualTo(429);
        }
    }

    private static URI sentTo(HttpResponse<String> answer) {
        return URI.create(answer.headers().firstValue("Location").orElseThrow());
    }

    @Test
    void authenticatedCallersHaveTheirOwnLimit() throws IOException {
        String limits = """
            - { id: users, pathPattern: /**, per: [ principal ], tiers: [ { period: 1d, threshold: 2 } ] }
            - { id: all, pathPattern: /**, per: [], tiers: [ { period: 1d, threshold: 100 } ] }
            """;
        try (RunningApplication shop = start(SecuredShops.Basic.class, limits)) {
            assertThat(gets(shop.caller(), 4)).as("nobody is authenticated").containsOnly(401);
            assertThat(gets(basic(shop, "ann", "right"), 2)).containsOnly(200);
            assertThat(gets(basic(shop, "ann", "right"), 1)).containsOnly(429);
            var bob = basic(shop, "bob", "right").get("/product/1");
            assertThat(bob.statusCode()).isEqualTo(200);
            assertThat(bob.headers().allValues("x-ratelimit-remaining")).containsExactly("1");
            assertThat(shop.get("/product/1").headers().firstValue("x-ratelimit-remaining"))
                    .as("left of all, after seven calls that each counted once")
                    .hasValue(String.valueOf(100 - 9));
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {SecuredShops.OwnFilter.class, SecuredShops.Basic.class})
    void aQueuedCallKeepsItsCaller(Class<?> application, CapturedOutput output) throws IOException {
        String limits = """
            - id: users
              pathPattern: /**
              per: [ principal ]
              tiers: [ { period: 1s, threshold: 5, algorithm: leaky-bucket, queue: 5 } ]
            """;
        try (RunningApplication shop = start(application, limits)) {
            Caller ann = application == SecuredShops.Basic.class
                    ? basic(shop, "ann", "right")
                    : shop.caller("Authorization", "Token right");
            assertThat(gets(ann, 4)).containsOnly(200);
            assertThat(output.getAll()).doesNotContain("bypassed");
        }
    }

    @Test
    void headersShowTheScarcestLimitOnEitherSide() throws IOException {
        String limits = """
            - { id: users, pathPattern: /**, per: [ principal ], tiers: [ { period: 1d, threshold: 200 } ] }
            - { id: all, pathPattern: /**, per: [], tiers: [ { period: 1d, threshold: 10 } ] }
            """;
        try (RunningApplication shop = start(SecuredShops.Basic.class, limits)) {
            assertThat(basic(shop, "ann", "right").get("/product/1").headers().allValues("x-ratelimit-limit"))
                    .containsExactly("10");
        }
    }

    @Test
    void headersDoNotShowAGuardUntilItRefuses() throws IOException {
        String limits = """
            clients: [ { principal: bob, exempt: true } ]
            endpoints:
              - { id: users, pathPattern: /**, per: [ principal ], tiers: [ { period: 1d, threshold: 50 } ] }
            """ + THREE_TRIES.formatted("/**").indent(2);
        try (RunningApplication shop = start(SecuredShops.Basic.class, limits)) {
            assertThat(limit(basic(shop, "ann", "right").get("/product/1"))).hasValue("50");
            assertThat(limit(basic(shop, "bob", "right").get("/product/1"))).isEmpty();
            assertThat(gets(basic(shop, "ann", "wrong"), 3)).containsOnly(401);
            HttpResponse<String> refused = basic(shop, "bob", "right").get("/product/1");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(limit(refused)).hasValue("3");
        }
    }

    private static Optional<String> limit(HttpResponse<String> answer) {
        return answer.headers().firstValue("x-ratelimit-limit");
    }

    @Test
    void aLimitThatNeverSeesTheAnswersItCountsIsLoggedOnce(CapturedOutput output) throws IOException {
        String limits = """
            - id: failures-of-users
              pathPattern: /**
              per: [ principal ]
              count: { status: [ 401 ] }
              tiers: [ { period: 1d, threshold: 1 } ]
            """;
        try (RunningApplication shop = start(SecuredShops.Basic.class, limits)) {
            assertThat(gets(basic(shop, "ann", "wrong"), 3)).containsOnly(401);
            assertThat(output.getAll())
                    .containsOnlyOnce("The limit failures-of-users did not count a 401 response from Spring Security");
        }
    }

    @Test
    void aLimitThatExpectsOtherStatusesOfFailedLoginsIsLoggedOnce(CapturedOutput output) throws IOException {
        String limits = """
            - id: failures
              pathPattern: /login
              per: [ ip ]
              count: { status: [ 401, 403 ] }
              tiers: [ { period: 1d, threshold: 1 } ]
            """;
        try (RunningApplication shop = start(SecuredShops.Form.class, limits)) {
            assertThat(logins(shop, "wrong", 3)).containsOnly(302);
            assertThat(output.getAll())
                    .containsOnlyOnce("The limit failures counts the statuses 401, 403, but a failed "
                            + "login got the status 302");
        }
    }

    @Test
    void aSourceThatNeverHasAValueIsLoggedOnce(CapturedOutput output) throws IOException {
        String limits = """
            - { id: tenants, pathPattern: /**, per: [ "claim:tenant" ], tiers: [ { period: 1d, threshold: 1000 } ] }
            """;
        try (RunningApplication shop = start(SecuredShops.Basic.class, limits)) {
            assertThat(gets(basic(shop, "ann", "right"), 110)).containsOnly(200);
            assertThat(output.getAll())
                    .containsOnlyOnce("found no value in its first 100 calls")
                    .contains("The source claim:tenant of", "authenticated, but Spring Security's");
        }
    }
}
