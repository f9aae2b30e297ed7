package dev.sluice.webflux;

import java.security.Principal;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;

/** The roles that Spring Security has given to callers. No other class of this package uses Spring Security. */
final class SecurityRoles {

    private static final String PREFIX = "ROLE_";

    private SecurityRoles() {}

    /** Whether Spring Security is on the class path. */
    static boolean areKnown() {
        try {
            return Authentication.class.isInterface();
        } catch (LinkageError e) {
            return false;
        }
    }

    /** Like its {@code isUserInRole} for servlets: the prefix is optional, and an anonymous caller has no role. */
    static boolean has(Principal principal, String role) {
        if (!(principal instanceof Authentication caller)
                || caller instanceof AnonymousAuthenticationToken
                || !caller.isAuthenticated()) {
            return false;
        }
        String authority = role.startsWith(PREFIX) ? role : PREFIX + role;
        return caller.getAuthorities().stream().anyMatch(granted -> authority.equals(granted.getAuthority()));
    }
}
