package dev.sluice;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The ticket of a call that can make login attempts. Announce each attempt before you compare a password:
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
     * Announces a login attempt. If a limit counts failed logins, each attempt needs a permit. The attempt uses the
     * permit that the call took when it began, or the permit of an earlier attempt that did not fail. If neither is
     * available, the attempt takes a new permit. This is the case while other attempts of the call are in flight, after
     * a failed attempt, and after the call has ended. With {@code per: [ login ]}, an attempt with a name takes its
     * permit from the counter for that name. Like the decision about a new call, this method blocks the thread while
     * the attempt is pending.
     *
     * @param name the login name, as the caller typed it; {@code null} if there is no name, for example because the
     *     caller uses a token
     * @return the attempt. If it has a {@link Attempt#refusal refusal}, do not compare the password. Otherwise, report
     *     the end of the attempt
     */
    Attempt beginLogin(@Nullable String name);

    /**
     * Announces a login attempt like {@link #beginLogin}, but does not block a thread. The result is incomplete while
     * the attempt is pending. To abandon the attempt, cancel the result. The attempt then returns its permits. If
     * {@code cancel} returns {@code false}, the decision has already been made, so report the {@link Attempt#ended end}
     * of the attempt.
     *
     * @param executor the executor on which the result completes if the attempt was pending
     * @return a stage that completes with the attempt
     */
    CompletionStage<Attempt> beginLoginAsync(@Nullable String name, Executor executor);

    /** A login attempt. Thread-safe. */
    @FunctionalInterface
    interface Attempt {

        /** An attempt that is not counted by any limit. */
        Attempt UNCOUNTED = failed -> {};

        /**
         * The refusal of the attempt, with the reason and the time to wait before a retry; {@code null} if the attempt
         * is allowed.
         */
        default @Nullable Decision refusal() {
            return null;
        }

        /** Reports how the attempt ended. Only the first report has an effect. */
        void ended(boolean failed);
    }
}
