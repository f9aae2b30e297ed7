package dev.sluice;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The ticket of a call in which login attempts may be made. Announce each attempt before you compare a password:
 *
 * <pre>{@code
 * if (decision.ticket() instanceof LoginTicket call) {
 *     LoginTicket.Attempt attempt = call.beginLogin(name);
 *     if (attempt.refusal() != null) {
 *         return tooManyRequests(attempt.refusal().retryAfterSeconds());
 *     }
 *     boolean failed = true;
 *     try {
 *         failed = !passwords.match(name, password);
 *     } finally {
 *         attempt.ended(failed);
 *     }
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public interface LoginTicket extends Ticket {

    /**
     * Announces that the call tries to log in. Where failed logins are counted, each attempt needs a permit. An attempt
     * uses the permit that the call took when it began, or that an earlier attempt has left to the call by not failing.
     * If neither is available, it takes another permit. That happens while other attempts of the call are in flight,
     * after a failure, and after the call has ended. Limits {@code per: [ login ]} take a permit of the name's own
     * counter for each attempt that has a name. Blocks this thread while a new call would be pending.
     *
     * @param name the name that the attempt tries, as the caller typed it; {@code null} if it has none, such as a token
     * @return the attempt. If it has a {@link Attempt#refusal}, it must not be made; otherwise report its end
     */
    Attempt beginLogin(@Nullable String name);

    /**
     * Announces an attempt as {@link #beginLogin} does, and blocks no thread: while the attempt is pending, the result
     * is incomplete. To give up the attempt, cancel the result: it returns the permits that it took. If {@code cancel}
     * returns {@code false}, the attempt came first: report its {@link Attempt#ended end}.
     *
     * @param executor completes the result if the attempt was pending
     * @return completes with the attempt
     */
    CompletionStage<Attempt> beginLoginAsync(@Nullable String name, Executor executor);

    /** An attempt to log in. Thread-safe. */
    @FunctionalInterface
    interface Attempt {

        /** An attempt that no limit counts. */
        Attempt UNCOUNTED = failed -> {};

        /** Why the attempt must not be made, and when to retry; {@code null} if it may be made. */
        default @Nullable Decision refusal() {
            return null;
        }

        /** Reports how the attempt ended. Only the first report has an effect. */
        void ended(boolean failed);
    }
}
