package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.limiter.memory.Counters;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The components of a limiter that all its calls share.
 *
 * @param load the load of this machine, including the number of calls in flight
 * @param logins the component that warns about login attempts whose results are not reported
 * @param attempts the component that decides whether a call may take the permits for a login attempt
 */
record LimiterParts(
        Counters counters,
        Sharing sharing,
        MachineLoad load,
        BoundedPending pending,
        UnreportedLogins logins,
        LoginAttempts attempts,
        RateLimitListener listener) {

    /** Decides whether login attempts may take their permits. */
    @FunctionalInterface
    interface LoginAttempts {

        /**
         * Decides a login attempt. The result completes when the turn of the attempt has come.
         *
         * @param isFirst whether these limits decide the call for the first time. Otherwise, admissions within the
         *     limit are not reported to the listener, because the listener has already been notified that the call
         *     itself was admitted
         * @param executor the executor that completes the result if the attempt was pending; {@code null} to block this
         *     thread until the result is complete
         * @return a future that completes with the decision; cancelling it abandons the attempt
         */
        CompletableFuture<Decision> decide(
                Call call,
                List<TierAcquisition> parts,
                boolean isFirst,
                @Nullable Executor executor,
                LimiterParts limiter);
    }
}
