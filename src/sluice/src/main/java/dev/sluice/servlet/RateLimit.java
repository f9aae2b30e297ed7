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
 * Reports costs and failed logins from the application to the rate limiter. Requires a {@link RateLimitFilter} in front
 * of the application. The reports affect limits with {@code cost: charged}, {@code cost: { reserve: … }} or {@code
 * count: { outcome: login-failure }} in the file.
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
 * <p>If no such limit applies to the request, these methods do nothing. They never wait for a store, and never throw an
 * exception if the limiter fails. The request must not be {@code null}, but it can be wrapped or forwarded.
 * Thread-safe.
 */
public final class RateLimit {

    private RateLimit() {}

    /**
     * Adds to the cost of a request at every matching endpoint with {@code cost: charged} or {@code cost: { reserve: …
     * }}. Can be called several times. With {@code reserve}, the charge is first taken from the reserved estimate. An
     * amount that exceeds the limit is counted in full, and the caller's next call is then refused.
     *
     * @param request the request that is being served
     * @param amount the additional cost, for example the price of a purchase in cents; at least 0
     * @return how much more can be charged to the request. A stream can stop when {@link Charge#nothingRemains nothing
     *     remains}
     * @throws IllegalArgumentException if the amount is negative
     */
    public static Charge charge(ServletRequest request, long amount) {
        return RememberedDecision.reservation(request).charge(amount);
    }

    /**
     * Replaces a request's reserved estimate with the real cost, at every matching endpoint with {@code cost: {
     * reserve: … }}. The difference is refunded or charged. Only the first settlement has an effect.
     *
     * @param request the request that is being served
     * @param actual the total cost, for example the tokens that a language model used; at least 0
     * @return whether the cost was settled at any endpoint
     * @throws IllegalArgumentException if the cost is negative
     */
    public static boolean settle(ServletRequest request, long actual) {
        return RememberedDecision.reservation(request).settle(actual);
    }

    /**
     * Returns a handle for charging and settling the cost after a request has ended, for example in a WebSocket after
     * the handshake, or in a job that the request started. Call this method while the request is being served. The
     * handle does not hold a reference to the request.
     *
     * @param request the request that is being served
     * @return the handle, never {@code null}. The handle has no effect if no endpoint counts the cost of the request
     */
    public static Reservation reservation(ServletRequest request) {
        return RememberedDecision.reservation(request);
    }

    /**
     * Attempts a login if the limits on failed logins admit the attempt. All such limits that apply to the request are
     * checked. Limits with {@code per: [ login ]} count the attempts for each name. If a limit refuses the attempt, no
     * password is compared and no account is looked up. The refusal therefore does not reveal whether the account
     * exists. Use this method in an application with its own login form:
     *
     * <pre>{@code
     * if (RateLimit.login(request, name, () -> accounts.match(name, password))) {
     *     request.getSession().setAttribute("user", name);
     * }
     * }</pre>
     *
     * <p>If the check throws an exception, the login does not count as failed, because the cause could be an
     * unavailable database. With Spring Security in Spring Boot, each {@code AuthenticationManager} does all of this
     * automatically. This method blocks the current thread while the attempt is pending.
     *
     * @param request the request that is being served
     * @param name the name of the account, as the caller typed it; {@code null} if there is no name
     * @param check looks up the account and compares the password; returns whether the login succeeded
     * @return the result of the check
     * @throws RateLimitedException if a limit refuses the attempt. Do not catch this exception, because the filter
     *     responds to it with status 429
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
     * request is being served. Several failures in one request count as one. In Spring Boot with Spring Security,
     * failed logins are reported automatically.
     *
     * @param request the request that is being served
     */
    public static void loginFailed(ServletRequest request) {
        RememberedDecision.logins(request).ended(true);
    }

    /**
     * Reports that no login has failed so far. Calling this method is optional. If you call it, the permits that the
     * request has taken from limits on failed logins are returned immediately instead of at the end of the request.
     * Failures that you report afterwards still count, but they no longer limit how many passwords can be tried
     * concurrently.
     *
     * @param request the request that is being served
     */
    public static void loggedIn(ServletRequest request) {
        RememberedDecision.logins(request).ended(false);
    }
}
