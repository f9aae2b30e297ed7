package dev.sluice.spring.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;

/**
 * A login attempt that an authentication manager makes for the request of this thread.
 *
 * @param <T> its result
 * @param <E> what it may throw
 */
@FunctionalInterface
interface LoginAttempt<T extends @Nullable Object, E extends Throwable> {

    T proceed() throws E;

    /**
     * Makes the attempt, and reports a failure to the limits. A manager may ask other managers and continue with the
     * next if one fails, so a failure within another attempt is not reported.
     */
    static <T extends @Nullable Object, E extends Throwable> T make(LoginAttempt<T, E> attempt) throws E {
        if (!RequestUnderWay.beginLogin()) {
            return attempt.proceed();
        }
        try {
            return attempt.proceed();
        } catch (AuthenticationException e) {
            report(e);
            throw e;
        } finally {
            RequestUnderWay.endLogin();
        }
    }

    /** Reports a failure that another component has seen, unless it is part of another attempt. */
    static void failed(AuthenticationException failure) {
        if (RequestUnderWay.beginLogin()) {
            RequestUnderWay.endLogin();
            report(failure);
        }
    }

    /**
     * Does not report a failure of the authentication service, such as a lost database: that is not a wrong password.
     */
    private static void report(AuthenticationException failure) {
        if (!(failure instanceof AuthenticationServiceException)) {
            RequestUnderWay.loginFailed();
        }
    }
}
