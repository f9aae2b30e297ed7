package dev.sluice.internal.http.request;

import java.security.Principal;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken;

/**
 * Reads claims from tokens that Spring Security has verified, either by their signature or by a query to their issuer.
 * This class never parses a token itself, so an unverified token has no claims. No other class in this package uses
 * Spring Security.
 */
final class SpringClaims {

    private SpringClaims() {}

    static @Nullable String find(@Nullable Principal principal, String name) {
        Object caller = principal != null
                ? principal
                : SecurityContextHolder.getContext().getAuthentication();
        if (caller instanceof AbstractOAuth2TokenAuthenticationToken<?> verified
                && ((Authentication) verified).isAuthenticated()) {
            return text(verified.getTokenAttributes().get(name));
        }
        return null;
    }

    /** Returns a single value as text, or {@code null} for anything else. */
    private static @Nullable String text(@Nullable Object claim) {
        if (claim instanceof Collection<?> values) {
            return values.size() == 1 ? text(values.iterator().next()) : null;
        }
        return claim instanceof CharSequence || claim instanceof Number || claim instanceof Boolean
                ? String.valueOf(claim)
                : null;
    }
}
