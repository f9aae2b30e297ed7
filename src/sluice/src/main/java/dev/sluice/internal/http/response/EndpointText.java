package dev.sluice.internal.http.response;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of header values that are the same for every call to an endpoint. They are built only once. This is the
 * only class that implements the syntax of draft-ietf-httpapi-ratelimit-headers-11.
 *
 * @param policies the item of each tier in {@code RateLimit-Policy}, in the order of the endpoint's tiers
 * @param allPolicies the value of {@code RateLimit-Policy} with the items of all tiers
 * @param states the item of each tier in {@code RateLimit}, up to but excluding the number of remaining calls
 */
record EndpointText(List<String> policies, String allPolicies, List<String> states) {

    static EndpointText of(Endpoint endpoint) {
        List<String> policies =
                endpoint.tiers().stream().map(tier -> policy(endpoint, tier)).toList();
        List<String> states =
                endpoint.tiers().stream().map(tier -> state(endpoint, tier)).toList();
        return new EndpointText(policies, String.join(", ", policies), states);
    }

    /**
     * Returns the items of all tiers in {@code RateLimit-Policy}. Operators might have given extra calls for a tier
     * that the response shows. In this case, the tier's item includes the extra calls.
     *
     * @param shown all limits that the response shows, including those of other endpoints
     */
    List<String> policies(Endpoint endpoint, List<Decision.Shown> shown) {
        List<String> items = new ArrayList<>(policies);
        for (Decision.Shown one : shown) {
            if (one.endpoint().equals(endpoint) && !endpoint.tiers().contains(one.tier())) {
                String start = PolicyName.quoted(endpoint, one.tier()) + ";";
                items.replaceAll(item -> item.startsWith(start) ? policy(endpoint, one.tier()) : item);
            }
        }
        return items;
    }

    /**
     * Returns the item of a tier in {@code RateLimit-Policy}. If the endpoint does not contain this tier, the item is
     * built on demand.
     */
    String policyOf(Endpoint endpoint, Tier tier) {
        int at = endpoint.tiers().indexOf(tier);
        return at < 0 ? policy(endpoint, tier) : policies.get(at);
    }

    /**
     * Returns the item of a tier in {@code RateLimit}, up to but excluding the number of remaining calls. If the
     * endpoint does not contain this tier, the item is built on demand.
     */
    String stateOf(Endpoint endpoint, Tier tier) {
        int at = endpoint.tiers().indexOf(tier);
        return at < 0 ? state(endpoint, tier) : states.get(at);
    }

    private static String policy(Endpoint endpoint, Tier tier) {
        return PolicyName.quoted(endpoint, tier) + ";q=" + tier.limit().threshold() + unit(tier) + window(tier);
    }

    private static String state(Endpoint endpoint, Tier tier) {
        return PolicyName.quoted(endpoint, tier) + ";r=";
    }

    /**
     * Returns the unit of a policy. It is omitted for requests, which are the default unit. The draft does not define a
     * unit for costs.
     */
    private static String unit(Tier tier) {
        return tier.limit().hasPeriod() ? "" : ";qu=\"concurrent-requests\"";
    }

    /**
     * Returns the window of a policy. It is omitted for calendar windows and for fractions of a second, because the
     * draft cannot express them.
     */
    private static String window(Tier tier) {
        Duration period = tier.limit().period();
        boolean isCalendar = tier.limit().windows() instanceof Windows.Calendar;
        return !isCalendar && period.toMillis() > 0 && period.toMillis() % 1000 == 0 ? ";w=" + period.toSeconds() : "";
    }
}
