package dev.sluice;

/**
 * Reports the real cost of a call, once the application knows it. Use it with {@code cost: charged} and {@code cost: {
 * reserve: … }}. A reservation stays valid after the call has ended, for example while a WebSocket that the call opened
 * is in use.
 *
 * <pre>{@code
 * Reservation tokens = RateLimit.reservation(request);
 * model.stream(prompt, chunk -> tokens.charge(chunk.tokens()));   // as they arrive
 * tokens.settle(answer.usage().totalTokens());                    // once, at the end
 * }</pre>
 *
 * <p>Thread-safe.
 */
public interface Reservation {

    /**
     * Adds to the cost of the call. The charge is first taken from the reserved amount. Any further amount is counted
     * immediately, even if it exceeds the limit. In that case, the next calls are refused. This method never waits for
     * the store.
     *
     * @param amount the additional cost; at least 0. With 0, this method only returns how much remains
     * @return how much more can be charged to the call; {@link Charge#NOT_COUNTED} after {@link #settle}, or if no
     *     limit counts the cost
     * @throws IllegalArgumentException if the amount is negative
     */
    Charge charge(long amount);

    /**
     * Replaces the reserved amount, and any charges that exceeded it, with the real cost. The difference is refunded or
     * counted in each window in which the call made a reservation, unless the window has ended. Only the first
     * settlement has an effect.
     *
     * @param actual the total cost of the call, including all charges; at least 0
     * @return whether the settlement had an effect
     * @throws IllegalArgumentException if the cost is negative
     */
    boolean settle(long actual);
}
