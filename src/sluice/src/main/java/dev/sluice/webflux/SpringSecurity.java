package dev.sluice.webflux;

import dev.sluice.internal.page.PageRequest;
import java.security.Principal;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Obtains information about callers from Spring Security, if it is on the class path. No other class in this package
 * uses Spring Security.
 */
final class SpringSecurity {

    private static final String PREFIX = "ROLE_";
    private static final String CSRF = "org.springframework.security.web.server.csrf.CsrfToken";
    private static final boolean KNOWN = find();

    private SpringSecurity() {}

    /** Whether Spring Security is on the class path. */
    static boolean isKnown() {
        return KNOWN;
    }

    private static boolean find() {
        try {
            return Authentication.class.isInterface();
        } catch (LinkageError e) {
            return false;
        }
    }

    /** Whether a caller is not authenticated. Spring Security's filters name such a caller {@code anonymousUser}. */
    static boolean isStranger(Principal principal) {
        return KNOWN && principal instanceof Authentication caller && isStranger(caller);
    }

    private static boolean isStranger(Authentication caller) {
        return caller instanceof AnonymousAuthenticationToken || !caller.isAuthenticated();
    }

    /**
     * Whether a caller has a role. Works like {@code isUserInRole} for servlets: the prefix is optional, and an
     * anonymous caller has no role.
     */
    static boolean has(Principal principal, String role) {
        if (!(principal instanceof Authentication caller) || isStranger(caller)) {
            return false;
        }
        String authority = role.startsWith(PREFIX) ? role : PREFIX + role;
        return caller.getAuthorities().stream().anyMatch(granted -> authority.equals(granted.getAuthority()));
    }

    /** The token that the CSRF filter requires for changes; empty if there is no such filter. Can create a session. */
    static Mono<PageRequest.CsrfToken> csrf(ServerWebExchange exchange) {
        return KNOWN && exchange.getAttribute(CSRF) instanceof Mono<?> token
                ? token.cast(CsrfToken.class).map(one -> new PageRequest.CsrfToken(one.getHeaderName(), one.getToken()))
                : Mono.empty();
    }
}
