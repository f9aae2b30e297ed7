package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.limiter.memory.Counters;
import java.util.List;

/**
 * The parts of a limiter that all its calls use.
 *
 * @param load counts the calls in flight
 * @param logins counts logins whose end nobody reports
 * @param laterLogins decides whether a call may take what a further attempt to log in needs
 */
record LimiterParts(
        Counters counters,
        Sharing sharing,
        MachineLoad load,
        BoundedPending pending,
        UnreportedLogins logins,
        LaterLogins laterLogins,
        RateLimitListener listener) {

    /** Decides whether a call may take these parts again. */
    @FunctionalInterface
    interface LaterLogins {

        Decision decide(Call call, List<TierAcquisition> again, LimiterParts limiter);
    }
}
