package dev.sluice.servlet.call;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken;

/**
 * Claims of tokens that Spring Security has verified, by signature or by asking who issued them; the one class that
 * touches it. It never reads a token itself, so a header that nobody verified says nothing.
 */
final class SpringClaims {

    private SpringClaims() {}

    /** The value of a claim; {@code null} if no verified token says so. */
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

    /** A single value as text; {@code null} for what is no single value. */
    private static @Nullable String text(@Nullable Object claim) {
        if (claim instanceof Collection<?> values) {
            return values.size() == 1 ? text(values.iterator().next()) : null;
        }
        return claim instanceof CharSequence || claim instanceof Number || claim instanceof Boolean
                ? String.valueOf(claim)
                : null;
    }
}
