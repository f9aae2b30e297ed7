package dev.sluice.servlet;

import dev.sluice.Reservation;
import dev.sluice.internal.servlet.underway.RememberedDecision;
import jakarta.servlet.ServletRequest;

/** Reports from an application to the limits of a request that it is serving. */
public final class RateLimit {

    private RateLimit() {}

    /**
     * Charges an amount to the request, in each endpoint with {@code cost: charged} or {@code cost: { reserve: … }} that it
     * matched. May be called several times, from any thread that serves the request. The amount may exceed the limit: then
     * the next call is refused. What the request reserved covers the first of it.
     *
     * @param request the request, also wrapped or forwarded
     * @param amount for example the price of a purchase in cents
     * @return whether anything was charged
     * @throws IllegalArgumentException if the amount is negative
     */
    public static boolean charge(ServletRequest request, long amount) {
        return RememberedDecision.reservation(request).charge(amount);
    }

    /**
     * Settles what the request cost in all, in each endpoint with {@code cost: { reserve: … }} that it matched: the difference
     * to what it reserved is given back, or counted. Only the first settlement counts.
     *
     * @param request the request, also wrapped or forwarded
     * @param actual for example the tokens that a language model has used
     * @return whether anything was settled
     * @throws IllegalArgumentException if the cost is negative
     */
    public static boolean settle(ServletRequest request, long actual) {
        return RememberedDecision.reservation(request).settle(actual);
    }

    /**
     * What the request reserved or is charged, for work that outlives it: a WebSocket after its handshake, a job that the
     * request has started. Never {@code null}; if nothing was reserved, its methods return {@code false}.
     *
     * @param request the request, while it is served, also wrapped or forwarded
     */
    public static Reservation reservation(ServletRequest request) {
        return RememberedDecision.reservation(request);
    }

    /**
     * Reports that the request tried to log in and failed, for endpoints with {@code count: { outcome: login-failure }}.
     * Must be called while the request is served. In Spring Boot with Spring Security this happens by itself.
     *
     * @param request the request, also wrapped or forwarded
     */
    public static void loginFailed(ServletRequest request) {
        RememberedDecision.loginEnded(request, true);
    }

    /**
     * Reports that the request has not failed to log in so far. What it reserved in limits on failed logins becomes
     * available at once, not only at the end of the request. Calling this is optional.
     */
    public static void loggedIn(ServletRequest request) {
        RememberedDecision.loginEnded(request, false);
    }
}
