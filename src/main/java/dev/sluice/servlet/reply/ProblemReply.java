package dev.sluice.servlet.reply;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Writes the problem document of a refusal, with the types that {@code draft-ietf-httpapi-ratelimit-headers} registers. It
 * contains nothing that the caller sent and nothing about other callers. It contains no figures of limits either, unless
 * the response has the limit's headers.
 */
public final class ProblemReply {

    private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

    private ProblemReply() {}

    public static void write(HttpServletRequest request, HttpServletResponse response, Decision decision)
            throws IOException {
        send(request, response, "application/problem+json", body(response, decision));
    }

    static void send(HttpServletRequest request, HttpServletResponse response, String contentType, String text)
            throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        response.setContentType(contentType);
        response.setContentLength(body.length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(body);
        }
    }

    private static String body(HttpServletResponse response, Decision decision) {
        boolean isBusy = decision.outcome() == Decision.Outcome.REFUSED_BUSY;
        String type = isBusy ? "temporary-reduced-capacity" : "quota-exceeded";
        String why = isBusy ? "due to temporary server capacity constraints" : "as assigned quota has been exceeded";
        return "{\"type\":\"" + TYPES + type + "\",\"title\":\"Request cannot be satisfied " + why + "\",\"status\":"
                + response.getStatus() + ",\"detail\":\"" + detail(response, decision) + "\""
                + (isBusy ? "" : ",\"violated-policies\":[" + policies(decision) + "]") + "}";
    }

    /** Why the call is refused, and when a retry passes. Contains letters, digits and punctuation that need no escapes. */
    static String detail(HttpServletResponse response, Decision decision) {
        if (decision.neverPasses()) {
            return tooCostly(response, decision);
        }
        String why = switch (decision.outcome()) {
            case REFUSED_BUSY -> "Too many calls wait already";
            case REFUSED_BLOCKED -> "You are blocked, since you went on after many refusals";
            default -> "No more of these calls can be let through for now";
        };
        return why + "; try again " + when(response) + ".";
    }

    private static String tooCostly(HttpServletResponse response, Decision decision) {
        Tier tier = decision.tier();
        String figures = tier == null || decision.told() == null || !LimitHeaders.areShown(response)
                ? "more than can ever pass at once"
                : decision.cost() + " and at most " + tier.most() + " can pass at once";
        return "This request counts as " + figures + "; repeating it will not help.";
    }

    private static String when(HttpServletResponse response) {
        String seconds = response.getHeader(LimitHeaders.RETRY_AFTER);
        return seconds == null ? "later" : "in " + seconds + (seconds.equals("1") ? " second" : " seconds");
    }

    private static String policies(Decision decision) {
        Endpoint endpoint = decision.endpoint();
        Tier tier = decision.tier();
        return endpoint == null || tier == null ? "" : PolicyName.quoted(endpoint, tier);
    }
}
