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
}
