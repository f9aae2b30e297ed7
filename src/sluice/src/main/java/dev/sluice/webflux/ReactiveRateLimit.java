package dev.sluice.webflux;

import dev.sluice.Charge;
import dev.sluice.Reservation;
import org.springframework.web.server.ServerWebExchange;

/**
 * Reports from an application of Spring WebFlux to the rate limiter about the exchange it is serving: what the exchange
 * cost, and whether a login failed. Needs {@link RateLimitWebFilter} in front of the application. Affects limits with
 * {@code cost: charged}, {@code cost: { reserve: … }} or {@code count: { outcome: login-failure }} in the file.
 *
 * <pre>{@code
 * return model.answer(prompt)
 *         .doOnNext(answer -> ReactiveRateLimit.settle(exchange, answer.usage().totalTokens()));
 * }</pre>
 *
 * <p>If no such limit applies to the exchange, these methods do nothing. They never block and never fail because of the
 * limiter. The exchange must not be {@code null}; a mutated one is fine. Thread-safe.
 */
public final class ReactiveRateLimit {

    private ReactiveRateLimit() {}

    /**
     * Adds to the cost of the exchange, in every endpoint with {@code cost: charged} or {@code cost: { reserve: … }}
     * that the exchange matched. May be called several times. An amount beyond the limit is counted in full, and the
     * caller's next call is refused. With {@code reserve}, the reserved estimate is used up first.
     *
     * @param exchange the exchange that is being served
     * @param amount how much to add, for example the price of a purchase in cents; at least 0
     * @return how much more the exchange may be charged, so that a stream can stop when {@link Charge#nothingRemains
     *     nothing remains}
     * @throws IllegalArgumentException if the amount is negative
     */
    public static Charge charge(ServerWebExchange exchange, long amount) {
        return reservation(exchange).charge(amount);
    }

    /**
     * Replaces the estimate that the exchange reserved with its real cost, in every endpoint with {@code cost: {
     * reserve: … }} that the exchange matched. The difference is given back or charged. Only the first call has an
     * effect.
     *
     * @param exchange the exchange that is being served
     * @param actual the total cost, for example the tokens that a language model used; at least 0
     * @return whether any endpoint was settled
     * @throws IllegalArgumentException if the cost is negative
     */
    public static boolean settle(ServerWebExchange exchange, long actual) {
        return reservation(exchange).settle(actual);
    }

    /**
     * A handle for charging and settling after the exchange has ended, for example in a job that it started. Get it
     * while the exchange is served.
     *
     * @param exchange the exchange that is being served
     * @return never {@code null}; it charges and settles nothing if no endpoint counts costs of this exchange
     */
    public static Reservation reservation(ServerWebExchange exchange) {
        return ExchangeInFlight.reservation(exchange);
    }

    /**
     * Reports a failed login, for endpoints with {@code count: { outcome: login-failure }}. Call it while the exchange
     * is served. In Spring Boot, the authentication managers of Spring Security report them without this.
     *
     * @param exchange the exchange that is being served
     */
    public static void loginFailed(ServerWebExchange exchange) {
        ExchangeInFlight.loginEnded(exchange, true);
    }

    /**
     * Reports that no login has failed so far. Calling this is optional: it makes the permits that the exchange
     * reserved in limits on failed logins available at once, instead of when the exchange ends. Failures that you
     * report after that still count, but they no longer limit how many passwords are tried at the same time.
     *
     * @param exchange the exchange that is being served
     */
    public static void loggedIn(ServerWebExchange exchange) {
        ExchangeInFlight.loginEnded(exchange, false);
    }
}
