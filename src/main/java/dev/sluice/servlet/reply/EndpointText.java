package dev.sluice.servlet.reply;

import dev.sluice.Endpoint;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;

/**
 * The parts of header values that are the same for every call to an endpoint, built once.
 *
 * @param policies the value of {@code RateLimit-Policy}
 * @param tiers one for each tier of the endpoint, in its order
 */
record EndpointText(String policies, List<TierText> tiers) {

    /**
     * The parts that are the same for every call to one tier.
     *
     * @param remaining the value of {@code RateLimit} up to the number of remaining calls
     */
    record TierText(Tier tier, String remaining) {

        private static TierText of(Endpoint endpoint, Tier tier) {
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

    /** The text of a tier; built now if it is not one of the endpoint's. */
    TierText of(Endpoint endpoint, Tier tier) {
        for (TierText text : tiers) {
            if (text.tier.equals(tier)) {
                return text;
            }
        }
        return TierText.of(endpoint, tier);
    }

    /** The window of a policy. The draft has windows of whole seconds only; for others it is left out. */
    private static String window(Tier tier) {
        Duration period = tier.limit().period();
        return period.toMillis() > 0 && period.toMillis() % 1000 == 0 ? ";w=" + period.toSeconds() : "";
    }
}
