package dev.sluice.internal.http.reply;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import org.jspecify.annotations.Nullable;

/**
 * What the body of a refusal tells. It contains nothing about other callers, and no figures of limits unless the response
 * has the limit's fields.
 *
 * @param status of the response
 * @param retryAfter the seconds until a retry passes, as the response has them; {@code null} if it does not
 * @param showsLimit whether the response has the limit's fields
 */
public record Refusal(
        Decision decision, int status, @Nullable String retryAfter, boolean showsLimit) {

    /** The media type of {@link #problem}. */
    public static final String PROBLEM_JSON = "application/problem+json";

    private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

    /**
     * The problem document, with the types that {@code draft-ietf-httpapi-ratelimit-headers} registers. It contains nothing
     * that the caller sent.
     */
    public String problem() {
        boolean isBusy = decision.outcome() == Decision.Outcome.REFUSED_BUSY;
        String type = isBusy ? "temporary-reduced-capacity" : "quota-exceeded";
        String why = isBusy ? "due to temporary server capacity constraints" : "as assigned quota has been exceeded";
        return "{\"type\":\"" + TYPES + type + "\",\"title\":\"Request cannot be satisfied " + why + "\",\"status\":"
                + status + ",\"detail\":\"" + detail() + "\""
                + (isBusy ? "" : ",\"violated-policies\":[" + policies() + "]") + "}";
    }

    /** Why the call is refused, and when a retry passes. Contains letters, digits and punctuation that need no escapes. */
    String detail() {
        if (decision.neverPasses()) {
            return tooCostly();
        }
        String why = switch (decision.outcome()) {
            case REFUSED_BUSY -> "Too many calls wait already";
            case REFUSED_BLOCKED -> "You are blocked, since you went on after many refusals";
            default -> "No more of these calls can be let through for now";
        };
        return why + "; try again " + when() + ".";
    }

    private String tooCostly() {
        Tier tier = decision.tier();
        String figures = tier == null || decision.shown() == null || !showsLimit
                ? "more than can ever pass at once"
                : decision.cost() + " and at most " + tier.most() + " can pass at once";
        return "This request counts as " + figures + "; repeating it will not help.";
    }

    private String when() {
        return retryAfter == null ? "later" : "in " + retryAfter + (retryAfter.equals("1") ? " second" : " seconds");
    }

    private String policies() {
        Endpoint endpoint = decision.endpoint();
        Tier tier = decision.tier();
        return endpoint == null || tier == null ? "" : PolicyName.quoted(endpoint, tier);
    }
}
