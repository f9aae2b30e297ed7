package dev.sluice.internal.servlet.inflight;

import dev.sluice.Ticket;
import dev.sluice.internal.config.extension.FaultLog;
import org.jspecify.annotations.Nullable;

/** A ticket's logins; logs failures of the limiter instead of passing them to the application. Thread-safe. */
record GuardedLogins(Ticket ticket, FaultLog faults) {

    /** Begins an attempt; {@code null} if the limits do not admit it. */
    Ticket.@Nullable Login begin() {
        try {
            Ticket.Login begun = ticket.beginLogin();
            return begun == null ? null : failed -> report(() -> begun.ended(failed));
        } catch (RuntimeException | Error e) {
            faults.report("The rate limiter failed to judge a login; such logins proceed.", e);
            return Ticket.Login.UNCOUNTED;
        }
    }

    /** Reports how a login ended. */
    void ended(boolean failed) {
        report(() -> ticket.loginEnded(failed));
    }

    private void report(Runnable news) {
        try {
            news.run();
        } catch (RuntimeException | Error e) {
            faults.report("The rate limiter failed to count a login; the login itself is not affected.", e);
        }
    }
}
