package dev.sluice.spring;

import com.nimbusds.jose.jwk.source.ImmutableSecret;
import dev.sluice.RateLimitedException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;

/** Applications with different kinds of authentication, and without any code for limits. */
final class SecuredShops {

    private SecuredShops() {}

    private static HttpSecurity closed(HttpSecurity http) throws Exception {
        return http.csrf(csrf -> csrf.disable())
                .authorizeHttpRequests(all -> all.anyRequest().authenticated());
    }

    /** The same, but anybody may call this path. */
    private static HttpSecurity openAt(HttpSecurity http, String path) throws Exception {
        return http.csrf(csrf -> csrf.disable())
                .authorizeHttpRequests(all ->
                        all.requestMatchers(path).permitAll().anyRequest().authenticated());
    }

    /**
     * Behind a method reference, because Spring Security would store the passwords as hashes, which are slow to check.
     */
    @SuppressWarnings("UnnecessaryMethodReference") // it hides that the manager takes other passwords
    private static UserDetailsService knowing(String... names) {
        return new InMemoryUserDetailsManager(Stream.of(names)
                .map(name -> User.withUsername(name).password("{noop}right").build())
                .toList())::loadUserByUsername;
    }

    /** The controller of all applications. */
    @RestController
    static class Products {

        @GetMapping("/product/1")
        String product() {
            return "product 1";
        }
    }

    /** Login by form. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Form extends Products {

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return closed(http).formLogin(Customizer.withDefaults()).build();
        }

        @Bean
        UserDetailsService users() {
            return knowing("ann", "bob");
        }
    }

    /** Basic authentication. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Basic extends Products {

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return closed(http).httpBasic(Customizer.withDefaults()).build();
        }

        @Bean
        UserDetailsService users() {
            return knowing("ann", "bob");
        }
    }

    /** Signed tokens. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Bearer extends Products {

        static final SecretKey ISSUER = key("the key that the issuer of the tokens signs with");
        private static final SecretKey STRANGER = key("a key that a stranger signs with, who knows no better");

        private static SecretKey key(String text) {
            return new SecretKeySpec(text.getBytes(StandardCharsets.US_ASCII), "HmacSHA256");
        }

        static String tokenOf(String user, boolean valid) {
            JwtClaimsSet claims = JwtClaimsSet.builder()
                    .subject(user)
                    .expiresAt(Instant.now().plusSeconds(600))
                    .build();
            return new NimbusJwtEncoder(new ImmutableSecret<>(valid ? ISSUER : STRANGER))
                    .encode(JwtEncoderParameters.from(
                            JwsHeader.with(MacAlgorithm.HS256).build(), claims))
                    .getTokenValue();
        }

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return closed(http)
                    .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
                    .build();
        }

        @Bean
        JwtDecoder decoder() {
            return NimbusJwtDecoder.withSecretKey(ISSUER).build();
        }
    }

    /** Login by form, with an authentication manager of its own that publishes no events. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OwnManager extends Products {

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return closed(http).formLogin(Customizer.withDefaults()).build();
        }

        @Bean
        AuthenticationManager manager() {
            return new ProviderManager(new DaoAuthenticationProvider(knowing("ann", "bob")));
        }
    }

    /** Basic authentication, with a manager that only the chain knows. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OwnManagerInChain extends Products {

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return closed(http)
                    .httpBasic(Customizer.withDefaults())
                    .authenticationManager(new ProviderManager(new DaoAuthenticationProvider(knowing("ann", "bob"))))
                    .build();
        }
    }

    /** Signed tokens of several issuers, each with its own manager. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Issuers extends Products {

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            AuthenticationProvider tokens = new JwtAuthenticationProvider(
                    NimbusJwtDecoder.withSecretKey(Bearer.ISSUER).build());
            return closed(http)
                    .oauth2ResourceServer(server -> server.authenticationManagerResolver(any -> tokens::authenticate))
                    .build();
        }
    }

    /** Login by a controller, with users in two places: ann in one, bob in the other. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class LoginController extends Products {

        private final AuthenticationManager manager;

        LoginController(@Lazy AuthenticationManager manager) {
            this.manager = manager;
        }

        @Bean
        static SecurityFilterChain security(HttpSecurity http) throws Exception {
            return openAt(http, "/login").build();
        }

        @Bean
        static AuthenticationManager first() {
            return only("ann");
        }

        @Bean
        static AuthenticationManager second() {
            return only("bob");
        }

        private static AuthenticationManager only(String user) {
            return new ProviderManager(new DaoAuthenticationProvider(knowing(user)));
        }

        @Bean
        @Primary
        static AuthenticationManager both(
                @Qualifier("first") AuthenticationManager first, @Qualifier("second") AuthenticationManager second) {
            return login -> {
                try {
                    return first.authenticate(login);
                } catch (BadCredentialsException e) {
                    return second.authenticate(login);
                }
            };
        }

        @PostMapping("/login")
        ResponseEntity<String> logIn(@RequestParam("username") String user, @RequestParam("password") String password) {
            try {
                manager.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(user, password));
                return ResponseEntity.ok("hello " + user);
            } catch (BadCredentialsException e) {
                return ResponseEntity.status(401).body("no");
            }
        }
    }

    /** Login by form or with Basic, and a controller that asks for passwords once more. Counts the tries of ann's. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class LoginTwice extends Products {

        private static final long MILLIS_OF_A_CHECK = 50;

        final AtomicInteger triesOfAnn = new AtomicInteger();
        private final AuthenticationManager manager;

        LoginTwice(@Lazy AuthenticationManager manager) {
            this.manager = manager;
        }

        @Bean
        static SecurityFilterChain security(HttpSecurity http) throws Exception {
            return openAt(http, "/api/login")
                    .formLogin(Customizer.withDefaults())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        AuthenticationManager manager() {
            AuthenticationManager users = new ProviderManager(new DaoAuthenticationProvider(knowing("ann", "bob")));
            return login -> {
                if (login.getName().equals("ann")) {
                    triesOfAnn.incrementAndGet();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(MILLIS_OF_A_CHECK));
                }
                return users.authenticate(login);
            };
        }

        /** Logs in with the first password that is right. */
        @PostMapping("/api/login")
        ResponseEntity<String> logIn(
                @RequestParam("username") String user, @RequestParam("password") List<String> passwords) {
            for (String password : passwords) {
                try {
                    manager.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(user, password));
                    return ResponseEntity.ok("hello " + user);
                } catch (RateLimitedException e) {
                    return ResponseEntity.status(429).body(e.getMessage());
                } catch (BadCredentialsException e) {
                    // the next one may be right
                }
            }
            return ResponseEntity.status(401).body("no");
        }
    }

    /**
     * A filter of its own that checks tokens without any manager, and stores the caller for the thread alone, as most
     * tutorials do.
     */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OwnFilter extends Products {

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return closed(http)
                    .addFilterBefore(new Tokens(), AuthorizationFilter.class)
                    .build();
        }

        private static final class Tokens extends OncePerRequestFilter {

            @Override
            protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                    throws ServletException, IOException {
                if ("Token right".equals(request.getHeader("Authorization"))) {
                    SecurityContextHolder.getContext()
                            .setAuthentication(UsernamePasswordAuthenticationToken.authenticated("ann", "", List.of()));
                }
                chain.doFilter(request, response);
            }
        }
    }

    /** Login at an authorization server. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OAuth2 extends Products {

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return closed(http).oauth2Login(Customizer.withDefaults()).build();
        }

        @Bean
        ClientRegistrationRepository registrations(@Value("${authorization-server}") String server) {
            return new InMemoryClientRegistrationRepository(ClientRegistration.withRegistrationId("local")
                    .clientId("shop")
                    .clientSecret("secret")
                    .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                    .redirectUri("{baseUrl}/login/oauth2/code/{registrationId}")
                    .authorizationUri(server + "/authorize")
                    .tokenUri(server + "/token")
                    .userInfoUri(server + "/user")
                    .userNameAttributeName("sub")
                    .build());
        }
    }
}
