package dev.sluice;

/**
 * Reports the real cost of a call, once the application knows it. Use it with {@code cost: charged} and {@code cost: {
 * reserve: … }}. It stays valid after the call has ended, for example while a WebSocket that the call opened stays
 * open.
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
     * Adds to the cost of the call. The reserved amount covers it first. Any further amount is counted at once, even
     * beyond the limit; then the next calls are refused. Never waits for the store.
     *
     * @param amount at least 0; 0 only asks how much remains
     * @return how much more the call may be charged; {@link Charge#NOT_COUNTED} if no limit counts such costs, and after
     *     {@link #settle}
     * @throws IllegalArgumentException if the amount is negative
     */
    Charge charge(long amount);

    /**
     * Replaces the reserved amount, and all charges beyond it, by the real cost. The difference is refunded or counted,
     * in each window that the call reserved in and that is still open. Only the first settlement has an effect.
     *
     * @param actual the total cost of the call, including all charges; at least 0
     * @return whether this settled anything
     * @throws IllegalArgumentException if the cost is negative
     */
    boolean settle(long actual);
}
