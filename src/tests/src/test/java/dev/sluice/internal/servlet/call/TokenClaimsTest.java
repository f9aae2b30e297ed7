package dev.sluice.internal.servlet.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import jakarta.servlet.http.HttpServletRequest;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

@Tag("server")
class TokenClaimsTest {

    private final HttpServletRequest request = mock();
    private final ServletCall call = new ServletCall(request, (any, isMadeUp) -> true);

    @AfterEach
    void logOut() {
        SecurityContextHolder.clearContext();
    }

    private static Jwt jwt() {
        return Jwt.withTokenValue("header.payload.signature")
                .header("alg", "RS256")
                .claim("client_id", "mobile-app")
                .claim("level", 7)
                .claim("aud", List.of("shop"))
                .claim("roles", List.of("a", "b"))
                .build();
    }

    private static JwtAuthenticationToken verified() {
        return new JwtAuthenticationToken(jwt(), AuthorityUtils.NO_AUTHORITIES);
    }

    @Test
    void areReadFromAVerifiedToken() {
        when(request.getUserPrincipal()).thenReturn(verified());
        assertThat(call.claim("client_id")).isEqualTo("mobile-app");
        assertThat(call.claim("level")).isEqualTo("7");
        assertThat(call.claim("aud")).isEqualTo("shop");
    }

    @Test
    void areReadFromTheSecurityContextIfTheRequestIsNotWrapped() {
        SecurityContextHolder.getContext().setAuthentication(verified());
        assertThat(call.claim("client_id")).isEqualTo("mobile-app");
    }

    @Test
    void listsWithSeveralValuesAreIgnored() {
        when(request.getUserPrincipal()).thenReturn(verified());
        assertThat(call.claim("roles")).isNull();
        assertThat(call.claim("no_such_claim")).isNull();
    }

    @Test
    void areNotReadFromAnUnverifiedToken() {
        when(request.getHeader("Authorization"))
                .thenReturn("Bearer eyJhbGciOiJub25lIn0.eyJjbGllbnRfaWQiOiJtb2JpbGUtYXBwIn0.");
        assertThat(call.claim("client_id")).isNull();

        JwtAuthenticationToken unverified = new JwtAuthenticationToken(jwt());
        assertThat(unverified.isAuthenticated()).isFalse();
        when(request.getUserPrincipal()).thenReturn(unverified);
        assertThat(call.claim("client_id")).isNull();
    }

    @Test
    void areNotReadFromATokenOfAnotherUser() {
        SecurityContextHolder.getContext().setAuthentication(verified());
        when(request.getUserPrincipal()).thenReturn(new TestingAuthenticationToken("ann", "password"));
        assertThat(call.claim("client_id")).isNull();
    }

    @Test
    void areNoneWithoutSpringSecurity() throws Exception {
        List<URL> classPath = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!entry.contains("spring-security")) {
                classPath.add(new File(entry).toURI().toURL());
            }
        }
        try (URLClassLoader withoutSpring =
                new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> asker = withoutSpring.loadClass(Asker.class.getName());
            assertThat(asker.getClassLoader()).isSameAs(withoutSpring);
            Object answer = asker.getMethod("ask").invoke(null);
            assertThat(answer).isEqualTo("no claim");
        }
    }

    /** Asks for a claim with the class path that this class is loaded from. */
    public static final class Asker {

        private Asker() {}

        public static String ask() {
            HttpServletRequest request = (HttpServletRequest) java.lang.reflect.Proxy.newProxyInstance(
                    Asker.class.getClassLoader(),
                    new Class<?>[] {HttpServletRequest.class},
                    (proxy, method, arguments) -> null);
            String claim = new ServletCall(request, (any, isMadeUp) -> true).claim("client_id");
            return claim == null ? "no claim" : claim;
        }
    }
}
