package dev.sluice.internal.servlet.underway;

import dev.sluice.Ticket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one request to log in, at all limiters that have decided it. Other threads may use it, also after the
 * request has ended: it holds no request, which a container may have recycled by then. Thread-safe.
 */
public final class RequestLogins {

    /** The name of the request's attribute. */
    public static final String ATTRIBUTE = RequestLogins.class.getName();

    private volatile List<GuardedLogins> limiters = List.of();
    private volatile boolean hasTried;
    private volatile boolean hasFailed;

    RequestLogins() {}

    /** From now on, these limiters judge the logins. */
    void follow(List<GuardedLogins> all) {
        limiters = all;
    }

    /** Begins an attempt; {@code null} if a limit does not admit it. May block this thread. */
    public Ticket.@Nullable Login begin() {
        hasTried = true;
        List<Ticket.Login> begun = new ArrayList<>(1);
        for (GuardedLogins limiter : limiters) {
            Ticket.Login login = limiter.begin();
            if (login == null) {
                begun.forEach(admitted -> admitted.ended(false));
                return null;
            }
            begun.add(login);
        }
        return failed -> {
            hasFailed |= failed;
            begun.forEach(login -> login.ended(failed));
        };
    }

    /** Reports how a login ended. */
    public void ended(boolean failed) {
        hasFailed |= failed;
        limiters.forEach(limiter -> limiter.ended(failed));
    }

    /** Notes that an attempt was made which no limiter was asked about. */
    public void tried() {
        hasTried = true;
    }

    /** Whether an attempt was made. */
    public boolean haveBegun() {
        return hasTried;
    }

    /** Whether an attempt has failed. */
    public boolean haveFailed() {
        return hasFailed;
    }
}
