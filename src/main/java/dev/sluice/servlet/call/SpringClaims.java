package dev.sluice.servlet.call;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken;

/**
 * Reads claims of tokens that Spring Security has verified, by their signature or by asking their issuer. The only class of
 * this package that uses Spring Security. It never reads a token itself, so an unverified token has no claims.
 */
final class SpringClaims {

    private SpringClaims() {}

    /** The value of a claim; {@code null} if there is no verified token with the claim. */
    static @Nullable String find(HttpServletRequest request, String name) {
        Principal principal = request.getUserPrincipal();
        Object caller = principal != null
                ? principal
                : SecurityContextHolder.getContext().getAuthentication();
        if (caller instanceof AbstractOAuth2TokenAuthenticationToken<?> verified
                && ((Authentication) verified).isAuthenticated()) {
            return text(verified.getTokenAttributes().get(name));
        }
        return null;
    }

    /** A single value as text; {@code null} for anything else. */
    private static @Nullable String text(@Nullable Object claim) {
        if (claim instanceof Collection<?> values) {
            return values.size() == 1 ? text(values.iterator().next()) : null;
        }
        return claim instanceof CharSequence || claim instanceof Number || claim instanceof Boolean
                ? String.valueOf(claim)
                : null;
    }
}
