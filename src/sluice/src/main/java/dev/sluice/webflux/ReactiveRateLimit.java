package dev.sluice.webflux;

import dev.sluice.Charge;
import dev.sluice.Reservation;
import org.springframework.web.server.ServerWebExchange;

/**
 * Reports costs and failed logins from a Spring WebFlux application to the rate limiter. Requires a {@link
 * RateLimitWebFilter} in front of the application. The reports affect limits with {@code cost: charged}, {@code cost: {
 * reserve: … }} or {@code count: { outcome: login-failure }} in the file.
 *
 * <pre>{@code
 * return model.answer(prompt)
 *         .doOnNext(answer -> ReactiveRateLimit.settle(exchange, answer.usage().totalTokens()));
 * }</pre>
 *
 * <p>If no such limit applies to the exchange, these methods do nothing. They never block, and never throw an exception
 * if the limiter fails. The exchange must not be {@code null}, but it can be mutated. Thread-safe.
 */
public final class ReactiveRateLimit {

    private ReactiveRateLimit() {}

    /**
     * Adds to the cost of an exchange at every matching endpoint with {@code cost: charged} or {@code cost: { reserve:
     * … }}. Can be called several times. With {@code reserve}, the charge is first taken from the reserved estimate. An
     * amount that exceeds the limit is counted in full, and the caller's next call is then refused.
     *
     * @param exchange the exchange that is being served
     * @param amount the additional cost, for example the price of a purchase in cents; at least 0
     * @return how much more can be charged to the exchange. A stream can stop when {@link Charge#nothingRemains nothing
     *     remains}
     * @throws IllegalArgumentException if the amount is negative
     */
    public static Charge charge(ServerWebExchange exchange, long amount) {
        return reservation(exchange).charge(amount);
    }

    /**
     * Replaces an exchange's reserved estimate with the real cost, at every matching endpoint with {@code cost: {
     * reserve: … }}. The difference is refunded or charged. Only the first settlement has an effect.
     *
     * @param exchange the exchange that is being served
     * @param actual the total cost, for example the tokens that a language model used; at least 0
     * @return whether the cost was settled at any endpoint
     * @throws IllegalArgumentException if the cost is negative
     */
    public static boolean settle(ServerWebExchange exchange, long actual) {
        return reservation(exchange).settle(actual);
    }

    /**
     * Returns a handle for charging and settling the cost after an exchange has ended, for example in a job that the
     * exchange started. Call this method while the exchange is being served.
     *
     * @param exchange the exchange that is being served
     * @return the handle, never {@code null}. The handle has no effect if no endpoint counts the cost of the exchange
     */
    public static Reservation reservation(ServerWebExchange exchange) {
        return ExchangeInFlight.reservation(exchange);
    }

    /**
     * Reports a failed login to endpoints with {@code count: { outcome: login-failure }}. Call this method while the
     * exchange is being served. In Spring Boot, Spring Security's authentication managers report failed logins
     * automatically.
     *
     * @param exchange the exchange that is being served
     */
    public static void loginFailed(ServerWebExchange exchange) {
        ExchangeInFlight.loginEnded(exchange, true);
    }

    /**
     * Reports that no login has failed so far. Calling this method is optional. If you call it, the permits that the
     * exchange has taken from limits on failed logins are returned immediately instead of at the end of the exchange.
     * Failures that you report afterwards still count, but they no longer limit how many passwords can be tried
     * concurrently.
     *
     * @param exchange the exchange that is being served
     */
    public static void loggedIn(ServerWebExchange exchange) {
        ExchangeInFlight.loginEnded(exchange, false);
    }
}
