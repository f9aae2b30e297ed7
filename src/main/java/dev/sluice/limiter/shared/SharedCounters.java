package dev.sluice.limiter.shared;

import dev.sluice.Limit;
import dev.sluice.limiter.counter.CounterFamily;

/** Opens counters that instances share. */
public final class SharedCounters {

    private SharedCounters() {}

    /** Whether instances can share the counters of this limit. */
    public static boolean canShare(Limit limit) {
        return !(limit instanceof Limit.Concurrency places) || places.scope() == Limit.Concurrency.Scope.FLEET;
    }

    /** A counter of this family that has heard nothing of others yet. */
    public static SharedCounter open(CounterFamily family, Object values, Background background) {
        return family.compiledLimit.isCutIntoWindows()
                ? new SharedWindowCounter(family, values, background)
                : new SharedLastingCounter(family, values, background);
    }
}
