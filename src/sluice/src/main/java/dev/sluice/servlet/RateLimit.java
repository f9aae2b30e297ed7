package dev.sluice.servlet;

import dev.sluice.Charge;
import dev.sluice.Decision;
import dev.sluice.LimitedWork;
import dev.sluice.LoginTicket;
import dev.sluice.RateLimitedException;
import dev.sluice.Reservation;
import dev.sluice.internal.servlet.inflight.RememberedDecision;
import jakarta.servlet.ServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Reports the cost of a request, or a failed login, from the application to the rate limiter. Requires {@link
 * RateLimitFilter} in front of the application. Affects limits with {@code cost: charged}, {@code cost: { reserve: … }}
 * or {@code count: { outcome: login-failure }} in the file.
 *
 * <pre>{@code
 * // cost: charged. The limit counts cents, and the price is known only now
 * RateLimit.charge(request, order.priceInCents());
 *
 * // cost: { reserve: 1000 }. The request reserved an estimate; now replace it with the real cost
 * RateLimit.settle(request, answer.usage().totalTokens());
 *
 * // count: { outcome: login-failure }. Wrong passwords count, right ones do not
 * if (!passwords.match(user, password)) {
 *     RateLimit.loginFailed(request);
 * }
 * }</pre>
 *
 * <p>If no such limit applies to the request, these methods do nothing. They never wait for a store, and a failure of
 * the limiter never makes them throw. The request must not be {@code null}. It may be wrapped or forwarded.
 * Thread-safe.
 */
public final class RateLimit {

    private RateLimit() {}

    /**
     * Adds to the cost of the request, at every endpoint with {@code cost: charged} or {@code cost: { reserve: … }}
     * that the request matched. Can be called several times. An amount beyond the limit is counted in full, and the
     * caller's next call is refused. With {@code reserve}, the charge first uses up the reserved estimate.
     *
     * @param request the request that is being served
     * @param amount the additional cost, for example the price of a purchase in cents; at least 0
     * @return how much more the request may be charged. A stream can stop when {@link Charge#nothingRemains nothing
     *     remains}
     * @throws IllegalArgumentException if the amount is negative
     */
    public static Charge charge(ServletRequest request, long amount) {
        return RememberedDecision.reservation(request).charge(amount);
    }

    /**
     * Replaces the estimate that the request reserved with its real cost, at every endpoint with {@code cost: {
     * reserve: … }} that the request matched. The difference is refunded or charged. Only the first call has an effect.
     *
     * @param request the request that is being served
     * @param actual the total cost, for example the tokens that a language model used; at least 0
     * @return whether any endpoint was settled
     * @throws IllegalArgumentException if the cost is negative
     */
    public static boolean settle(ServletRequest request, long actual) {
        return RememberedDecision.reservation(request).settle(actual);
    }

    /**
     * Returns a handle for charging and settling after the request has ended, for example in a WebSocket after its
     * handshake, or in a job that the request started. Call this method while the request is served. The handle does
     * not keep the request in memory.
     *
     * @param request the request that is being served
     * @return the handle, never {@code null}. It does nothing if no endpoint counts the cost of this request
     */
    public static Reservation reservation(ServletRequest request) {
        return RememberedDecision.reservation(request);
    }

    /**
     * Attempts a login if the limits on failed logins admit it. These are the limits that apply to the request,
     * including the limits of the name with {@code per: [ login ]}. If they refuse the attempt, no password is compared
     * and no account is looked up, so the refusal does not reveal whether the account exists. Use this method in an
     * application with its own login form:
     *
     * <pre>{@code
     * if (RateLimit.login(request, name, () -> accounts.match(name, password))) {
     *     request.getSession().setAttribute("user", name);
     * }
     * }</pre>
     *
     * <p>If the check throws an exception, the login does not count as failed, because the database may be unavailable.
     * With Spring Security in Spring Boot, each {@code AuthenticationManager} does all this automatically. Blocks this
     * thread while the attempt is pending.
     *
     * @param request the request that is being served
     * @param name the name of the account, as the caller typed it; {@code null} if there is none
     * @param check looks up the account and compares the password; returns whether the login succeeded
     * @return the result of the check
     * @throws RateLimitedException if the limits refuse the attempt. Do not catch it, because the filter responds with
     *     429
     */
    public static <E extends Exception> boolean login(
            ServletRequest request, @Nullable String name, LimitedWork<Boolean, E> check) throws E {
        LoginTicket.Attempt attempt = RememberedDecision.logins(request).begin(name);
        Decision refusal = attempt.refusal();
        if (refusal != null) {
            throw new RateLimitedException(refusal);
        }
        boolean failed = false;
        try {
            failed = !check.run();
            return !failed;
        } finally {
            attempt.ended(failed);
        }
    }

    /**
     * Reports a failed login to endpoints with {@code count: { outcome: login-failure }}. Call this method while the
     * request is served. Several failures in one request count as one. In Spring Boot with Spring Security, failed
     * logins are reported automatically.
     *
     * @param request the request that is being served
     */
    public static void loginFailed(ServletRequest request) {
        RememberedDecision.logins(request).ended(true);
    }

    /**
     * Reports that no login has failed so far. Calling this method is optional. It immediately returns the permits that
     * the request has reserved under limits on failed logins, instead of when the request ends. Failures that you
     * report afterwards still count, but they no longer limit how many passwords are tried concurrently.
     *
     * @param request the request that is being served
     */
    public static void loggedIn(ServletRequest request) {
        RememberedDecision.logins(request).ended(false);
    }
}
