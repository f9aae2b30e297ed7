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
 * @param attempts decides whether a call may take the permits that an attempt to log in needs
 */
record LimiterParts(
        Counters counters,
        Sharing sharing,
        MachineLoad load,
        BoundedPending pending,
        UnreportedLogins logins,
        LoginAttempts attempts,
        RateLimitListener listener) {

    /** Decides whether an attempt of a call to log in may take these parts. */
    @FunctionalInterface
    interface LoginAttempts {

        /**
         * Decides an attempt. Blocks this thread while the attempt is pending.
         *
         * @param isFirst whether these limits have not decided the call before
         */
        Decision decide(Call call, List<TierAcquisition> parts, boolean isFirst, LimiterParts limiter);
    }
}
