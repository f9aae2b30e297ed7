package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides the login attempts of calls, with or without blocking this thread. Thread-safe.
 *
 * @param soundTime the supplier of the future that an attempt awaits before it is decided without blocking a thread;
 *     the supplier returns {@code null} if there is nothing to await
 */
record LoginDecisions(Supplier<@Nullable CompletableFuture<Boolean>> soundTime) implements LimiterParts.LoginAttempts {

    @Override
    public CompletableFuture<Decision> decide(
            Call call,
            List<TierAcquisition> parts,
            boolean isFirst,
            @Nullable Executor executor,
            LimiterParts limiter) {
        if (executor == null) {
            try {
                return CompletableFuture.completedFuture(blocking(call, parts, isFirst, limiter));
            } catch (RuntimeException | Error e) {
                return CompletableFuture.failedFuture(e);
            }
        }
        PendingDecision pending = new PendingDecision(
                () -> new Evaluation(call, parts, limiter.sharing().nowMillis(), limiter),
                executor,
                login -> tell(call, login, isFirst, limiter),
                CompletableFuture::completeExceptionally);
        pending.proceedAfter(soundTime.get());
        return pending.result;
    }

    private static Decision blocking(Call call, List<TierAcquisition> parts, boolean isFirst, LimiterParts limiter) {
        Decision login = new Evaluation(call, parts, limiter.sharing().decisionMillis(), limiter).decide();
        tell(call, login, isFirst, limiter);
        return login.inTurn();
    }

    private static void tell(Call call, Decision login, boolean isFirst, LimiterParts limiter) {
        boolean isKnown = !isFirst && (login.outcome() == Outcome.ADMITTED || login.outcome() == Outcome.EXEMPT);
        if (isKnown || login.outcome() == Outcome.UNLIMITED) {
            return;
        }
        try {
            limiter.listener().onDecision(call, login);
        } catch (RuntimeException | Error e) {
            InFlightCall.endUnserved(login.ticket());
            throw e;
        }
    }
}
