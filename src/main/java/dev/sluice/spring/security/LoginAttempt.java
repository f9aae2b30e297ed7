package dev.sluice.spring.security;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.LockedException;
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
     * Makes the attempt if the limits admit it, and reports a failure to them. A manager may ask other managers and
     * continue with the next if one fails, so a failure within another attempt is not reported.
     *
     * @throws LockedException if the call has tried to log in before, and the limits do not admit another attempt
     */
    static <T extends @Nullable Object, E extends Throwable> T make(LoginAttempt<T, E> attempt) throws E {
        if (!RequestUnderWay.beginLogin()) {
            return attempt.proceed();
        }
        try {
            if (!RequestUnderWay.mayLogIn()) {
                throw new LockedException("Too many logins have failed; this one was not tried. Try again later.");
            }
            return proceed(attempt);
        } finally {
            RequestUnderWay.endLogin();
        }
    }

    private static <T extends @Nullable Object, E extends Throwable> T proceed(LoginAttempt<T, E> attempt) throws E {
        try {
            return attempt.proceed();
        } catch (AuthenticationException e) {
            report(e);
            throw e;
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
