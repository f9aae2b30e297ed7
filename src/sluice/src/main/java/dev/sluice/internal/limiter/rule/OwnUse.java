package dev.sluice.internal.limiter.rule;

import dev.sluice.exchange.Batch.Use;
import java.util.List;

/**
 * This instance's own use of a limit, as far as its part of the limit depends on it. Immutable.
 *
 * @param framesBefore its use in each earlier frame that the store has not recorded, newest first
 * @param times when it made the calls that the store has recorded, if times matter
 * @param slots the number of slots occupied by calls that began before the limit was changed
 */
public record OwnUse(List<Long> framesBefore, List<Use> times, long slots) {

    public OwnUse {
        framesBefore = List.copyOf(framesBefore);
        times = List.copyOf(times);
    }
}
