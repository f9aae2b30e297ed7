package dev.sluice.internal.servlet.inflight;

import dev.sluice.LoginTicket;
import dev.sluice.Ticket;
import dev.sluice.internal.config.extension.FaultLog;
import org.jspecify.annotations.Nullable;

/** A ticket's login attempts. Logs failures of the limiter instead of passing them to the application. Thread-safe. */
record GuardedLogins(Ticket ticket, FaultLog faults) {

    /** Begins an attempt, if the limits admit it. */
    LoginTicket.Attempt begin(@Nullable String name) {
        if (!(ticket instanceof LoginTicket call)) {
            return LoginTicket.Attempt.UNCOUNTED;
        }
        try {
            LoginTicket.Attempt begun = call.beginLogin(name);
            return begun.refusal() != null ? begun : failed -> report(() -> begun.ended(failed));
        } catch (RuntimeException | Error e) {
            faults.report("The rate limiter failed to judge a login; such logins proceed.", e);
            return LoginTicket.Attempt.UNCOUNTED;
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
