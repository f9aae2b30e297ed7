package dev.sluice.servlet;

import dev.sluice.servlet.underway.RememberedDecision;
import jakarta.servlet.ServletRequest;

/** Reports from an application to the limits of a request that it is serving. */
public final class RateLimit {

    private RateLimit() {}

    /**
     * Charges an amount to the request, in each endpoint with {@code cost: charged} that it matched. May be called several
     * times, from any thread that serves the request. The amount may exceed the limit: then the next call is refused.
     *
     * @param request the request, also wrapped or forwarded
     * @param amount for example the price of a purchase in cents
     * @return whether anything was charged
     * @throws IllegalArgumentException if the amount is negative
     */
    public static boolean charge(ServletRequest request, long amount) {
        if (amount < 0) {
            throw new IllegalArgumentException("amount " + amount + " is negative; what was charged is not given back");
        }
        return RememberedDecision.charge(request, amount);
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
