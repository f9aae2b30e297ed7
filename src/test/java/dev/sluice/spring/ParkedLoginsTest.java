package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.SecurityFilterChain;

/** Logins that wait for the outcome of others are parked, and Spring Security still checks each of them. */
@Timeout(120)
class ParkedLoginsTest {

    private static final int CALLERS = 20;
    private static final int TRIES = 3;

    /** An application with Basic authentication, which checks a password only when the test lets it. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop extends SecuredShops.Products {

        private final Semaphore checks = new Semaphore(0);
        private final AtomicInteger begun = new AtomicInteger();

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable())
                    .authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .authenticationManager(this::check)
                    .build();
        }

        private Authentication check(Authentication login) {
            begun.incrementAndGet();
            checks.acquireUninterruptibly();
            if (!"right".equals(login.getCredentials())) {
                throw new BadCredentialsException("wrong by intent");
            }
            return UsernamePasswordAuthenticationToken.authenticated(login.getName(), null, List.of());
        }
    }

    private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    private RunningApplication application;
    private Shop shop;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("limits.yml"), """
                - id: failed-logins
                  pathPattern: /**
                  per: [ ip ]
                  count: { outcome: login-failure }
                  tiers: [ { period: 1d, threshold: %d } ]
                """.formatted(TRIES));
        application = RunningApplication.start(Shop.class, "sluice.config=" + file, "sluice.filter.parking=all");
        shop = application.bean(Shop.class);
    }

    @AfterEach
    void close() {
        shop.checks.release(1_000);
        callers.shutdownNow();
        application.close();
    }

    private List<CompletableFuture<Integer>> logins(String password) {
        String header =
                "Basic " + Base64.getEncoder().encodeToString(("ann:" + password).getBytes(StandardCharsets.US_ASCII));
        return IntStream.range(0, CALLERS)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> {
                            HttpResponse<String> answer = application.get("/product/1", "Authorization", header);
                            return answer.statusCode();
                        },
                        callers))
                .toList();
    }

    private static List<Integer> statuses(List<CompletableFuture<Integer>> answers) {
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private void awaitTheFirst() {
        Eventually.await("the first logins", () -> shop.begun.get() == TRIES);
    }

    @Test
    void rightPasswordsAllPass() {
        List<CompletableFuture<Integer>> answers = logins("right");
        awaitTheFirst();
        shop.checks.release(CALLERS);
        assertThat(statuses(answers)).containsOnly(200);
        assertThat(shop.begun).hasValue(CALLERS);
    }

    @Test
    void wrongPasswordsGetNoMoreTries() {
        List<CompletableFuture<Integer>> answers = logins("wrong");
        awaitTheFirst();
        shop.checks.release(CALLERS);
        assertThat(statuses(answers)).containsOnly(401, 429);
        assertThat(shop.begun).hasValue(TRIES);
    }
}
