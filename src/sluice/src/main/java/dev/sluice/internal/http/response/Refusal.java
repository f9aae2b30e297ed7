package dev.sluice.internal.http.response;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import org.jspecify.annotations.Nullable;

/**
 * The contents for the body of a refusal. Says nothing about other callers, and shows figures of limits only if the
 * response has the limit's header fields.
 *
 * @param status the status of the response
 * @param retryAfter the seconds until a retry can pass, as in the response; {@code null} if the response has none
 * @param showsLimit whether the response has the limit's header fields
 */
public record Refusal(
        Decision decision, int status, @Nullable String retryAfter, boolean showsLimit) {

    /** The media type of {@link #problem}. */
    public static final String PROBLEM_JSON = "application/problem+json";

    private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

    /**
     * The problem document, with the types that {@code draft-ietf-httpapi-ratelimit-headers} registers. Contains
     * nothing that the caller sent, so nothing needs escaping.
     */
    public String problem() {
        boolean isBusy = decision.outcome() == Decision.Outcome.REFUSED_BUSY;
        String type = isBusy ? "temporary-reduced-capacity" : "quota-exceeded";
        String why = isBusy ? "due to temporary server capacity constraints" : "as assigned quota has been exceeded";
        return "{\"type\":\"" + TYPES + type + "\",\"title\":\"Request cannot be satisfied " + why + "\",\"status\":"
                + status + ",\"detail\":\"" + detail() + "\""
                + (isBusy ? "" : ",\"violated-policies\":[" + policies() + "]") + "}";
    }

    /**
     * Why the call is refused, and when to retry. Contains only letters, digits and punctuation that need no escaping.
     */
    String detail() {
        if (decision.neverPasses()) {
            return tooCostly();
        }
        String why = switch (decision.outcome()) {
            case REFUSED_BUSY -> "Too many calls are already pending";
            case REFUSED_BLOCKED -> "You are blocked because you kept calling after many refusals";
            default -> "Rate limit exceeded";
        };
        return why + "; try again " + when() + ".";
    }

    private String tooCostly() {
        Tier tier = decision.tier();
        String figures = tier == null || decision.shown() == null || !showsLimit
                ? "more than the limit can ever allow at once"
                : decision.cost() + ", and the limit allows at most " + tier.most() + " at once";
        return "This request costs " + figures + "; retrying it will not help.";
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
