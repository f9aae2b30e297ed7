package dev.sluice.limiter;

import dev.sluice.RateLimitListener;
import dev.sluice.limiter.counter.Sharing;
import dev.sluice.limiter.memory.Counters;

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
