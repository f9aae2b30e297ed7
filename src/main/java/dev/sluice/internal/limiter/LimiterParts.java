package dev.sluice.internal.limiter;

import dev.sluice.RateLimitListener;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.limiter.memory.Counters;

/**
 * The parts of a limiter that all its calls use.
 *
 * @param load counts the calls under way
 * @param logins counts logins whose end nobody reports
 */
record LimiterParts(
        Counters counters,
        Sharing sharing,
        MachineLoad load,
        BoundedWaiting waiting,
        UnreportedLogins logins,
        RateLimitListener listener) {}
