package dev.sluice.internal.limiter.shared;

import org.jspecify.annotations.Nullable;

/**
 * How a pool begins: this takes the place of the background's data until the background has seen the pool. Immutable.
 *
 * @param hasSlack whether it has slack before the store has answered. A pool that continues another one has none,
 *     because the other one may have used it
 * @param rest what was kept of this window or an earlier one while the counter was at rest; {@code null} if it was not
 */
public record Unseen(boolean hasSlack, @Nullable PoolAtRest rest) implements SharedWindows.Attachment {

    private static final Unseen NEW = new Unseen(true, null);

    static Unseen of(boolean hasSlack, @Nullable PoolAtRest rest) {
        return hasSlack && rest == null ? NEW : new Unseen(hasSlack, rest);
    }
}
