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
 * A decision that is kept as an attribute of its request, so that the same limiter is not asked again after a forward,
 * for an error page, in an async dispatch, or if the filter is mapped twice. Several limiters may decide one request;
 * their decisions form a chain. Immutable, apart from the call.
 *
 * @param limiter the limiter that decided
 * @param decision its decision
 * @param responses the response options that were in force when it decided
 * @param askedAtMillis when the limiter was asked, in milliseconds since 1970; 0 if no header needs the time
 * @param ticketed the call, if the limiter needs to know when it ends; otherwise {@code null}
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

    /** The state of a request just before its limiter is asked. */
    public static RememberedDecision undecided(
            RateLimiter limiter, InstantSource clock, @Nullable RememberedDecision latest) {
        ResponseOptions responses = limiter.responses();
        long nowMillis = responses.reset() == ResponseOptions.Reset.EPOCH ? clock.millis() : 0;
        return new RememberedDecision(limiter, Decision.UNLIMITED, responses, nowMillis, null, latest);
    }

    /**
     * Remembers the decision in the request, unless no endpoint applies, because such a call may still be forwarded to
     * a path that is limited. An endpoint that waits for the name in a login counts as one that applies.
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
     * Stores this in the request. If one of the application's listeners throws here, the request fails, so the call
     * ends now.
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

    /** A refusal that comes after the request was admitted. It is not stored in the request. */
    public static RememberedDecision refusedLater(RateLimiter limiter, InstantSource clock, Decision refusal) {
        RememberedDecision undecided = undecided(limiter, clock, null);
        return new RememberedDecision(
                limiter, refusal, undecided.responses, undecided.askedAtMillis, null, undecided.earlier);
    }

    /** Replaces an admission with a refusal, because too many calls are queued on threads already. */
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
     * The decision of this limiter on the request; {@code null} if it was not asked. A whole limiter counts as asked if
     * one of its phases was asked, because another filter asks the other phase.
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

    /** One reservation that stands for those of all limits of the request. */
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
     * Several reservations behind one. Checks the amount even if there are none, so that an application with a wrong
     * amount always learns of its mistake.
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
            requireCost(actual, "settle 0 to give back the whole reservation");
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
     * The login attempts of the request, which are judged by all limiters that have decided it. Must be called on the
     * request's thread.
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

    /** Whether a request carries this call. */
    private static boolean isOf(ServletRequest request, TicketedCall call) {
        RememberedDecision remembered = latest(request);
        while (remembered != null && remembered.ticketed != call) {
            remembered = remembered.earlier;
        }
        return remembered != null;
    }

    /** Whether a call that is in flight or parked continues in this dispatch. */
    public boolean goesOnIn(DispatcherType dispatch) {
        return ticketed != null && ticketed.goesOnIn(dispatch);
    }

    public boolean refused() {
        return !decision.admitted();
    }
}
