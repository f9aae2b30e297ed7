package dev.sluice.internal.servlet.inflight;

import dev.sluice.Charge;
import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import dev.sluice.Reservation;
import dev.sluice.ResponseOptions;
import dev.sluice.Ticket;
import dev.sluice.internal.http.request.GuardedLogins;
import dev.sluice.internal.http.request.RequestLogins;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision that is stored in an attribute of its request. It prevents a second decision by the same limiter after a
 * forward, for an error page, in an async dispatch, or if the filter is mapped twice. If several limiters decide a
 * request, their decisions form a chain. Immutable, except for the call.
 *
 * @param limiter the limiter that made the decision
 * @param decision the decision
 * @param responses the response options that were in force when the limiter was called
 * @param askedAtMillis when the limiter was called, in milliseconds since 1970; 0 if no header needs the time
 * @param ticketed the call if the limiter needs to know its end; otherwise {@code null}
 * @param earlier an earlier limiter's decision on the same request; {@code null} if there is none
 */
public record RememberedDecision(
        RateLimiter limiter,
        Decision decision,
        ResponseOptions responses,
        long askedAtMillis,
        @Nullable TicketedCall ticketed,
        @Nullable RememberedDecision earlier) {

    private static final String ATTRIBUTE = RememberedDecision.class.getName();

    /** Creates the state of a request that the limiter is about to decide. */
    public static RememberedDecision undecided(
            RateLimiter limiter, InstantSource clock, @Nullable RememberedDecision latest) {
        ResponseOptions responses = limiter.responses();
        long nowMillis = responses.reset() == ResponseOptions.Reset.EPOCH ? clock.millis() : 0;
        return new RememberedDecision(limiter, Decision.UNLIMITED, responses, nowMillis, null, latest);
    }

    /**
     * Stores the decision in the request if an endpoint applies. If no endpoint applies, the decision is not stored,
     * because the request can still be forwarded to a limited path. An endpoint that is waiting for the user name in a
     * login attempt is considered applicable.
     *
     * @param staysOnThread whether the limiter knows that the call is queued on its thread
     */
    public RememberedDecision decided(
            Decision as, ServletRequest request, AsyncCalls asyncCalls, boolean staysOnThread) {
        Ticket ticket = as.ticket();
        TicketedCall call =
                ticket == null ? null : new TicketedCall(ticket, asyncCalls, RememberedDecision::isOf, staysOnThread);
        RememberedDecision remembered = new RememberedDecision(limiter, as, responses, askedAtMillis, call, earlier);
        if (as.outcome() != Decision.Outcome.UNLIMITED || call != null) {
            remembered.keepIn(request);
        }
        return remembered;
    }

    /**
     * Stores this decision in the request. If one of the application's listeners throws an exception here, the request
     * fails, so the call ends immediately.
     */
    private void keepIn(ServletRequest request) {
        try {
            request.setAttribute(ATTRIBUTE, this);
            if (ticketed != null && request.getAttribute(RequestLogins.ATTRIBUTE) instanceof RequestLogins known) {
                known.follow(guardedLogins(this));
            }
        } catch (RuntimeException | Error e) {
            if (ticketed != null) {
                ticketed.end(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
            }
            throw e;
        }
    }

    /** Creates a refusal for a request that was already admitted. The refusal is not stored in the request. */
    public static RememberedDecision refusedLater(RateLimiter limiter, InstantSource clock, Decision refusal) {
        RememberedDecision undecided = undecided(limiter, clock, null);
        return new RememberedDecision(
                limiter, refusal, undecided.responses, undecided.askedAtMillis, null, undecided.earlier);
    }

    /** Replaces an admission with a refusal, because too many calls are already queued on threads. */
    public RememberedDecision asBusy(ServletRequest request) {
        RememberedDecision refused =
                new RememberedDecision(limiter, decision.busy(), responses, askedAtMillis, null, earlier);
        refused.keepIn(request);
        return refused;
    }

    /** Returns the latest decision of any limiter on this request; {@code null} if there is none. */
    public static @Nullable RememberedDecision latest(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof RememberedDecision remembered ? remembered : null;
    }

    /**
     * Returns this limiter's decision on the request; {@code null} if it has made none. A decision by one phase of a
     * limiter is treated as a decision by the whole limiter, because a separate filter handles the other phase.
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
        RateLimiter whole = limiter.whole();
        return whole == asked.whole() && (whole == limiter || whole == asked);
    }

    /** Combines the reservations that all limiters hold for the request into a single reservation. */
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

    /**
     * Combines several reservations. It validates the amount even if there are no reservations, so that an invalid
     * amount always causes an exception.
     */
    private record Reservations(List<Reservation> parts) implements Reservation {

        @Override
        public Charge charge(long amount) {
            requireCost(amount, "a charge cannot be undone");
            Charge all = Charge.NOT_COUNTED;
            for (Reservation part : parts) {
                all = all.and(part.charge(amount));
            }
            return all;
        }

        @Override
        public boolean settle(long actual) {
            requireCost(actual, "settle 0 to release the whole reservation");
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

    /**
     * Returns the login attempts of the request. All limiters that have decided the request judge these attempts. This
     * method must be called on the request's thread.
     */
    public static RequestLogins logins(ServletRequest request) {
        if (request.getAttribute(RequestLogins.ATTRIBUTE) instanceof RequestLogins known) {
            return known;
        }
        RequestLogins begun = new RequestLogins();
        begun.follow(guardedLogins(latest(request)));
        request.setAttribute(RequestLogins.ATTRIBUTE, begun);
        return begun;
    }

    private static List<GuardedLogins> guardedLogins(@Nullable RememberedDecision latest) {
        List<GuardedLogins> all = new ArrayList<>(1);
        for (RememberedDecision one = latest; one != null; one = one.earlier) {
            if (one.ticketed != null) {
                all.add(one.ticketed.logins());
            }
        }
        return all;
    }

    /** Whether a request carries the given call. */
    private static boolean isOf(ServletRequest request, TicketedCall call) {
        RememberedDecision remembered = latest(request);
        while (remembered != null && remembered.ticketed != call) {
            remembered = remembered.earlier;
        }
        return remembered != null;
    }

    /** Whether a call that is in flight or parked continues in the given dispatch. */
    public boolean goesOnIn(DispatcherType dispatch) {
        return ticketed != null && ticketed.goesOnIn(dispatch);
    }

    public boolean refused() {
        return !decision.admitted();
    }
}
