package dev.sluice.servlet;

import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import dev.sluice.Replies;
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
 * @param earlier the verdict of another limiter on the same request
 */
record Verdict(
        RateLimiter limiter,
        Decision decision,
        Replies replies,
        long askedAtMillis,
        @Nullable Verdict earlier) {

    private static final String ATTRIBUTE = Verdict.class.getName();

    /** Asks the limiter and, if it has an opinion, remembers it. A call that nothing limits may yet be forwarded to where it is limited. */
    static Verdict reach(
            RateLimiter limiter,
            ServletCall call,
            ServletRequest request,
            InstantSource clock,
            @Nullable Verdict latest) {
        Replies replies = limiter.replies();
        long nowMillis = replies.reset() == Replies.Reset.EPOCH ? clock.millis() : 0;
        Decision decision = limiter.decide(call);
        Verdict verdict = new Verdict(limiter, decision, replies, nowMillis, latest);
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

    boolean refused() {
        return !decision.admitted();
    }
}
