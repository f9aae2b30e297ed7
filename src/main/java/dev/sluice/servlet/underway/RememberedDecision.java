package dev.sluice.servlet.underway;

import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.Ticket;
import dev.sluice.config.fault.FaultLog;
import dev.sluice.servlet.call.ServletCall;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * A decision remembered with its request, so that no forward, error page, async dispatch or second mapping of the
 * filter asks the same limiter again. Several limiters may judge one request: their verdicts form a chain.
 *
 * @param limiter whose decision it is
 * @param decision what it decided
 * @param responses how answers were dressed at that moment
 * @param askedAtMillis just before the limiter was asked, in milliseconds since 1970; 0 where answers do not tell
 * @param ticketed the call, if its end matters
 * @param earlier the decision of another limiter on the same request
 */
public record RememberedDecision(
        RateLimiter limiter,
        Decision decision,
        ResponseOptions responses,
        long askedAtMillis,
        @Nullable TicketedCall ticketed,
        @Nullable RememberedDecision earlier) {

    private static final String ATTRIBUTE = RememberedDecision.class.getName();

    /**
     * Asks the limiter and, if it has an opinion, remembers it. A call that nothing limits may yet be forwarded to
     * where it is limited.
     */
    public static RememberedDecision askAndRemember(
            RateLimiter limiter,
            ServletCall call,
            ServletRequest request,
            InstantSource clock,
            FaultLog faults,
            @Nullable RememberedDecision latest) {
        ResponseOptions responses = limiter.responses();
        long nowMillis = responses.reset() == ResponseOptions.Reset.EPOCH ? clock.millis() : 0;
        Decision decision = limiter.decide(call);
        Ticket ticket = decision.ticket();
        TicketedCall ticketed = ticket == null ? null : new TicketedCall(ticket, faults);
        RememberedDecision remembered =
                new RememberedDecision(limiter, decision, responses, nowMillis, ticketed, latest);
        if (decision.outcome() != Decision.Outcome.UNLIMITED) {
            remembered.keepIn(request);
        }
        return remembered;
    }

    /** A listener of the application may throw here. Nobody will learn of the call's end then, so it ends now. */
    private void keepIn(ServletRequest request) {
        try {
            request.setAttribute(ATTRIBUTE, this);
        } catch (RuntimeException | Error e) {
            if (ticketed != null) {
                ticketed.end(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
            }
            throw e;
        }
    }

    /** What is remembered from now on: the call was admitted, but too many threads wait for their turns. */
    public RememberedDecision asBusy(ServletRequest request) {
        Ticket ticket = decision.ticket();
        long turnMillis = ticket == null ? 0 : ticket.delayMillis(); // then it need not wait
        Decision busy = decision.withOutcome(Decision.Outcome.REFUSED_BUSY)
                .withRetryAfter(turnMillis)
                .withTicket(null);
        RememberedDecision refused = new RememberedDecision(limiter, busy, responses, askedAtMillis, null, earlier);
        refused.keepIn(request);
        return refused;
    }

    /** The latest decision of any limiter on this request. */
    public static @Nullable RememberedDecision latest(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof RememberedDecision remembered ? remembered : null;
    }

    /** The decision of this limiter, which is the latest or one before it, if it has been asked. */
    public static @Nullable RememberedDecision of(RateLimiter limiter, @Nullable RememberedDecision latest) {
        RememberedDecision remembered = latest;
        while (remembered != null && remembered.limiter != limiter) {
            remembered = remembered.earlier;
        }
        return remembered;
    }

    /** Charges the request so much wherever costs are charged; whether that was anywhere. */
    public static boolean charge(ServletRequest request, long amount) {
        boolean charged = false;
        for (RememberedDecision remembered = latest(request); remembered != null; remembered = remembered.earlier) {
            TicketedCall ticketed = remembered.ticketed;
            charged |= ticketed != null && ticketed.charge(amount);
        }
        return charged;
    }

    /** It is known whether the request tried to log in and failed. */
    public static void loginEnded(ServletRequest request, boolean failed) {
        for (RememberedDecision remembered = latest(request); remembered != null; remembered = remembered.earlier) {
            TicketedCall ticketed = remembered.ticketed;
            if (ticketed != null) {
                ticketed.loginEnded(failed);
            }
        }
    }

    /** Whether this dispatch is the one in which a call that was parked goes on. */
    public boolean isBack() {
        return ticketed != null && ticketed.isBack();
    }

    public boolean refused() {
        return !decision.admitted();
    }
}
