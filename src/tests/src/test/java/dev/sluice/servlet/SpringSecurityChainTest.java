package dev.sluice.servlet;

import static dev.sluice.internal.servlet.contract.SmallApplication.addFilter;
import static dev.sluice.internal.servlet.contract.SmallApplication.addServlets;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.source.ImmutableSecret;
import dev.sluice.internal.servlet.contract.Application;
import dev.sluice.internal.servlet.contract.RawHttp;
import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import dev.sluice.internal.servlet.contract.WebServer;
import dev.sluice.internal.servlet.tomcat.TomcatServer;
import dev.sluice.open.Sluice;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.servletapi.SecurityContextHolderAwareRequestFilter;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;

/** Callers are identified by a claim, behind Spring Security filters that verify tokens. */
@Tag("server")
class SpringSecurityChainTest {

    private static final SecretKey ISSUER = key("the key that the issuer of the tokens signs with");
    private static final SecretKey STRANGER = key("a key that a stranger signs with, who knows no better");
    private static final String FILE = """
        subjects: { client: [ "claim:client_id", ip ] }
        endpoints:
          - { id: hello, pathPattern: /hello, per: [ client ], tiers: [ { period: 1d, threshold: 2 } ] }
        """;

    private Sluice sluice;
    private WebServer server;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("rate-limits.yml"), FILE);
        sluice = Sluice.open(file.toString());
        Filter security = security();
        server = TomcatServer.start(Application.at("", (classes, context) -> {
            addFilter(context, "security", security, "/*");
            addFilter(context, "limits", new RateLimitFilter(sluice), "/*");
            addServlets(context);
        }));
    }

    @AfterEach
    void stop() {
        server.close();
        sluice.close();
    }

    private static SecretKey key(String text) {
        return new SecretKeySpec(text.getBytes(StandardCharsets.US_ASCII), "HmacSHA256");
    }

    private static Filter security() throws ServletException {
        var decoder = NimbusJwtDecoder.withSecretKey(ISSUER).build();
        var manager = new ProviderManager(new JwtAuthenticationProvider(decoder));
        var wrapping = new SecurityContextHolderAwareRequestFilter();
        wrapping.afterPropertiesSet();
        return new FilterChainProxy(new DefaultSecurityFilterChain(
                AnyRequestMatcher.INSTANCE,
                new SecurityContextHolderFilter(new RequestAttributeSecurityContextRepository()),
                new BearerTokenAuthenticationFilter(manager),
                wrapping));
    }

    private static String tokenOf(String client, SecretKey signedWith) {
        JwtClaimsSet claims = JwtClaimsSet.builder()
                .claim("client_id", client)
                .expiresAt(Instant.now().plusSeconds(600))
                .build();
        return new NimbusJwtEncoder(new ImmutableSecret<>(signedWith))
                .encode(JwtEncoderParameters.from(
                        JwsHeader.with(MacAlgorithm.HS256).build(), claims))
                .getTokenValue();
    }

    private Answer helloFrom(String client) {
        return helloWith(tokenOf(client, ISSUER));
    }

    private Answer helloWith(String token) {
        return RawHttp.send(server, "GET", "/hello", "Authorization: Bearer " + token);
    }

    private static String left(Answer answer) {
        return answer.header("x-ratelimit-remaining");
    }

    @Test
    void eachClientHasItsOwnLimit() {
        assertThat(left(helloFrom("mobile-app"))).isEqualTo("1");
        assertThat(left(helloFrom("mobile-app"))).isEqualTo("0");
        assertThat(helloFrom("mobile-app").status()).isEqualTo(429);
        assertThat(left(helloFrom("partner"))).isEqualTo("1");
    }

    @Test
    void callersWithoutATokenAreIdentifiedByAddress() {
        assertThat(left(RawHttp.get(server, "/hello"))).isEqualTo("1");
        assertThat(left(helloFrom("mobile-app"))).isEqualTo("1");
        assertThat(left(RawHttp.get(server, "/hello"))).isEqualTo("0");
    }

    @Test
    void aForgedTokenUsesUpNobodysLimit() {
        for (int i = 0; i < 5; i++) {
            assertThat(helloWith(tokenOf("mobile-app", STRANGER)).status()).isEqualTo(401);
        }
        assertThat(left(helloFrom("mobile-app"))).isEqualTo("1");
    }
}
