package dev.sluice.internal.http.request;

import dev.sluice.LoginTicket;
import dev.sluice.Ticket;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The login attempts of a ticket. This class logs the limiter's failures instead of propagating them to the
 * application. Thread-safe.
 *
 * @param faults the consumer that logs the consequence of a failure, and the failure itself
 */
public record GuardedLogins(Ticket ticket, BiConsumer<String, Throwable> faults) {

    /** Begins an attempt if the limits admit it. */
    public LoginTicket.Attempt begin(@Nullable String name) {
        if (!(ticket instanceof LoginTicket call)) {
            return LoginTicket.Attempt.UNCOUNTED;
        }
        try {
            return guarded(call.beginLogin(name));
        } catch (RuntimeException | Error e) {
            return uncounted(e);
        }
    }

    /**
     * Begins an attempt if the limits admit it, without blocking a thread. Cancelling the result abandons the attempt.
     */
    CompletableFuture<LoginTicket.Attempt> begin(@Nullable String name, Executor executor) {
        if (!(ticket instanceof LoginTicket call)) {
            return CompletableFuture.completedFuture(LoginTicket.Attempt.UNCOUNTED);
        }
        try {
            CompletableFuture<LoginTicket.Attempt> asked =
                    call.beginLoginAsync(name, executor).toCompletableFuture();
            CompletableFuture<LoginTicket.Attempt> begun = new CompletableFuture<>();
            var unused = begun.whenComplete((attempt, fault) -> asked.cancel(false));
            var unusedToo = asked.whenComplete((attempt, fault) -> {
                LoginTicket.Attempt known = attempt == null ? uncounted(fault) : guarded(attempt);
                if (!begun.complete(known)) {
                    known.ended(false);
                }
            });
            return begun;
        } catch (RuntimeException | Error e) {
            return CompletableFuture.completedFuture(uncounted(e));
        }
    }

    private LoginTicket.Attempt guarded(LoginTicket.Attempt begun) {
        return begun.refusal() != null ? begun : failed -> report(() -> begun.ended(failed));
    }

    private LoginTicket.Attempt uncounted(Throwable fault) {
        if (!(fault instanceof CancellationException)) {
            faults.accept("The rate limiter failed to judge a login attempt. Such attempts are allowed.", fault);
        }
        return LoginTicket.Attempt.UNCOUNTED;
    }

    /** Reports the outcome of a login attempt. */
    public void ended(boolean failed) {
        report(() -> ticket.loginEnded(failed));
    }

    private void report(Runnable news) {
        try {
            news.run();
        } catch (RuntimeException | Error e) {
            faults.accept("The rate limiter failed to count a login; the login itself is not affected.", e);
        }
    }
}
