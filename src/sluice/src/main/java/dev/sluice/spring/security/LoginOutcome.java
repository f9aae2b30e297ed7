package dev.sluice.spring.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;

/** Tells failed logins from all other results of an authentication manager. */
final class LoginOutcome {

    private LoginOutcome() {}

    /** Whether a manager has refused by its result, which is not an authenticated user. */
    static boolean isFailed(@Nullable Object result) {
        return !(result instanceof Authentication known && known.isAuthenticated());
    }

    /**
     * Whether a manager has refused by its exception. An unavailable user database, for example, is not a wrong
     * password.
     */
    static boolean isFailed(Throwable thrown) {
        return thrown instanceof AuthenticationException && !(thrown instanceof AuthenticationServiceException);
    }
}
