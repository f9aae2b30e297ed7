package dev.sluice.webflux;

import dev.sluice.Reservation;
import org.springframework.web.server.ServerWebExchange;

/** Reports from an application of Spring WebFlux to the limits of an exchange that it is serving. Never waits. */
public final class RateLimit {

    private RateLimit() {}

    /**
     * Charges an amount to the exchange, in each endpoint with {@code cost: charged} or {@code cost: { reserve: … }} that it
     * matched. May be called several times, from any thread. The amount may exceed the limit: then the next call is refused.
     * What the exchange reserved covers the first of it.
     *
     * @param exchange the exchange, also mutated
     * @param amount for example the price of a purchase in cents
     * @return whether anything was charged
     * @throws IllegalArgumentException if the amount is negative
     */
    public static boolean charge(ServerWebExchange exchange, long amount) {
        return reservation(exchange).charge(amount);
    }

    /**
     * Settles what the exchange cost in all, in each endpoint with {@code cost: { reserve: … }} that it matched: the
     * difference to what it reserved is given back, or counted. Only the first settlement counts.
     *
     * @param exchange the exchange, also mutated
     * @param actual for example the tokens that a language model has used
     * @return whether anything was settled
     * @throws IllegalArgumentException if the cost is negative
     */
    public static boolean settle(ServerWebExchange exchange, long actual) {
        return reservation(exchange).settle(actual);
    }

    /**
     * What the exchange reserved or is charged, for work that outlives it, such as a job that it has started. Never {@code
     * null}; if nothing was reserved, its methods return {@code false}.
     *
     * @param exchange the exchange, while it is served, also mutated
     */
    public static Reservation reservation(ServerWebExchange exchange) {
        return ExchangeUnderWay.reservation(exchange);
    }

    /**
     * Reports that the caller tried to log in and failed, for endpoints with {@code count: { outcome: login-failure }}. Must
     * be called while the exchange is served. With WebFlux nobody else reports it.
     *
     * @param exchange the exchange, also mutated
     */
    public static void loginFailed(ServerWebExchange exchange) {
        ExchangeUnderWay.loginEnded(exchange, true);
    }

    /**
     * Reports that the caller has not failed to log in so far. What the exchange reserved in limits on failed logins becomes
     * available at once, not only at its end. Calling this is optional.
     */
    public static void loggedIn(ServerWebExchange exchange) {
        ExchangeUnderWay.loginEnded(exchange, false);
    }
}
