package dev.sluice.spring.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;

/** Distinguishes between failed logins and all other results of an authentication manager. */
final class LoginOutcome {

    private LoginOutcome() {}

    /** Whether a manager's result is a refusal, that is, anything but an authenticated user. */
    static boolean isFailed(@Nullable Object result) {
        return !(result instanceof Authentication known && known.isAuthenticated());
    }

    /**
     * Whether a manager's exception is a refusal. An exception caused by an unavailable user database, for example, is
     * not.
     */
    static boolean isFailed(Throwable thrown) {
        return thrown instanceof AuthenticationException && !(thrown instanceof AuthenticationServiceException);
    }
}
