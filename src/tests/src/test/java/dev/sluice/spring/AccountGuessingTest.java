package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.Subject;
import dev.sluice.limits.Standing;
import dev.sluice.open.Sluice;
import dev.sluice.spring.RunningApplication.Caller;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshotFactory;
import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Many addresses guess the password of one account, wherever Spring Security compares it. */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
@Tag("server")
class AccountGuessingTest {

    private static final String LIMITS = """
        trustedProxies: [ 127.0.0.0/8 ]
        secrets: { key: "a key of sixteen characters" }
        endpoints:
          - { id: account, pathPattern: %s, per: [ login ], count: { outcome: login-failure },
              tiers: [ { period: 1d, threshold: 3 } ] }
        """;

    private static final String PAGE = "management.endpoints.web.exposure.include=ratelimits";

    private static final Pattern FINGERPRINT = Pattern.compile("#[A-Za-z0-9_-]{22}");

    @TempDir
    private Path directory;

    private RunningApplication start(String paths) throws IOException {
        Path file = Files.writeString(directory.resolve("limits.yml"), LIMITS.formatted(paths));
        return RunningApplication.start(
                Bank.class, "sluice.config=" + file, PAGE, "logging.level.dev.sluice=TRACE", "server.port=0");
    }

    /**
     * Logs in by form, with Basic, and in controllers that ask the manager on two threads. Counts the compared
     * passwords.
     */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Bank extends SecuredShops.Products {

        private final AtomicInteger compared = new AtomicInteger();
        private final ExecutorService workers = Executors.newCachedThreadPool();
        private final AuthenticationManager manager;

        Bank(@Lazy AuthenticationManager manager) {
            this.manager = manager;
        }

        @PreDestroy
        void close() {
            workers.shutdownNow();
        }

        @Bean
        static SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable())
                    .authorizeHttpRequests(all -> all.requestMatchers("/api/**")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .formLogin(Customizer.withDefaults())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        AuthenticationManager manager() {
            InMemoryUserDetailsManager users = new InMemoryUserDetailsManager(
                    User.withUsername("ann").password("{noop}right").build());
            AuthenticationManager accounts = new ProviderManager(new DaoAuthenticationProvider(users));
            return login -> {
                compared.incrementAndGet();
                return accounts.authenticate(login);
            };
        }

        private String logIn(String user, String password) {
            return manager.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(user, password))
                    .getName();
        }

        /** Leaves wrong passwords to Spring Security. */
        @PostMapping("/api/plain")
        String plain(@RequestParam("username") String user, @RequestParam("password") String password) {
            return logIn(user, password);
        }

        /** Answers wrong passwords itself, as most tutorials do. */
        @PostMapping("/api/catching")
        ResponseEntity<String> catching(
                @RequestParam("username") String user, @RequestParam("password") String password) {
            try {
                return ResponseEntity.ok(logIn(user, password));
            } catch (AuthenticationException e) {
                return ResponseEntity.status(401).body("no");
            }
        }

        /** Tells the manager that the caller is authenticated already, which it ignores. */
        @PostMapping("/api/careless")
        String careless(@RequestParam("username") String user, @RequestParam("password") String password) {
            return manager.authenticate(new UsernamePasswordAuthenticationToken(user, password, List.of()))
                    .getName();
        }

        @PostMapping("/api/elsewhere")
        String elsewhere(@RequestParam("username") String user, @RequestParam("password") String password) {
            return CompletableFuture.supplyAsync(
                            () -> logIn(user, password),
                            ContextExecutorService.wrap(
                                    workers,
                                    () -> ContextSnapshotFactory.builder()
                                            .build()
                                            .captureAll()))
                    .join();
        }
    }

    private static HttpResponse<String> login(
            RunningApplication bank, String how, int address, String user, String password) {
        String from = "203.0.113." + address;
        if (how.equals("Basic")) {
            String credentials =
                    Base64.getEncoder().encodeToString((user + ':' + password).getBytes(StandardCharsets.UTF_8));
            return bank.caller("X-Forwarded-For", from, "Authorization", "Basic " + credentials)
                    .get("/product/1");
        }
        return bank.caller("X-Forwarded-For", from)
                .postForm(
                        how,
                        "username=" + URLEncoder.encode(user, StandardCharsets.UTF_8) + "&password="
                                + URLEncoder.encode(password, StandardCharsets.UTF_8));
    }

    private static int status(RunningApplication bank, String how, int address, String user, String password) {
        return login(bank, how, address, user, password).statusCode();
    }

    private static int compared(RunningApplication bank) {
        return bank.bean(Bank.class).compared.get();
    }

    @ParameterizedTest
    @CsvSource({
        "/login, 302, 302",
        "Basic, 401, 200",
        "/api/plain, 401, 200",
        "/api/catching, 401, 200",
        "/api/careless, 401, 200",
        "/api/elsewhere, 401, 200"
    })
    void haveThreeTriesTogether(String how, int wrong, int right) throws IOException {
        try (RunningApplication bank = start("/**")) {
            for (int i = 0; i < 5; i++) {
                assertThat(status(bank, how, i, "ann", "right")).isEqualTo(right);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(status(bank, how, i, "ann", "wrong" + i)).isEqualTo(wrong);
            }
            for (int i = 0; i < 40; i++) {
                assertThat(status(bank, how, i, "ann", "wrong" + i)).isEqualTo(429);
            }
            assertThat(status(bank, how, 99, "ann", "right")).as("the owner").isEqualTo(429);
            assertThat(compared(bank)).isEqualTo(5 + 3);
            assertThat(status(bank, how, 1, "bob", "wrong"))
                    .as("another account")
                    .isEqualTo(wrong);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/login", "Basic", "/api/plain", "/api/elsewhere"})
    void learnNothingOfWhetherTheAccountExists(String how) throws IOException {
        try (RunningApplication bank = start("/**")) {
            List<List<String>> answers = IntStream.range(0, 2)
                    .mapToObj(i -> IntStream.range(0, 6)
                            .mapToObj(n -> shown(login(bank, how, n, i == 0 ? "ann" : "nobody", "wrong")))
                            .toList())
                    .toList();
            assertThat(answers.get(0)).isEqualTo(answers.get(1));
            assertThat(answers.get(0))
                    .filteredOn(answer -> answer.startsWith("429"))
                    .hasSize(3);
            assertThat(compared(bank))
                    .as("attempts that looked up an account; a refused one takes no longer for one that exists")
                    .isEqualTo(3 + 3);
        }
    }

    /** What differs between two answers, apart from the time and the session. */
    private static String shown(HttpResponse<String> answer) {
        return answer.statusCode() + " " + answer.headers().map().keySet() + " "
                + answer.body().replaceAll("[0-9]+", "N");
    }

    @Test
    void aRefusalIsAnsweredLikeEveryOther() throws IOException {
        try (RunningApplication bank = start("/**")) {
            for (String how : List.of("/login", "Basic", "/api/plain", "/api/elsewhere")) {
                String name = "somebody at " + how;
                HttpResponse<String> last = null;
                for (int i = 0; i < 4; i++) {
                    last = login(bank, how, i, name, "wrong");
                }
                assertThat(last).isNotNull();
                assertThat(last.statusCode()).as(how).isEqualTo(429);
                assertThat(last.headers().firstValue("Retry-After")).isPresent();
                assertThat(last.headers().firstValue("Cache-Control").orElse(""))
                        .contains("no-store");
                assertThat(last.headers().firstValue("x-ratelimit-limit")).hasValue("3");
                assertThat(last.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
                assertThat(last.body()).contains("\"status\":429").doesNotContain("somebody", "login");
            }
        }
    }

    @Test
    void gainNothingByOtherSpellings() throws IOException {
        try (RunningApplication bank = start("/login")) {
            List<String> spellings = List.of("ann", "ANN", " ann ", "\uFF41nn", "a\u200Bnn", "Ann\t");
            List<Integer> statuses = IntStream.range(0, spellings.size())
                    .mapToObj(i -> status(bank, "/login", i, spellings.get(i), "wrong"))
                    .toList();
            assertThat(statuses).containsExactly(302, 302, 302, 429, 429, 429);
        }
    }

    @Test
    void gainNothingByAnotherDoor() throws IOException {
        try (RunningApplication bank = start("/**")) {
            assertThat(status(bank, "/login", 1, "ann", "wrong")).isEqualTo(302);
            assertThat(status(bank, "/login", 2, "ann", "wrong")).isEqualTo(302);
            assertThat(status(bank, "/login", 3, "ann", "wrong")).isEqualTo(302);
            assertThat(status(bank, "/api/plain", 4, "ann", "wrong")).isEqualTo(429);
        }
    }

    @Test
    void theNameStandsNowhereInClearText(CapturedOutput output) throws IOException {
        try (RunningApplication bank = start("/**")) {
            String typed = "My-Secret-Passw0rd";
            for (int i = 0; i < 5; i++) {
                assertThat(status(bank, "/login", i, typed, "x")).isIn(302, 429);
                assertThat(status(bank, "/api/elsewhere", i, typed, "x")).isIn(401, 429);
            }
            Caller ann = bank.caller(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString("ann:right".getBytes(StandardCharsets.UTF_8)));
            Eventually.await(
                    "the page shows who was refused",
                    () -> FINGERPRINT.matcher(page(ann)).find());
            String page = page(ann);
            Sluice limits = bank.bean(Sluice.class);
            assertThat(FINGERPRINT
                            .matcher(page)
                            .results()
                            .map(MatchResult::group)
                            .map(fingerprint -> new Subject("login", "hash(login)", fingerprint))
                            .flatMap(subject -> limits.standings(List.of(subject)).stream())
                            .map(Standing::remaining))
                    .as("the account that was refused")
                    .contains(0L);
            assertThat(page + output.getAll() + limits.limits()).doesNotContainIgnoringCase("my-secret");
        }
    }

    private static String page(Caller operator) {
        return operator.get("/actuator/ratelimits").body()
                + operator.get("/actuator/ratelimits/page/data.json").body();
    }

    @Test
    void callsThatTryNoLoginAreNotLimited() throws IOException {
        try (RunningApplication bank = start("/**")) {
            for (int i = 0; i < 9; i++) {
                HttpResponse<String> answer = bank.caller().get("/product/1");
                assertThat(answer.statusCode()).isEqualTo(401);
                assertThat(answer.headers().firstValue("x-ratelimit-limit")).isEmpty();
            }
        }
    }
}
