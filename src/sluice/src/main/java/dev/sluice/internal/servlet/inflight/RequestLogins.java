package dev.sluice.internal.servlet.inflight;

import dev.sluice.LoginTicket;
import dev.sluice.internal.http.request.PageCredentials;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The login attempts of one request, judged by all limiters that have decided it. Other threads may use this object
 * even after the request has ended, because it does not refer to the request, which the container may have recycled by
 * then. Thread-safe.
 */
public final class RequestLogins {

    /** The name of the request's attribute. */
    public static final String ATTRIBUTE = RequestLogins.class.getName();

    private volatile List<GuardedLogins> limiters = List.of();
    private volatile boolean hasTried;
    private volatile boolean hasFailed;
    /** The {@code Authorization} header whose acceptance is awaited; {@code null} if nobody has asked for it. */
    private volatile @Nullable String toProve;

    private volatile boolean hasProven;

    RequestLogins() {}

    /** From now on, these limiters judge login attempts. */
    void follow(List<GuardedLogins> all) {
        limiters = all;
    }

    /**
     * Begins an attempt if all limits admit it. May block this thread.
     *
     * @param name the user name of the attempt; {@code null} if it has none
     */
    public LoginTicket.Attempt begin(@Nullable String name) {
        hasTried = true;
        List<LoginTicket.Attempt> begun = new ArrayList<>(1);
        for (GuardedLogins limiter : limiters) {
            LoginTicket.Attempt login = limiter.begin(name);
            if (login.refusal() != null) {
                begun.forEach(admitted -> admitted.ended(false));
                return login;
            }
            begun.add(login);
        }
        return failed -> {
            note(failed);
            begun.forEach(login -> login.ended(failed));
        };
    }

    /** Reports how a login ended. */
    public void ended(boolean failed) {
        note(failed);
        limiters.forEach(limiter -> limiter.ended(failed));
    }

    private void note(boolean failed) {
        if (failed) { // another thread may note a failure at the same time
            hasFailed = true;
        }
    }

    /** From now on, notes whether anything accepts the credentials in this {@code Authorization} header. */
    public void prove(String authorization) {
        toProve = authorization;
    }

    /** Notes that these credentials were checked and accepted. */
    public void accepted(@Nullable String name, @Nullable Object secret) {
        String expected = toProve;
        if (expected != null && PageCredentials.hold(expected, name, secret)) {
            hasProven = true;
        }
    }

    /** Whether the credentials passed to {@link #prove} were accepted. */
    public boolean haveProven() {
        return hasProven;
    }

    /** Notes that an attempt was made without asking any limiter. */
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
