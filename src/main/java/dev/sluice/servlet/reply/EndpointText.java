package dev.sluice.servlet.reply;

import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;

/**
 * The parts of header values that are the same for every call to an endpoint, built once.
 *
 * @param policies the whole of {@code RateLimit-Policy}
 * @param tiers one for each tier of the endpoint, in its order
 */
record EndpointText(String policies, List<TierText> tiers) {

    /**
     * The same for one tier.
     *
     * @param remaining a value of {@code RateLimit} up to the calls that remain
     */
    record TierText(Tier tier, String remaining) {

        static TierText of(Endpoint endpoint, Tier tier) {
            return new TierText(tier, PolicyName.quoted(endpoint, tier) + ";r=");
        }
    }

    static EndpointText of(Endpoint endpoint) {
        StringJoiner policies = new StringJoiner(", ");
        for (Tier tier : endpoint.tiers()) {
            policies.add(
                    PolicyName.quoted(endpoint, tier) + ";q=" + tier.limit().threshold() + window(tier));
        }
        List<TierText> tiers = endpoint.tiers().stream()
                .map(tier -> TierText.of(endpoint, tier))
                .toList();
        return new EndpointText(policies.toString(), tiers);
    }

    /** The text of a tier; made now if the endpoint does not list it. */
    TierText of(Endpoint endpoint, Tier tier) {
        for (TierText text : tiers) {
            if (text.tier.equals(tier)) {
                return text;
            }
        }
        return TierText.of(endpoint, tier);
    }

    /** The draft knows windows of whole seconds only; others go unsaid. */
    private static String window(Tier tier) {
        Duration period = tier.limit().period();
        return period.toMillis() > 0 && period.toMillis() % 1000 == 0 ? ";w=" + period.toSeconds() : "";
    }
}
