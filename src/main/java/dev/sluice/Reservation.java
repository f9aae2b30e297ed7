package dev.sluice;

/**
 * The cost that a call reserved or is charged, until the application knows what it really was: for {@code cost: charged} and
 * for {@code cost: { reserve: … }}. Valid as long as the application keeps it, also after the call has ended: a WebSocket
 * outlives its handshake.
 *
 * <pre>{@code
 * Reservation tokens = RateLimit.reservation(request);
 * model.stream(prompt, chunk -> tokens.charge(chunk.tokens()));   // as they go
 * tokens.settle(answer.usage().totalTokens());                    // once, at the end
 * }</pre>
 *
 * Thread-safe.
 */
public interface Reservation {

    /**
     * Adds to what the call costs so far. What the call reserved covers the first of it; the rest is counted at once, even
     * beyond the limit: then the next call is refused.
     *
     * @param amount at least 0
     * @return whether anything counts costs like these; {@code false} after {@link #settle}
     * @throws IllegalArgumentException if the amount is negative
     */
    boolean charge(long amount);

    /**
     * Replaces what the call reserved by what it cost: the difference is given back, or counted, in each window in which the
     * call reserved and which is still open. The first settlement counts; further ones change nothing.
     *
     * @param actual what the call cost in all, with what was charged; at least 0
     * @return whether this settled anything
     * @throws IllegalArgumentException if the cost is negative
     */
    boolean settle(long actual);
}
