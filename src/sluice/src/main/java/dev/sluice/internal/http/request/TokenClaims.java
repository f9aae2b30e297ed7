package dev.sluice.internal.http.request;

import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Finds claims of verified tokens. Thread-safe. */
@FunctionalInterface
public interface TokenClaims {

    /**
     * The instance that finds claims in tokens that Spring Security has verified. It finds no claims if Spring Security
     * is not on the class path.
     */
    TokenClaims AVAILABLE = found(TokenClaims.class.getClassLoader());

    /**
     * Returns the value of a claim; {@code null} if no verified token contains the claim.
     *
     * @param principal the authenticated caller; {@code null} for the caller that Spring Security has stored for this
     *     thread
     */
    @Nullable String find(@Nullable Principal principal, String name);

    private static TokenClaims found(@Nullable ClassLoader loader) {
        try {
            Class.forName(
                    "org.springframework.security.oauth2.server.resource.authentication."
                            + "AbstractOAuth2TokenAuthenticationToken",
                    false,
                    loader);
            return SpringClaims::find;
        } catch (ClassNotFoundException | LinkageError e) {
            return (principal, name) -> null;
        }
    }
}
