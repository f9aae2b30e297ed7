package dev.sluice.internal.servlet.underway;

import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import dev.sluice.Reservation;
import dev.sluice.ResponseOptions;
import dev.sluice.Ticket;
import dev.sluice.config.Sluice;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision that is remembered in its request, so that no forward, error page, async dispatch or second mapping of the
 * filter asks the same limiter again. Several limiters may decide one request: their decisions form a chain.
 *
 * @param limiter the limiter that decided
 * @param decision its decision
 * @param responses the options for responses at that time
 * @param askedAtMillis when the limiter was asked, in milliseconds since 1970; 0 if no header needs it
 * @param ticketed the call, if its end matters to the limiter; otherwise {@code null}
 * @param earlier the decision of another limiter on the same request; {@code null} if there is none
 */
public record RememberedDecision(
        RateLimiter limiter,
        Decision decision,
        ResponseOptions responses,
        long askedAtMillis,
        @Nullable TicketedCall ticketed,
        @Nullable RememberedDecision earlier) {

    private static final String ATTRIBUTE = RememberedDecision.class.getName();
    private static final String LOGIN_FAILED = ATTRIBUTE + ".loginFailed";

    /** A limiter is about to be asked. */
    public static RememberedDecision undecided(
            RateLimiter limiter, InstantSource clock, @Nullable RememberedDecision latest) {
        ResponseOptions responses = limiter.responses();
        long nowMillis = responses.reset() == ResponseOptions.Reset.EPOCH ? clock.millis() : 0;
        return new RememberedDecision(limiter, Decision.UNLIMITED, responses, nowMillis, null, latest);
    }

    /**
     * Remembers what was decided, unless no endpoint applies: then the call may still be forwarded to a path that is
     * limited.
     */
    public RememberedDecision decided(Decision as, ServletRequest request, AsyncCalls asyncCalls) {
        Ticket ticket = as.ticket();
        TicketedCall call = ticket == null ? null : new TicketedCall(ticket, asyncCalls, RememberedDecision::isOf);
        RememberedDecision remembered = new RememberedDecision(limiter, as, responses, askedAtMillis, call, earlier);
        if (as.outcome() != Decision.Outcome.UNLIMITED) {
            remembered.keepIn(request);
        }
        return remembered;
    }

    /** The call waits without a thread for its decision, which reports its end to this ticket. */
    RememberedDecision awaiting(LateTicket ticket, ServletRequest request, AsyncCalls asyncCalls) {
        TicketedCall call = new TicketedCall(ticket, asyncCalls, RememberedDecision::isOf);
        RememberedDecision waiting = new RememberedDecision(limiter, decision, responses, askedAtMillis, call, earlier);
        waiting.keepIn(request);
        return waiting;
    }

    /** What the call waited for. */
    RememberedDecision decided(Decision as) {
        return new RememberedDecision(limiter, as, responses, askedAtMillis, ticketed, earlier);
    }

    /** If a listener of the application throws here, the request fails, so the call ends now. */
    void keepIn(ServletRequest request) {
        try {
            request.setAttribute(ATTRIBUTE, this);
        } catch (RuntimeException | Error e) {
            if (ticketed != null) {
                ticketed.end(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
            }
            throw e;
        }
    }

    /** Replaces the decision on a call that was admitted, but cannot wait for its turn: too many threads do. */
    public RememberedDecision asBusy(ServletRequest request) {
        RememberedDecision refused =
                new RememberedDecision(limiter, decision.busy(), responses, askedAtMillis, null, earlier);
        refused.keepIn(request);
        return refused;
    }

    /** The latest decision of any limiter on this request. */
    public static @Nullable RememberedDecision latest(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof RememberedDecision remembered ? remembered : null;
    }

    /**
     * The decision of this limiter, the latest or an earlier one; {@code null} if it was not asked. A limiter that was asked
     * in one of its phases is asked in all, since another filter is there for the other phase.
     */
    public static @Nullable RememberedDecision find(RateLimiter limiter, @Nullable RememberedDecision latest) {
        RememberedDecision remembered = latest;
        while (remembered != null && !remembered.isBy(limiter)) {
            remembered = remembered.earlier;
        }
        return remembered;
    }

    private boolean isBy(RateLimiter asked) {
        if (limiter == asked) {
            return true;
        }
        Sluice whole = Sluice.of(limiter);
        return whole != null && whole == Sluice.of(asked) && (whole == limiter || whole == asked);
    }

    /** What the request reserved or is charged, in all limits together. */
    public static Reservation reservation(ServletRequest request) {
        List<Reservation> parts = new ArrayList<>(1);
        for (RememberedDecision remembered = latest(request); remembered != null; remembered = remembered.earlier) {
            TicketedCall ticketed = remembered.ticketed;
            if (ticketed != null) {
                parts.add(ticketed.reservation());
            }
        }
        return new Reservations(parts);
    }

    /** The reservations of a request as one, also if there is none: what the application does wrong, it learns here. */
    private record Reservations(List<Reservation> parts) implements Reservation {

        @Override
        public boolean charge(long amount) {
            requireCost(amount, "what was charged is not given back");
            boolean any = false;
            for (Reservation part : parts) {
                any |= part.charge(amount);
            }
            return any;
        }

        @Override
        public boolean settle(long actual) {
            requireCost(actual, "settle 0 to give back all that was reserved");
            boolean any = false;
            for (Reservation part : parts) {
                any |= part.settle(actual);
            }
            return any;
        }

        private static void requireCost(long amount, String why) {
            if (amount < 0) {
                throw new IllegalArgumentException("amount " + amount + " is negative; " + why);
            }
        }
    }

    /** Reports whether the login of the request failed. */
    public static void loginEnded(ServletRequest request, boolean failed) {
        if (failed) {
            request.setAttribute(LOGIN_FAILED, true);
        }
        for (RememberedDecision remembered = latest(request); remembered != null; remembered = remembered.earlier) {
            TicketedCall ticketed = remembered.ticketed;
            if (ticketed != null) {
                ticketed.loginEnded(failed);
            }
        }
    }

    /** Whether a failed login of the request has been reported. */
    public static boolean hasFailedToLogIn(ServletRequest request) {
        return request.getAttribute(LOGIN_FAILED) != null;
    }

    /** Whether a request carries this call. */
    private static boolean isOf(ServletRequest request, TicketedCall call) {
        RememberedDecision remembered = latest(request);
        while (remembered != null && remembered.ticketed != call) {
            remembered = remembered.earlier;
        }
        return remembered != null;
    }

    /** Whether a call that is under way or parked goes on in this dispatch. */
    public boolean goesOnIn(DispatcherType dispatch) {
        return ticketed != null && ticketed.goesOnIn(dispatch);
    }

    /**
     * Whether this decision holds for all later dispatches. It does not if the call was parked and met no limit: a forward
     * may lead it to a path that has one.
     */
    public boolean isFinal() {
        boolean wasParkedInVain =
                decision.outcome() == Decision.Outcome.UNLIMITED && ticketed != null && ticketed.hasBegun();
        return !wasParkedInVain;
    }

    public boolean refused() {
        return !decision.admitted();
    }
}
