package dev.sluice.internal.limiter.rule;

import dev.sluice.exchange.Batch.Use;
import java.util.List;

/**
 * The facts about this instance's own use that are needed to compute its part of a limit. Immutable.
 *
 * @param framesBefore the unrecorded use in each earlier frame, newest first
 * @param times the recorded calls with their times; empty if the algorithm requires no times
 * @param slots the number of slots occupied by calls that began before the limit was changed
 */
public record OwnUse(List<Long> framesBefore, List<Use> times, long slots) {

    public OwnUse {
        framesBefore = List.copyOf(framesBefore);
        times = List.copyOf(times);
    }
}
