package dev.sluice.spring.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;

/**
 * An attempt to log in, made by an authentication manager for the request of this thread.
 *
 * @param <T> its result
 * @param <E> what it may throw
 */
@FunctionalInterface
interface LoginAttempt<T extends @Nullable Object, E extends Throwable> {

    T proceed() throws E;

    /**
     * Makes the attempt, and reports it to the limits if it fails. A manager may ask others, and go on with the next if one
     * fails, so an attempt within another is not reported.
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

    /** Reports an attempt that somebody else made, and that failed unless it is part of another. */
    static void failed(AuthenticationException failure) {
        if (RequestUnderWay.beginLogin()) {
            RequestUnderWay.endLogin();
            report(failure);
        }
    }

    /** A failure of the authentication service, such as a database that is away, is no wrong password. */
    private static void report(AuthenticationException failure) {
        if (!(failure instanceof AuthenticationServiceException)) {
            RequestUnderWay.loginFailed();
        }
    }
}
