package dev.sluice;

import dev.sluice.tier.Tier;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link Reservation#charge}: whether a limit counts the charged cost, and how much more can be charged
 * before the call exceeds a limit. A stream can stop at that point:
 *
 * <pre>{@code
 * model.stream(prompt).takeUntil(chunk -> tokens.charge(chunk.tokens()).nothingRemains());
 * }</pre>
 *
 * <p>All tiers are charged the same amount, so the figures are those of the tier with the fewest remaining permits.
 * This instance computes the figures without querying the store. They include everything that this instance has counted
 * so far, and everything that the other instances had counted at the last exchange. Amounts that other calls in flight
 * have reserved are not available to this call. Endpoints in dry run and endpoints that exempt the caller are also
 * charged, but do not limit the call. Immutable and thread-safe.
 *
 * @param counted whether any limit counts the charged cost
 * @param remaining how much more can be charged to the call: the unused part of its own reservation, plus all permits
 *     that are not held by other calls or other instances. {@link Long#MAX_VALUE} if no limit stops the call
 * @param heldElsewhere the number of unused permits that other instances hold. Those instances can use these permits at
 *     any moment, so a call that relies on them could exceed the limit
 * @param endpoint the endpoint of the tier with the fewest remaining permits; {@code null} if no limit stops the call
 * @param tier the tier with the fewest remaining permits; {@code null} if no limit stops the call
 */
public record Charge(
        boolean counted,
        long remaining,
        long heldElsewhere,
        @Nullable Endpoint endpoint,
        @Nullable Tier tier) {

    /** The result if no limit counts the charged cost. */
    public static final Charge NOT_COUNTED = new Charge(false, Long.MAX_VALUE, 0, null, null);

    /** The result if only limits that do not refuse calls count the charged cost. */
    public static final Charge UNLIMITED = new Charge(true, Long.MAX_VALUE, 0, null, null);

    /** Whether, as far as this instance knows, any further charge would exceed a limit. If so, a stream should stop. */
    public boolean nothingRemains() {
        return remaining <= 0;
    }

    /** The combined result of two charges, with the figures of the tier that has fewer remaining permits. */
    public Charge and(Charge other) {
        Charge least = other.remaining < remaining ? other : this;
        return new Charge(counted || other.counted, least.remaining, least.heldElsewhere, least.endpoint, least.tier);
    }
}
