package dev.sluice.servlet.reply;

import dev.sluice.Decision;
import dev.sluice.Decision.Told;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.ResponseOptions;
import dev.sluice.servlet.underway.RememberedDecision;
import jakarta.servlet.http.HttpServletResponse;
import java.util.IdentityHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes a decision into response headers. Text that is the same for every call to an endpoint is cached by the endpoint's
 * identity, in a map that is copied on each change, so that reading needs no lock: endpoints are few, and new ones come with
 * a reload only.
 */
public final class LimitHeaders {

    static final String RETRY_AFTER = "Retry-After";

    private static final String LIMIT = "x-ratelimit-limit";
    private static final String REMAINING = "x-ratelimit-remaining";
    private static final String RESET = "x-ratelimit-reset";
    private static final String BEYOND = "x-ratelimit-beyond";
    private static final String POLICY = "RateLimit-Policy";
    private static final String STATE = "RateLimit";

    /** The most cached endpoints, with those of earlier files; then the cache is cleared. */
    private static final int MOST_TEXTS = 20_000;

    private volatile IdentityHashMap<Endpoint, EndpointText> texts = new IdentityHashMap<>();

    /** Writes the limit's headers. With {@code again}, writes only those that the response has lost. */
    public void write(HttpServletResponse response, RememberedDecision remembered, boolean again) {
        Told told = remembered.decision().told();
        if (told == null
                || response.isCommitted()
                || areHidden(remembered, told.endpoint())
                || hasScarcer(response, remembered, told)) {
            return;
        }
        ResponseOptions.Headers style = remembered.responses().headers();
        if (style != ResponseOptions.Headers.IETF && !(again && response.containsHeader(LIMIT))) {
            writeFigures(response, remembered, told);
        }
        if (style != ResponseOptions.Headers.X_RATELIMIT && !(again && response.containsHeader(STATE))) {
            EndpointText text = textOf(told.endpoint());
            response.setHeader(POLICY, text.policies());
            response.setHeader(STATE, text.state(told, secondsUntilMore(remembered.decision(), told)));
        }
        if (told.isBeyond()) {
            response.setHeader(BEYOND, "true");
        }
    }

    /** Writes the other headers of a refusal. With {@code again}, only if the response has lost them. */
    public void writeRefusal(HttpServletResponse response, RememberedDecision remembered, boolean again) {
        if (!response.isCommitted() && !(again && response.containsHeader(RETRY_AFTER))) {
            if (!remembered.decision().neverPasses()) {
                response.setHeader(RETRY_AFTER, retryAfter(remembered));
            }
            response.setHeader("Cache-Control", "no-store");
        }
    }

    /** Whether the response has the limit's headers. */
    static boolean areShown(HttpServletResponse response) {
        return response.getHeader(LIMIT) != null || response.getHeader(POLICY) != null;
    }

    /** Whether the response already has the headers of another limiter, which has less left in proportion. */
    private static boolean hasScarcer(HttpServletResponse response, RememberedDecision remembered, Told told) {
        RememberedDecision earlier = remembered.earlier();
        if (earlier == null || !remembered.decision().admitted() || !areShown(response)) {
            return false;
        }
        Told other = earlier.decision().told();
        return other != null && leftInProportion(other) < leftInProportion(told);
    }

    private static double leftInProportion(Told told) {
        return (double) told.remaining() / told.tier().limit().threshold();
    }

    private static boolean areHidden(RememberedDecision remembered, Endpoint endpoint) {
        Decision.Outcome outcome = remembered.decision().outcome();
        boolean dryRun = endpoint.mode() == Mode.DRY_RUN || outcome == Decision.Outcome.WOULD_REFUSE;
        return outcome == Decision.Outcome.UNLIMITED
                || outcome == Decision.Outcome.EXEMPT
                || remembered.responses().headers() == ResponseOptions.Headers.NONE
                || (dryRun && !remembered.responses().inDryRun());
    }

    private static void writeFigures(HttpServletResponse response, RememberedDecision remembered, Told told) {
        boolean epoch = remembered.responses().reset() == ResponseOptions.Reset.EPOCH;
        long resetMillis = told.resetAfterMillis() + (epoch ? remembered.askedAtMillis() : 0);
        response.setHeader(LIMIT, NumberText.ofThreshold(told.tier().limit().threshold()));
        response.setHeader(REMAINING, NumberText.of(Math.max(0, told.remaining())));
        response.setHeader(RESET, NumberText.of(wholeSeconds(resetMillis)));
    }

    /**
     * The time until more calls may pass. By the draft, {@code Retry-After} must not be sooner, so a refusal has the same
     * time in both.
     */
    private static long secondsUntilMore(Decision decision, Told told) {
        long untilMore = decision.admitted()
                ? told.resetAfterMillis()
                : Math.min(told.resetAfterMillis(), decision.retryAfterMillis());
        return wholeSeconds(untilMore);
    }

    private static String retryAfter(RememberedDecision remembered) {
        long spread = Math.max(0, remembered.responses().retryAfterJitter().toMillis());
        long jitter = spread == 0 ? 0 : ThreadLocalRandom.current().nextLong(spread + 1);
        return NumberText.of(Math.max(1, wholeSeconds(remembered.decision().retryAfterMillis() + jitter)));
    }

    private static long wholeSeconds(long millis) {
        return Math.max(0, -Math.floorDiv(-millis, 1000L));
    }

    private EndpointText textOf(Endpoint endpoint) {
        EndpointText known = texts.get(endpoint);
        return known != null ? known : cache(endpoint);
    }

    /** If two threads add at once, one text may be lost, and is built again for the next call. */
    private EndpointText cache(Endpoint endpoint) {
        EndpointText text = EndpointText.of(endpoint);
        IdentityHashMap<Endpoint, EndpointText> known = texts;
        IdentityHashMap<Endpoint, EndpointText> more =
                known.size() < MOST_TEXTS ? new IdentityHashMap<>(known) : new IdentityHashMap<>();
        more.put(endpoint, text);
        texts = more;
        return text;
    }
}
