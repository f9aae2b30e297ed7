package dev.sluice.spring.security;

import dev.sluice.Decision;
import dev.sluice.LoginTicket;
import dev.sluice.RateLimitedException;
import dev.sluice.internal.http.request.RequestLogins;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;

/**
 * A login attempt that an authentication manager makes for the request of the current thread.
 *
 * @param <T> the type of the result
 * @param <E> the type of exception that the attempt can throw
 */
@FunctionalInterface
interface LoginAttempt<T extends @Nullable Object, E extends Throwable> {

    T proceed() throws E;

    /**
     * Makes the attempt if the limits admit it, and reports a failure to them. A manager can delegate to other
     * managers, and try the next manager if one fails. Therefore, a nested attempt on the same thread is part of the
     * outer attempt. An attempt on a different thread is separate. If a manager does not return an authenticated user,
     * the attempt has also failed.
     *
     * @param login the login that the manager authenticates; {@code null} if unknown
     * @param uncounted receives attempts on threads without a request
     * @throws RateLimitedException if the limits do not admit the attempt. This exception is not an {@link
     *     AuthenticationException}, so that it is not treated as a wrong password. Spring Security propagates it, and
     *     the filter responds with status 429
     */
    static <T extends @Nullable Object, E extends Throwable> T make(
            @Nullable Authentication login, LoginAttempt<T, E> attempt, UncountedLogins uncounted) throws E {
        if (LoginsOfThread.isTrying()) {
            return attempt.proceed();
        }
        RequestLogins logins = LoginsOfThread.find();
        if (logins == null) {
            uncounted.tried();
            return attempt.proceed();
        }
        LoginTicket.Attempt admitted = logins.begin(TriedName.of(login));
        Decision refusal = admitted.refusal();
        if (refusal != null) {
            throw new RateLimitedException(refusal);
        }
        boolean failed = false;
        LoginsOfThread.tries();
        try {
            Object secret = login == null ? null : login.getCredentials(); // the manager might erase the credentials
            T result = attempt.proceed();
            failed = LoginOutcome.isFailed(result);
            if (login != null && !failed) {
                logins.accepted(login.getName(), secret);
            }
            return result;
        } catch (AuthenticationException e) {
            failed = LoginOutcome.isFailed(e);
            throw e;
        } finally {
            LoginsOfThread.triesNoMore();
            admitted.ended(failed);
        }
    }

    /** Reports a failure detected by a different component, unless the failure is part of an attempt. */
    static void failed(AuthenticationException failure, UncountedLogins uncounted) {
        if (LoginsOfThread.isTrying()) {
            return;
        }
        RequestLogins logins = LoginsOfThread.find();
        if (logins == null) {
            uncounted.tried();
            return;
        }
        logins.tried();
        if (LoginOutcome.isFailed(failure)) {
            logins.ended(true);
        }
    }

    /** Reports a login detected by a different component. */
    static void succeeded() {
        RequestLogins logins = LoginsOfThread.find();
        if (logins != null) {
            logins.tried();
        }
    }
}
