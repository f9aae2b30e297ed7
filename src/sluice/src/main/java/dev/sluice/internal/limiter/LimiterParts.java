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
 * The parts of a limiter that all its calls use.
 *
 * @param load counts the calls in flight
 * @param logins counts login attempts with unreported results
 * @param attempts decides whether a call may take the permits for a login attempt
 */
record LimiterParts(
        Counters counters,
        Sharing sharing,
        MachineLoad load,
        BoundedPending pending,
        UnreportedLogins logins,
        LoginAttempts attempts,
        RateLimitListener listener) {

    /** Decides whether a login attempt may take the permits for these parts. */
    @FunctionalInterface
    interface LoginAttempts {

        /**
         * Decides an attempt when it has reached its turn.
         *
         * @param isFirst whether these limits have not decided the call before. If they have, only refusals are
         *     reported to the listener, because it already knows that the call itself is admitted
         * @param executor completes the result if the attempt was pending; {@code null} to block this thread until the
         *     result is complete
         * @return completes with the decision; cancelling it gives up the attempt
         */
        CompletableFuture<Decision> decide(
                Call call,
                List<TierAcquisition> parts,
                boolean isFirst,
                @Nullable Executor executor,
                LimiterParts limiter);
    }
}
