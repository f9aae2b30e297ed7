package dev.sluice.servlet;

import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import dev.sluice.Replies;
import dev.sluice.Ticket;
import jakarta.servlet.ServletRequest;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * A decision remembered with its request, so that no forward, error page, async dispatch or second mapping of the filter
 * asks the same limiter again. Several limiters may judge one request: their verdicts form a chain.
 *
 * @param limiter whose decision it is
 * @param decision what it decided
 * @param replies how answers were dressed at that moment
 * @param askedAtMillis just before the limiter was asked, in milliseconds since 1970; 0 where answers do not tell
 * @param ticketed the call, if its end matters
 * @param earlier the verdict of another limiter on the same request
 */
record Verdict(
        RateLimiter limiter,
        Decision decision,
        Replies replies,
        long askedAtMillis,
        @Nullable TicketedCall ticketed,
        @Nullable Verdict earlier) {

    private static final String ATTRIBUTE = Verdict.class.getName();

    /** Asks the limiter and, if it has an opinion, remembers it. A call that nothing limits may yet be forwarded to where it is limited. */
    static Verdict reach(
            RateLimiter limiter,
            ServletCall call,
            ServletRequest request,
            InstantSource clock,
            Faults faults,
            @Nullable Verdict latest) {
        Replies replies = limiter.replies();
        long nowMillis = replies.reset() == Replies.Reset.EPOCH ? clock.millis() : 0;
        Decision decision = limiter.decide(call);
        Ticket ticket = decision.ticket();
        TicketedCall ticketed = ticket == null ? null : new TicketedCall(ticket, faults);
        Verdict verdict = new Verdict(limiter, decision, replies, nowMillis, ticketed, latest);
        if (decision.outcome() != Decision.Outcome.UNLIMITED) {
            request.setAttribute(ATTRIBUTE, verdict);
        }
        return verdict;
    }

    /** The latest verdict of any limiter on this request. */
    static @Nullable Verdict latest(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Verdict verdict ? verdict : null;
    }

    /** The verdict of this limiter among the latest and those before, if it has been asked. */
    static @Nullable Verdict of(RateLimiter limiter, @Nullable Verdict latest) {
        Verdict verdict = latest;
        while (verdict != null && verdict.limiter != limiter) {
            verdict = verdict.earlier;
        }
        return verdict;
    }

    /** Charges the request so much wherever costs are charged; whether that was anywhere. */
    static boolean charge(ServletRequest request, long amount) {
        boolean charged = false;
        for (Verdict verdict = latest(request); verdict != null; verdict = verdict.earlier) {
            TicketedCall ticketed = verdict.ticketed;
            charged |= ticketed != null && ticketed.charge(amount);
        }
        return charged;
    }

    /** Whether this dispatch is the one in which a call that was parked goes on. */
    boolean isBack() {
        return ticketed != null && ticketed.isBack();
    }

    boolean refused() {
        return !decision.admitted();
    }
}
