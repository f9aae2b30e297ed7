package dev.sluice.spring.method;

import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/** Finds the caller that Spring Security has authenticated. */
final class CurrentAuthentication implements CurrentCaller {

    @Override
    public @Nullable Principal authenticated() {
        return known(SecurityContextHolder.getContext().getAuthentication());
    }

    /** The authenticated caller; {@code null} for an anonymous user. */
    static @Nullable Principal known(@Nullable Authentication authentication) {
        return authentication == null
                        || !authentication.isAuthenticated()
                        || authentication instanceof AnonymousAuthenticationToken
                ? null
                : authentication;
    }
}
