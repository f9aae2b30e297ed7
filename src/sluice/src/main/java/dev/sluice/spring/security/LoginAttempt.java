package dev.sluice.spring.security;

import dev.sluice.Decision;
import dev.sluice.LoginTicket;
import dev.sluice.RateLimitedException;
import dev.sluice.internal.http.request.RequestLogins;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;

/**
 * An attempt to log in that an authentication manager makes for the request of this thread.
 *
 * @param <T> its result
 * @param <E> the exceptions that it may throw
 */
@FunctionalInterface
interface LoginAttempt<T extends @Nullable Object, E extends Throwable> {

    T proceed() throws E;

    /**
     * Makes the attempt if the limits admit it, and reports a failure to them. A manager may ask other managers and
     * continue with the next one if one fails. So an attempt within another attempt on the same thread is part of that
     * one, but on another thread it is an attempt of its own. If a manager returns no authenticated user, it has
     * refused too.
     *
     * @param login the login that the manager is asked to authenticate; {@code null} if it is not known
     * @param uncounted is told about attempts on threads that serve no request
     * @throws RateLimitedException if the limits do not admit the attempt. It is no {@link AuthenticationException}, so
     *     that nothing takes it for a wrong password. It leaves Spring Security, and the filter answers it with 429
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
            Object secret = login == null ? null : login.getCredentials(); // the manager may erase it
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

    /** Reports a failure that another component has seen, unless it is part of an attempt. */
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

    /** Reports a login that another component has seen. */
    static void succeeded() {
        RequestLogins logins = LoginsOfThread.find();
        if (logins != null) {
            logins.tried();
        }
    }
}
