package dev.sluice.spring;

import com.nimbusds.jose.jwk.source.ImmutableSecret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
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
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Applications with different kinds of authentication, and without any code for limits. */
final class SecuredShops {

    private SecuredShops() {}

    private static HttpSecurity closed(HttpSecurity http) throws Exception {
        return http.csrf(csrf -> csrf.disable())
                .authorizeHttpRequests(all -> all.anyRequest().authenticated());
    }

    /** Hidden behind a method reference, since Spring Security would store the passwords as hashes, which are slow to check. */
    @SuppressWarnings("UnnecessaryMethodReference") // it hides that the manager takes other passwords
    private static UserDetailsService annAndBob() {
        return new InMemoryUserDetailsManager(
                User.withUsername("ann").password("{noop}right").roles("USER").build(),
                User.withUsername("bob").password("{noop}right").roles("USER").build())::loadUserByUsername;
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
            return annAndBob();
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
            return annAndBob();
        }
    }

    /** Signed tokens. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Bearer extends Products {

        private static final SecretKey ISSUER = key("the key that the issuer of the tokens signs with");
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
