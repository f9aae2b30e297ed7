package dev.sluice.webflux;

import dev.sluice.Charge;
import dev.sluice.Reservation;
import org.springframework.web.server.ServerWebExchange;

/**
 * Reports the cost of an exchange, or a failed login, from a Spring WebFlux application to the rate limiter. Requires
 * {@link RateLimitWebFilter} in front of the application. Affects limits with {@code cost: charged}, {@code cost: {
 * reserve: … }} or {@code count: { outcome: login-failure }} in the file.
 *
 * <pre>{@code
 * return model.answer(prompt)
 *         .doOnNext(answer -> ReactiveRateLimit.settle(exchange, answer.usage().totalTokens()));
 * }</pre>
 *
 * <p>If no such limit applies to the exchange, these methods do nothing. They never block, and a failure of the limiter
 * never makes them throw. The exchange must not be {@code null}. It may be mutated. Thread-safe.
 */
public final class ReactiveRateLimit {

    private ReactiveRateLimit() {}

    /**
     * Adds to the cost of the exchange, at every endpoint with {@code cost: charged} or {@code cost: { reserve: … }}
     * that the exchange matched. Can be called several times. An amount beyond the limit is counted in full, and the
     * caller's next call is refused. With {@code reserve}, the charge first uses up the reserved estimate.
     *
     * @param exchange the exchange that is being served
     * @param amount the additional cost, for example the price of a purchase in cents; at least 0
     * @return how much more the exchange may be charged. A stream can stop when {@link Charge#nothingRemains nothing
     *     remains}
     * @throws IllegalArgumentException if the amount is negative
     */
    public static Charge charge(ServerWebExchange exchange, long amount) {
        return reservation(exchange).charge(amount);
    }

    /**
     * Replaces the estimate that the exchange reserved with its real cost, at every endpoint with {@code cost: {
     * reserve: … }} that the exchange matched. The difference is refunded or charged. Only the first call has an
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
     * Returns a handle for charging and settling after the exchange has ended, for example in a job that the exchange
     * started. Call this method while the exchange is served.
     *
     * @param exchange the exchange that is being served
     * @return the handle, never {@code null}. It does nothing if no endpoint counts the cost of this exchange
     */
    public static Reservation reservation(ServerWebExchange exchange) {
        return ExchangeInFlight.reservation(exchange);
    }

    /**
     * Reports a failed login to endpoints with {@code count: { outcome: login-failure }}. Call this method while the
     * exchange is served. In Spring Boot, Spring Security's authentication managers report failed logins automatically.
     *
     * @param exchange the exchange that is being served
     */
    public static void loginFailed(ServerWebExchange exchange) {
        ExchangeInFlight.loginEnded(exchange, true);
    }

    /**
     * Reports that no login has failed so far. Calling this method is optional. It immediately returns the permits that
     * the exchange has reserved under limits on failed logins, instead of when the exchange ends. Failures that you
     * report afterwards still count, but they no longer limit how many passwords are tried concurrently.
     *
     * @param exchange the exchange that is being served
     */
    public static void loggedIn(ServerWebExchange exchange) {
        ExchangeInFlight.loginEnded(exchange, false);
    }
}
