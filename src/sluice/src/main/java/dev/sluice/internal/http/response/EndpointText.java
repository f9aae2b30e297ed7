package dev.sluice.internal.http.response;

import dev.sluice.Decision.Shown;
import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;

/**
 * The parts of header values that are the same for every call to an endpoint, built once. No other class knows the
 * fields of draft-ietf-httpapi-ratelimit-headers-11.
 *
 * @param policies the value of {@code RateLimit-Policy}
 * @param states for each tier, in the endpoint's order, the value of {@code RateLimit} up to the number of remaining
 *     calls
 */
record EndpointText(String policies, List<String> states) {

    static EndpointText of(Endpoint endpoint) {
        StringJoiner policies = new StringJoiner(", ");
        for (Tier tier : endpoint.tiers()) {
            policies.add(
                    PolicyName.quoted(endpoint, tier) + ";q=" + tier.limit().threshold() + unit(tier) + window(tier));
        }
        return new EndpointText(
                policies.toString(),
                endpoint.tiers().stream().map(tier -> state(endpoint, tier)).toList());
    }

    /** The text of a tier, built on the fly if the endpoint does not have this tier. */
    private String stateOf(Endpoint endpoint, Tier tier) {
        int at = endpoint.tiers().indexOf(tier);
        return at < 0 ? state(endpoint, tier) : states.get(at);
    }

    /**
     * The value of {@code RateLimit}.
     *
     * @param untilMoreSeconds the time until more calls may pass
     */
    String state(Shown told, long untilMoreSeconds) {
        long most =
                told.tier().limit().threshold(); // a bucket may hold more than the threshold, but r must not exceed q
        long left = Math.max(0, Math.min(most, told.remaining()));
        return stateOf(told.endpoint(), told.tier()) + left + ";t=" + untilMoreSeconds;
    }

    private static String state(Endpoint endpoint, Tier tier) {
        return PolicyName.quoted(endpoint, tier) + ";r=";
    }

    /** The unit of a policy, unless it is the default, requests. The draft has no unit for costs. */
    private static String unit(Tier tier) {
        return tier.limit().hasPeriod() ? "" : ";qu=\"concurrent-requests\"";
    }

    /**
     * The window of a policy. Left out for calendar windows and fractions of a second, which the draft cannot express.
     */
    private static String window(Tier tier) {
        Duration period = tier.limit().period();
        boolean isCalendar = tier.limit().windows() instanceof Windows.Calendar;
        return !isCalendar && period.toMillis() > 0 && period.toMillis() % 1000 == 0 ? ";w=" + period.toSeconds() : "";
    }
}
