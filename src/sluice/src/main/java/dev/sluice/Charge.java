package dev.sluice;

import dev.sluice.tier.Tier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@link Reservation#charge}: whether a limit counts such costs, and how much more the call may be charged
 * before it passes a limit. A stream can stop then:
 *
 * <pre>{@code
 * model.stream(prompt).takeUntil(chunk -> tokens.charge(chunk.tokens()).nothingRemains());
 * }</pre>
 *
 * <p>The figures are those of the tier with the least, because each tier is charged the same. They are what this
 * instance knows, without asking the store: what it has counted itself until now, and what the other instances had
 * counted at the last exchange. What calls in flight have reserved is theirs. An endpoint in dry run, or one that the
 * caller is exempt from, is charged, but stops nothing. Immutable and thread-safe.
 *
 * @param counted whether any limit counts such costs
 * @param remaining how much more the call may be charged: what its own reservation still covers, and the permits that
 *     neither calls nor other instances hold. {@link Long#MAX_VALUE} if no limit stops it
 * @param heldElsewhere how many unused permits other instances hold besides. They may use them at any moment, so a
 *     caller that counts on these may pass the limit
 * @param endpoint the endpoint of the tier with the least; {@code null} if no limit stops the call
 * @param tier the tier with the least; {@code null} if no limit stops the call
 */
public record Charge(
        boolean counted,
        long remaining,
        long heldElsewhere,
        @Nullable Endpoint endpoint,
        @Nullable Tier tier) {

    /** No limit counts such costs. */
    public static final Charge NOT_COUNTED = new Charge(false, Long.MAX_VALUE, 0, null, null);

    /** Only limits that refuse nobody count them. */
    public static final Charge UNLIMITED = new Charge(true, Long.MAX_VALUE, 0, null, null);

    /** Whether any further charge would pass a limit, as far as known: time for a stream to stop. */
    public boolean nothingRemains() {
        return remaining <= 0;
    }

    /** The answer for both charges together: with the figures of the tier that has less. */
    public Charge and(Charge other) {
        Charge least = other.remaining < remaining ? other : this;
        return new Charge(counted || other.counted, least.remaining, least.heldElsewhere, least.endpoint, least.tier);
    }
}
