package dev.sluice.servlet.call;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** What verified tokens say of callers. */
@FunctionalInterface
interface TokenClaims {

    /** As the class path allows it: nothing is known where Spring Security is not there. */
    TokenClaims PRESENT = found(TokenClaims.class.getClassLoader());

    /** The value of a claim; {@code null} if no token says so that was verified. */
    @Nullable String find(HttpServletRequest request, String name);

    private static TokenClaims found(@Nullable ClassLoader loader) {
        try {
            Class.forName(
                    "org.springframework.security.oauth2.server.resource.authentication."
                            + "AbstractOAuth2TokenAuthenticationToken",
                    false,
                    loader);
            return SpringClaims::find;
        } catch (ClassNotFoundException | LinkageError e) {
            return (request, name) -> null;
        }
    }
}
