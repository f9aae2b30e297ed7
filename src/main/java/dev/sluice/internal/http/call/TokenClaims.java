package dev.sluice.internal.http.call;

import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** The claims of verified tokens. */
@FunctionalInterface
public interface TokenClaims {

    /** Claims that Spring Security has verified; none if it is not on the class path. */
    TokenClaims AVAILABLE = found(TokenClaims.class.getClassLoader());

    /**
     * The value of a claim; {@code null} if there is no verified token with the claim.
     *
     * @param principal who has been authenticated; {@code null} for the one whom Spring Security knows on this thread
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
