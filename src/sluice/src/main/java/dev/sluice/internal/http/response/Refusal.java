package dev.sluice.internal.http.response;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The information for the body of a refusal. It reveals nothing about other callers. It includes the figures of a limit
 * only if the response contains the header fields of this limit.
 *
 * @param status the response status
 * @param retryAfter the value of {@code Retry-After} in the response; {@code null} if the response does not contain it
 * @param showsLimit whether the response contains the header fields of the limit
 */
public record Refusal(
        Decision decision, int status, @Nullable String retryAfter, boolean showsLimit) {

    /** The media type of {@link #problem}. */
    public static final String PROBLEM_JSON = "application/problem+json";

    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,10}");
    private static final long MOST_SECONDS = 120;
    private static final Duration MOST_IN_MINUTES = Duration.ofHours(2);
    private static final Duration MOST_IN_HOURS = Duration.ofDays(2);

    private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

    /**
     * Returns the problem document. It uses the types that are registered by {@code
     * draft-ietf-httpapi-ratelimit-headers}. It contains no input from the caller, so it requires no escaping.
     */
    public String problem() {
        boolean isBusy = decision.outcome() == Decision.Outcome.REFUSED_BUSY;
        String type = switch (decision.outcome()) {
            case REFUSED_BUSY -> "temporary-reduced-capacity";
            case REFUSED_BLOCKED -> "abnormal-usage-detected";
            default -> "quota-exceeded";
        };
        String title = switch (decision.outcome()) {
            case REFUSED_BUSY -> "Request cannot be satisfied due to temporary server capacity constraints";
            case REFUSED_BLOCKED -> "Request not satisfied due to detection of abnormal request pattern";
            default -> "Request cannot be satisfied as assigned quota has been exceeded";
        };
        return "{\"type\":\"" + TYPES + type + "\",\"title\":\"" + title + "\",\"status\":" + status
                + ",\"detail\":\"" + detail() + "\""
                + (isBusy ? "" : ",\"violated-policies\":[" + policies() + "]") + "}";
    }

    /**
     * Returns a sentence that states the reason for the refusal and when to retry. The sentence contains only letters,
     * digits and punctuation that require no escaping.
     */
    String detail() {
        if (decision.neverPasses()) {
            return tooCostly();
        }
        String why = switch (decision.outcome()) {
            case REFUSED_BUSY -> "Too many calls are already pending";
            case REFUSED_BLOCKED -> "You are blocked because you kept calling after many refusals";
            default -> "Rate limit exceeded" + shortage();
        };
        return why + "; try again " + when() + ".";
    }

    /**
     * Returns the figures for a call that costs more than 1. They explain why the call is refused even though some
     * permits remain.
     */
    private String shortage() {
        long left = Math.max(0, decision.remaining());
        boolean isWorthTelling = decision.cost() > 1 && left < decision.cost() && showsFigures();
        return isWorthTelling ? ": this call needs " + decision.cost() + ", but " + left(left) : "";
    }

    private static String left(long permits) {
        return permits == 0 ? "none remain" : permits == 1 ? "only 1 remains" : "only " + permits + " remain";
    }

    /** Whether the body can show the figures of the limit that refuses the call. */
    private boolean showsFigures() {
        return showsLimit && decision.shown() != null;
    }

    private String tooCostly() {
        Tier tier = decision.tier();
        String figures = tier == null || !showsFigures()
                ? "more than the limit can ever allow at once"
                : decision.cost() + ", and the limit allows at most " + tier.most() + " at once";
        return "This request costs " + figures + "; retrying it will not help.";
    }

    /**
     * Returns the time to wait before a retry, in a unit that is easy to read. The time is rounded up, so that nobody
     * retries too early. Programs read the exact time from {@code Retry-After}. The application might have written that
     * field in a different form, such as a date.
     */
    private String when() {
        if (retryAfter == null || !SECONDS.matcher(retryAfter).matches()) {
            return "later";
        }
        long seconds = Long.parseLong(retryAfter);
        if (seconds <= MOST_SECONDS) {
            return "in " + seconds + (seconds == 1 ? " second" : " seconds");
        }
        Duration wait = Duration.ofSeconds(seconds);
        if (wait.compareTo(MOST_IN_MINUTES) <= 0) {
            return "in " + wholes(wait, Duration.ofMinutes(1)) + " minutes";
        }
        return wait.compareTo(MOST_IN_HOURS) <= 0
                ? "in " + wholes(wait, Duration.ofHours(1)) + " hours"
                : "in " + wholes(wait, Duration.ofDays(1)) + " days";
    }

    private static long wholes(Duration wait, Duration unit) {
        return wait.plus(unit).minusNanos(1).dividedBy(unit);
    }

    private String policies() {
        Endpoint endpoint = decision.endpoint();
        Tier tier = decision.tier();
        return endpoint == null || tier == null ? "" : PolicyName.quoted(endpoint, tier);
    }
}
