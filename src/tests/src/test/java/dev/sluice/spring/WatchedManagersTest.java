package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.RateLimitedException;
import dev.sluice.spring.RunningApplication.Caller;
import dev.sluice.spring.start.LimitsFailureAnalyzer;
import io.micrometer.observation.ObservationRegistry;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ObservationAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.authentication.configuration.AuthenticationConfiguration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Which authentication managers are watched, and that no other one compares passwords unseen. */
@Timeout(300)
@Tag("server")
class WatchedManagersTest {

    private static final String THREE_FAILURES = """
        - { id: logins, methods: [ POST ], pathPattern: /login, per: [ ip ],
            count: { outcome: login-failure }, tiers: [ { period: 1d, threshold: 3 } ] }
        """;
    private static final String THREE_CALLS =
            "- { id: logins, pathPattern: /login, per: [ ip ], tiers: [ { period: 1d, threshold: 3 } ] }";

    @TempDir
    private Path directory;

    private RunningApplication start(Class<?> application, String limits, String... more) throws IOException {
        String config = "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), limits);
        return RunningApplication.start(
                application, config, String.join("", more).isEmpty() ? "x=y" : more[0]);
    }

    /** A controller that asks a manager, and the number of passwords that were compared. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Shop {

        static final AtomicInteger COMPARED = new AtomicInteger();
        private final AuthenticationManager manager;

        Shop(@Lazy AuthenticationManager manager) {
            this.manager = manager;
        }

        @Bean
        static SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable())
                    .authorizeHttpRequests(all -> all.anyRequest().permitAll())
                    .build();
        }

        static boolean isRight(Object password) {
            COMPARED.incrementAndGet();
            return "right".contentEquals(String.valueOf(password));
        }

        static Authentication check(Authentication login) {
            if (!isRight(login.getCredentials())) {
                throw new BadCredentialsException("wrong by intent");
            }
            return UsernamePasswordAuthenticationToken.authenticated(login.getName(), null, List.of());
        }

        @PostMapping("/login")
        ResponseEntity<String> logIn(@RequestParam("password") List<String> passwords) {
            for (String password : passwords) {
                try {
                    manager.authenticate(UsernamePasswordAuthenticationToken.unauthenticated("ann", password));
                    return ResponseEntity.ok("hello");
                } catch (AuthenticationException e) {
                    // the next one may be right
                }
            }
            return ResponseEntity.status(401).body("no");
        }
    }

    /** A final class, like those that Kotlin generates. */
    static final class FinalManager implements AuthenticationManager {

        @Override
        public Authentication authenticate(Authentication login) {
            return Shop.check(login);
        }
    }

    /** A class that can be extended, but not in what counts. */
    static class FixedManager implements AuthenticationManager {

        private final String right = "right";

        @Override
        public final Authentication authenticate(Authentication login) {
            assertThat(right).isEqualTo("right");
            return Shop.check(login);
        }
    }

    record RecordManager(String name) implements AuthenticationManager {

        @Override
        public Authentication authenticate(Authentication login) {
            return Shop.check(login);
        }
    }

    @Import(Shop.class)
    static class OfFinalClass {

        @Bean
        AuthenticationManager manager() {
            return new FinalManager();
        }
    }

    @Import(Shop.class)
    static class OfFinalMethod {

        @Bean
        AuthenticationManager manager() {
            return new FixedManager();
        }
    }

    @Import(Shop.class)
    static class OfRecord {

        @Bean
        AuthenticationManager manager() {
            return new RecordManager("ours");
        }
    }

    /** The class of Spring Security that observes another manager is final. */
    @Import(Shop.class)
    static class Observed {

        @Bean
        AuthenticationManager manager() {
            return new ObservationAuthenticationManager(ObservationRegistry.create(), Shop::check);
        }
    }

    /** The manager that Spring Security itself makes of the users. */
    @Import(Shop.class)
    static class OfSpringSecurity {

        @Bean
        AuthenticationManager manager(AuthenticationConfiguration configuration) throws Exception {
            return configuration.getAuthenticationManager();
        }

        @Bean
        UserDetailsService users() {
            return name -> User.withUsername(name).password("right").build();
        }

        @Bean
        PasswordEncoder passwords() {
            return new PasswordEncoder() {

                @Override
                public String encode(CharSequence password) {
                    return password.toString();
                }

                @Override
                public boolean matches(CharSequence password, String known) {
                    return Shop.isRight(password);
                }
            };
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {OfFinalClass.class, OfFinalMethod.class, OfRecord.class, Observed.class, OfSpringSecurity.class})
    void aManagerThatIsDeclaredAsSuchIsWatched(Class<?> application) throws IOException {
        try (RunningApplication shop = start(application, THREE_FAILURES)) {
            Shop.COMPARED.set(0);
            assertThat(shop.caller()
                            .postForm("/login", "password=right" + "&password=guess".repeat(20))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(shop.caller()
                            .postForm("/login", "password=guess" + "&password=guess".repeat(20))
                            .statusCode())
                    .isEqualTo(429);
            assertThat(Shop.COMPARED).hasValue(1 + 3);
        }
    }

    /** A manager that says "no" without an exception. */
    @Import({Shop.class, WithoutExceptions.Login.class})
    static class WithoutExceptions {

        @Bean
        AuthenticationManager manager() {
            return login -> {
                if (Shop.isRight(login.getCredentials())) {
                    return UsernamePasswordAuthenticationToken.authenticated(login.getName(), null, List.of());
                }
                return "null".contentEquals(login.getName()) ? null : login;
            };
        }

        /** Logs in with all passwords. */
        @RestController
        static class Login {

            private final AuthenticationManager manager;

            Login(AuthenticationManager manager) {
                this.manager = manager;
            }

            @PostMapping("/login/softly")
            int logIn(@RequestParam("name") String name, @RequestParam("password") List<String> passwords) {
                int compared = 0;
                for (String password : passwords) {
                    try {
                        manager.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(name, password));
                        compared++;
                    } catch (RateLimitedException e) {
                        return compared;
                    }
                }
                return compared;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "ann"})
    void aManagerThatReturnsNobodyAuthenticatedHasRefused(String name) throws IOException {
        String limits = THREE_FAILURES.replace("/login", "/login/*");
        try (RunningApplication shop = start(WithoutExceptions.class, limits)) {
            Caller caller = shop.caller();
            String form = "name=" + name + "&password=right".repeat(4) + "&password=guess".repeat(9);
            assertThat(caller.postForm("/login/softly", form).body()).isEqualTo("7");
            assertThat(caller.postForm("/login/softly", form).statusCode()).isEqualTo(429);
        }
    }

    /** Logs in by the request itself, at a manager that only the chain knows. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class ByRequest {

        @Bean
        static SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable())
                    .authorizeHttpRequests(all -> all.anyRequest().permitAll())
                    .authenticationManager(Shop::check)
                    .build();
        }

        @PostMapping("/login")
        ResponseEntity<String> logIn(@RequestParam("password") List<String> passwords, HttpServletRequest request) {
            for (String password : passwords) {
                try {
                    request.login("ann", password);
                    return ResponseEntity.ok("hello");
                } catch (ServletException e) {
                    // the next one may be right
                }
            }
            return ResponseEntity.status(401).body("no");
        }
    }

    @Test
    void loginsByTheRequestAreWatched() throws IOException {
        try (RunningApplication shop = start(ByRequest.class, THREE_FAILURES)) {
            Shop.COMPARED.set(0);
            assertThat(shop.caller()
                            .postForm("/login", "password=guess" + "&password=guess".repeat(20))
                            .statusCode())
                    .isEqualTo(429);
            assertThat(Shop.COMPARED).hasValue(3);
        }
    }

    @Import(Shop.class)
    static class KnownByFinalClass {

        @Bean
        FinalManager manager() {
            return new FinalManager();
        }
    }

    @Import({Shop.class, FixedManager.class})
    static class KnownByFinalMethod {}

    @Import(Shop.class)
    static class KnownAsRecord {

        @Bean
        RecordManager manager() {
            return new RecordManager("ours");
        }
    }

    private static FailureAnalysis analysis(Throwable failure) {
        assertThat(failure).as("it starts").isNotNull();
        FailureAnalysis analysis = new LimitsFailureAnalyzer().analyze(failure);
        assertThat(analysis).as(failure.toString()).isNotNull();
        return analysis;
    }

    @ParameterizedTest
    @ValueSource(classes = {KnownByFinalClass.class, KnownByFinalMethod.class, KnownAsRecord.class})
    void aManagerThatCannotBeWatchedStopsTheStart(Class<?> application) {
        FailureAnalysis failure = analysis(catchThrowable(() -> start(application, THREE_FAILURES)));
        assertThat(failure.getDescription())
                .startsWith("The AuthenticationManager dev.sluice.spring.WatchedManagersTest$")
                .contains("cannot be watched, because the class or its authenticate method is final")
                .contains("the limits logins, which count failed logins, would not count its failed logins");
        assertThat(failure.getAction())
                .contains("Declare the bean as AuthenticationManager, such as @Bean AuthenticationManager ")
                .contains("in Kotlin open");
    }

    @ParameterizedTest
    @ValueSource(classes = {KnownByFinalClass.class, KnownByFinalMethod.class, KnownAsRecord.class})
    void aManagerThatCannotBeWatchedMayDoWhereNoLimitNeedsIt(Class<?> application) throws IOException {
        try (RunningApplication shop = start(application, THREE_CALLS)) {
            assertThat(shop.caller().postForm("/login", "password=right").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aManagerThatIsCreatedLateFailsThen() throws IOException {
        try (RunningApplication shop =
                start(KnownByFinalClass.class, THREE_FAILURES, "spring.main.lazy-initialization=true")) {
            assertThat(analysis(catchThrowable(() -> shop.bean(FinalManager.class)))
                            .getDescription())
                    .contains("FinalManager (the bean manager) cannot be watched");
        }
    }
}
