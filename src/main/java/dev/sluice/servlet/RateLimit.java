package dev.sluice.servlet;

import dev.sluice.servlet.underway.RememberedDecision;
import jakarta.servlet.ServletRequest;

/** What an application says to the limits of a request that it is serving. */
public final class RateLimit {

    private RateLimit() {}

    /**
     * Charges the request so much, in each endpoint with {@code cost: charged} that it matched. May be said several
     * times, from any thread that serves the request, and may pass the limit: it is the next call that is refused then.
     *
     * @param request as it is at hand, wrapped or forwarded
     * @param amount for example the cents of a purchase
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
     * Says that the request tried to log in and that this failed, which {@code count: { outcome: login-failure }} asks
     * for. With Spring Security in Spring Boot it is said by itself. To be said while the request is served.
     *
     * @param request as it is at hand, wrapped or forwarded
     */
    public static void loginFailed(ServletRequest request) {
        RememberedDecision.loginEnded(request, true);
    }

    /**
     * Says that the request has not failed to log in, so far: what it has reserved where failed logins count is free
     * again, although the request is still served. Need not be said.
     */
    public static void loggedIn(ServletRequest request) {
        RememberedDecision.loginEnded(request, false);
    }
}
